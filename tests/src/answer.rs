//! What the server answered, as a client has to understand it.

use bytes::Bytes;
use reqwest::{StatusCode, header::HeaderMap};
use serde_json::Value;

/// Codes of 503 answers that prove the write did not apply.
const NOT_APPLIED: [&str; 3] = ["STORE_UNAVAILABLE", "STORE_UNFIT", "STREAM_BUSY"];

/// An HTTP answer, whole.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Its status.
    pub status: StatusCode,
    /// Its headers.
    pub headers: HeaderMap,
    /// Its body.
    pub body: Bytes,
}

/// No answer arrived: what became of the request is unknown.
#[derive(Clone, Debug)]
pub struct Lost(pub String);

/// What came of an append.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Append {
    /// It is in the stream, which goes on at this offset.
    Applied {
        /// `Stream-Next-Offset` of the answer.
        next_offset: String,
    },
    /// A keyed append that was in the stream already.
    Repeat {
        /// `Stream-Next-Offset` of the answer, where it has one.
        next_offset: Option<String>,
    },
    /// A keyed append whose predecessor is missing.
    Gap {
        /// The sequence number the server expects.
        expected: u64,
    },
    /// A keyed append of an epoch that has been superseded.
    Stale {
        /// The producer's current epoch.
        epoch: u64,
    },
    /// The stream is closed.
    Closed,
    /// The answer proves that it did not apply; it may be sent again.
    NotApplied(String),
    /// No answer, or one that leaves it open whether it applied.
    Unknown(String),
    /// An answer that no append of these tests should get.
    Wrong(String),
}

impl Answer {
    /// A header's value, if there is one in plain text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// A header's value as a number.
    pub fn number(&self, name: &str) -> Option<u64> {
        self.header(name)?.parse().ok()
    }

    /// True where the header is there and says `true`.
    pub fn flag(&self, name: &str) -> bool {
        self.header(name).is_some_and(|value| value.eq_ignore_ascii_case("true"))
    }

    /// The code of an error answer.
    pub fn error_code(&self) -> Option<String> {
        let body: Value = serde_json::from_slice(&self.body).ok()?;
        Some(body["error"]["code"].as_str()?.to_owned())
    }

    /// `Stream-Next-Offset`, which the answer must have.
    pub fn next_offset(&self) -> String {
        self.header("stream-next-offset").unwrap_or_else(|| panic!("no Stream-Next-Offset in {self}")).to_owned()
    }

    /// Panics unless the status is the one expected.
    #[must_use]
    pub fn expect_status(self, status: u16) -> Self {
        assert_eq!(self.status.as_u16(), status, "instead: {self}");
        self
    }

    /// Reads the answer to an append; `keyed` says whether it had producer headers.
    pub fn to_append(&self, keyed: bool) -> Append {
        match (self.status.as_u16(), keyed) {
            (204, false) | (200, true) => Append::Applied { next_offset: self.next_offset() },
            (204, true) => Append::Repeat { next_offset: self.header("stream-next-offset").map(str::to_owned) },
            (403, true) => self.number("producer-epoch").map_or_else(|| self.wrong(), |epoch| Append::Stale { epoch }),
            (409, _) => self.to_conflict(),
            (503, _) if self.proves_not_applied() => Append::NotApplied(self.to_string()),
            (500.., _) => Append::Unknown(self.to_string()),
            _ => self.wrong(),
        }
    }

    fn to_conflict(&self) -> Append {
        match self.number("producer-expected-seq") {
            Some(expected) => Append::Gap { expected },
            None if self.flag("stream-closed") => Append::Closed,
            None => self.wrong(),
        }
    }

    fn wrong(&self) -> Append {
        Append::Wrong(self.to_string())
    }

    fn proves_not_applied(&self) -> bool {
        self.error_code().is_some_and(|code| NOT_APPLIED.contains(&code.as_str()))
    }
}

impl std::fmt::Display for Answer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let body = String::from_utf8_lossy(&self.body);
        let shown: String = body.chars().take(300).collect();
        write!(f, "{} {:?} {shown}", self.status, self.headers)
    }
}

#[cfg(test)]
mod tests {
    use super::{Answer, Append};
    use bytes::Bytes;
    use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

    fn answer(status: u16, headers: &[(&'static str, &'static str)], body: &'static str) -> Answer {
        let headers: HeaderMap = headers
            .iter()
            .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)))
            .collect();
        Answer { status: status.try_into().expect("a status"), headers, body: Bytes::from_static(body.as_bytes()) }
    }

    #[test]
    fn success_means_another_thing_with_a_key() {
        let applied = Append::Applied { next_offset: "7".to_owned() };
        assert_eq!(answer(204, &[("stream-next-offset", "7")], "").to_append(false), applied);
        assert_eq!(answer(200, &[("stream-next-offset", "7")], "").to_append(true), applied);
        assert_eq!(answer(204, &[], "").to_append(true), Append::Repeat { next_offset: None });
    }

    #[test]
    fn conflicts_are_told_apart() {
        assert_eq!(answer(409, &[("producer-expected-seq", "3")], "").to_append(true), Append::Gap { expected: 3 });
        assert_eq!(answer(403, &[("producer-epoch", "2")], "").to_append(true), Append::Stale { epoch: 2 });
        assert_eq!(answer(409, &[("stream-closed", "true")], "").to_append(false), Append::Closed);
    }

    #[test]
    fn only_some_failures_prove_that_nothing_happened() {
        let busy = answer(503, &[], r#"{"error":{"code":"STREAM_BUSY","message":"later"}}"#);
        assert!(matches!(busy.to_append(false), Append::NotApplied(_)));
        let unknown = answer(503, &[], r#"{"error":{"code":"OUTCOME_UNKNOWN","message":"?"}}"#);
        assert!(matches!(unknown.to_append(false), Append::Unknown(_)));
        assert!(matches!(answer(502, &[], "").to_append(true), Append::Unknown(_)));
        assert!(matches!(answer(400, &[], "").to_append(true), Append::Wrong(_)));
    }
}
