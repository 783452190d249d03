//! The query of a read. It is form data: `+` is a blank, `%XX` a byte.

use std::time::Duration;

use wadi_protocol::{Code, ReadFrom, Refusal, limits::READ_BYTES_MAX};

use crate::limits::{LONG_POLL_WAIT_DEFAULT, LONG_POLL_WAIT_MAX, LONG_POLL_WAIT_MIN};

const REPEATED: Refusal = Refusal::invalid(Code::InvalidQuery, "offset was given more than once; give it once.");
const NO_OFFSET: Refusal =
    Refusal::invalid(Code::InvalidQuery, "A live read needs an offset: -1, now, or the one an answer gave.");
const INVALID_OFFSET: Refusal =
    Refusal::invalid(Code::InvalidOffset, "offset must be -1, now, or a Stream-Next-Offset as an answer gave it.");
const INVALID_CONSISTENCY: Refusal = Refusal::invalid(
    Code::InvalidQuery,
    "consistency must be local or leader, and leader goes with no live read; leave it out, every read is linearizable.",
);

/// The parameters of a read as they were sent. Any other parameter is ignored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ReadQuery {
    offset: Option<String>,
    live: Option<String>,
    max_bytes: Option<String>,
    cursor: Option<String>,
    timeout_ms: Option<String>,
    consistency: Option<String>,
}

/// How a live read waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Live {
    /// `long-poll`.
    LongPoll {
        /// How long.
        wait: Duration,
        /// The cursor of the answer before.
        cursor: Option<u64>,
    },
    /// `sse`.
    Sse {
        /// The cursor of the connection before.
        cursor: Option<u64>,
    },
    /// Neither: refused, but only once the stream is known to exist where the offset is `now`.
    Other,
}

impl ReadQuery {
    /// Takes the parameters apart. Only `offset` may not be repeated; of the others the last one counts.
    pub(crate) fn parse(query: &str) -> Result<Self, Refusal> {
        let mut parsed = Self::default();
        for (key, value) in form_urlencoded::parse(query.as_bytes()) {
            let slot = match &*key {
                "offset" if parsed.offset.is_some() => return Err(REPEATED),
                "offset" => &mut parsed.offset,
                "live" => &mut parsed.live,
                "cursor" => &mut parsed.cursor,
                "timeout_ms" => &mut parsed.timeout_ms,
                "max_bytes" => &mut parsed.max_bytes,
                "consistency" => &mut parsed.consistency,
                _ => continue,
            };
            *slot = Some(value.into_owned());
        }
        Ok(parsed)
    }

    /// Checks `consistency`. Every read here is linearizable, so both values mean the same.
    pub(crate) fn check_consistency(&self) -> Result<(), Refusal> {
        match (self.consistency.as_deref(), &self.live) {
            (None | Some("local"), _) | (Some("leader"), None) => Ok(()),
            _ => Err(INVALID_CONSISTENCY),
        }
    }

    /// Where the read begins; without `offset`, at the start, unless it is a live read.
    pub(crate) fn from(&self) -> Result<ReadFrom, Refusal> {
        match &self.offset {
            Some(text) => ReadFrom::parse(text).map_err(|_| INVALID_OFFSET),
            None if self.live.is_some() => Err(NO_OFFSET),
            None => Ok(ReadFrom::Start),
        }
    }

    /// How it waits, if it is a live read.
    pub(crate) fn live(&self) -> Option<Live> {
        match self.live.as_deref()? {
            "long-poll" => Some(Live::LongPoll { wait: self.wait(), cursor: self.cursor() }),
            "sse" => Some(Live::Sse { cursor: self.cursor() }),
            _ => Some(Live::Other),
        }
    }

    /// The cursor of the answer before. What is no number is none.
    fn cursor(&self) -> Option<u64> {
        self.cursor.as_ref()?.parse().ok()
    }

    /// How long a long-poll waits. What is no number asks for nothing.
    fn wait(&self) -> Duration {
        let asked = self.timeout_ms.as_ref().and_then(|text| text.parse().ok()).map(Duration::from_millis);
        asked.unwrap_or(LONG_POLL_WAIT_DEFAULT).clamp(LONG_POLL_WAIT_MIN, LONG_POLL_WAIT_MAX)
    }

    /// Most bytes to answer with. A value that is no number is no cap of its own.
    pub(crate) fn bytes_max(&self) -> u64 {
        let asked = self.max_bytes.as_ref().and_then(|text| text.parse().ok());
        asked.map_or(READ_BYTES_MAX, |asked: u64| asked.min(READ_BYTES_MAX))
    }
}

#[cfg(test)]
mod tests {
    use wadi_protocol::Offset;

    use super::*;

    #[test]
    fn offsets() {
        let at = |value| Ok(ReadFrom::At(Offset::new(value)));
        for (query, expected) in [
            ("", Ok(ReadFrom::Start)),
            ("offset=-1", Ok(ReadFrom::Start)),
            ("offset=now", Ok(ReadFrom::Now)),
            ("offset=5", at(5)),
            ("offset=00000000000000000005", at(5)),
            ("offset=%2B5", at(5)),
            ("off%73et=5", at(5)),
            ("offset=18446744073709551615", at(u64::MAX)),
            ("offset=+5", Err(INVALID_OFFSET)),
            ("offset=", Err(INVALID_OFFSET)),
            ("offset", Err(INVALID_OFFSET)),
            ("offset=NOW", Err(INVALID_OFFSET)),
            ("offset=-2", Err(INVALID_OFFSET)),
            ("offset=1,2", Err(INVALID_OFFSET)),
            ("offset=18446744073709551616", Err(INVALID_OFFSET)),
            ("offset=%FF", Err(INVALID_OFFSET)),
            ("live=sse", Err(NO_OFFSET)),
            ("live=", Err(NO_OFFSET)),
        ] {
            assert_eq!(ReadQuery::parse(query).unwrap().from(), expected, "{query}");
        }
        for query in ["offset=1&offset=1", "offset=1&x=2&off%73et=3"] {
            assert_eq!(ReadQuery::parse(query), Err(REPEATED), "{query}");
        }
    }

    #[test]
    fn waits_and_cursors_are_never_an_error() {
        let poll = |ms, cursor| Some(Live::LongPoll { wait: Duration::from_millis(ms), cursor });
        for (query, expected) in [
            ("live=long-poll", poll(20_000, None)),
            ("live=long-poll&timeout_ms=0&cursor=7", poll(1, Some(7))),
            ("live=long-poll&timeout_ms=99999999&cursor=-7", poll(60_000, None)),
            ("live=long-poll&timeout_ms=x&cursor=1e30", poll(20_000, None)),
            ("live=long-poll&cursor=10000000000000000000000000000000", poll(20_000, None)),
            ("live=sse&cursor=3", Some(Live::Sse { cursor: Some(3) })),
            ("live=SSE", Some(Live::Other)),
            ("", None),
        ] {
            assert_eq!(ReadQuery::parse(query).unwrap().live(), expected, "{query}");
        }
    }

    #[test]
    fn size_caps_are_never_an_error() {
        for (query, expected) in [
            ("", READ_BYTES_MAX),
            ("max_bytes=0", 0),
            ("max_bytes=7", 7),
            ("max_bytes=3&max_bytes=9", 9),
            ("max_bytes=99999999999", READ_BYTES_MAX),
            ("max_bytes=99999999999999999999999", READ_BYTES_MAX),
            ("max_bytes=x", READ_BYTES_MAX),
            ("max_bytes=", READ_BYTES_MAX),
            ("max_bytes=-1", READ_BYTES_MAX),
        ] {
            assert_eq!(ReadQuery::parse(query).unwrap().bytes_max(), expected, "{query}");
        }
    }

    #[test]
    fn consistency_is_checked_though_every_read_is_linearizable() {
        for (query, fine) in [
            ("", true),
            ("consistency=local", true),
            ("consistency=leader", true),
            ("consistency=local&live=sse", true),
            ("consistency=leader&live=sse", false),
            ("consistency=", false),
            ("consistency=Leader", false),
        ] {
            assert_eq!(ReadQuery::parse(query).unwrap().check_consistency().is_ok(), fine, "{query}");
        }
    }
}
