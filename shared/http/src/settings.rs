//! What a deployment may choose.

use std::time::Duration;

use http::HeaderValue;
use thiserror::Error;
use wadi_protocol::limits::{BOOTSTRAP_BYTES_MAX, REQUEST_BYTES_MAX};

use crate::{
    PublicBase, ReadOrigin,
    limits::{BODIES_IN_FLIGHT_BYTES_MAX, LIVE_READS_MAX, LONG_POLL_WAIT_MAX, SSE_LIFETIME},
};

/// The settings of the HTTP shell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Whether streams are created and deleted at their hosted URLs.
    pub lifecycle: Lifecycle,
    /// Largest request body in bytes. Enforced, and told on HEAD and with every 413. More than
    /// [`REQUEST_BYTES_MAX`] is taken for that: what is stored is made for it.
    pub request_bytes_max: u64,
    /// Bytes of request bodies held at once. A body beyond it is refused as busy.
    pub bodies_in_flight_bytes_max: u64,
    /// Live reads open at once; a further one is refused.
    pub live_reads_max: usize,
    /// How long a stream of events stays open; up to a tenth less, by chance.
    pub sse_lifetime: Duration,
    /// The longest that a long-poll waits, whatever it asks for.
    pub long_poll_wait_max: Duration,
    /// Largest bootstrap, in bytes of the snapshot and of the stream; what is beyond it is left to reads.
    pub bootstrap_bytes_max: u64,
    /// Whether pages of text and JSON are compressed for clients that ask for it. Never without the feature
    /// `compression`.
    pub compression: bool,
    /// Whether every answer tells what its request asked of the store. Only what goes through a
    /// [`wadi_store::MeteredStore`] is known.
    pub server_timing: bool,
    /// Web pages that may read answers.
    pub allowed_origins: AllowedOrigins,
    /// Where the service is reached from outside; else each request's own `Host` is taken for it.
    pub public_base: Option<PublicBase>,
    /// Where immutable URLs can be read, too. Told on HEAD of the streams that it serves.
    pub read_origin: Option<ReadOrigin>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            lifecycle: Lifecycle::Managed,
            request_bytes_max: REQUEST_BYTES_MAX,
            bodies_in_flight_bytes_max: BODIES_IN_FLIGHT_BYTES_MAX,
            live_reads_max: LIVE_READS_MAX,
            sse_lifetime: SSE_LIFETIME,
            long_poll_wait_max: LONG_POLL_WAIT_MAX,
            bootstrap_bytes_max: BOOTSTRAP_BYTES_MAX,
            compression: true,
            server_timing: false,
            allowed_origins: AllowedOrigins::Any,
            public_base: None,
            read_origin: None,
        }
    }
}

impl Settings {
    /// These, within the limits of the contract and of what was built.
    pub(crate) fn bounded(self) -> Self {
        let request_bytes_max = self.request_bytes_max.min(REQUEST_BYTES_MAX);
        Self { request_bytes_max, compression: self.compression && cfg!(feature = "compression"), ..self }
    }
}

/// Whether `PUT` and `DELETE` at `/ds/{account}/{stream}` create and delete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lifecycle {
    /// They are refused: streams are made and ended elsewhere.
    Managed,
    /// They create and delete.
    Open,
}

/// The origins whose web pages may read answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AllowedOrigins {
    /// Every one (`*`), always without credentials.
    Any,
    /// These, compared byte for byte. `null` only if it is listed.
    Listed(Vec<HeaderValue>),
}

/// A list of origins that is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("allowed origins must be `*` or a comma-separated list such as `https://app.example`, without paths")]
pub struct InvalidOrigins;

impl AllowedOrigins {
    /// `*`, or origins with commas between them. An empty text allows none.
    pub fn parse(text: &str) -> Result<Self, InvalidOrigins> {
        let text = text.trim();
        if text == "*" {
            return Ok(Self::Any);
        }
        let pieces = text.split(',').map(str::trim).filter(|piece| !piece.is_empty());
        pieces.map(parse_origin).collect::<Result<_, _>>().map(Self::Listed)
    }
}

fn parse_origin(text: &str) -> Result<HeaderValue, InvalidOrigins> {
    let host = text.split_once("://").filter(|(scheme, _)| !scheme.is_empty()).map(|(_, host)| host);
    let is_origin = text == "null" || host.is_some_and(|host| !host.is_empty() && !host.contains(['/', '?', '#', '*']));
    if is_origin && text.bytes().all(|byte| byte.is_ascii_graphic()) {
        HeaderValue::from_str(text).map_err(|_| InvalidOrigins)
    } else {
        Err(InvalidOrigins)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_deployment_takes_larger_bodies_than_the_contract_has_room_for() {
        for (asked, bounded) in [(1, 1), (REQUEST_BYTES_MAX, REQUEST_BYTES_MAX), (u64::MAX, REQUEST_BYTES_MAX)] {
            let settings = Settings { request_bytes_max: asked, ..Settings::default() };
            assert_eq!(settings.bounded().request_bytes_max, bounded);
        }
    }

    #[test]
    fn origins_are_a_star_or_a_list() {
        let listed = |texts: &[&'static str]| {
            Ok(AllowedOrigins::Listed(texts.iter().map(|text| HeaderValue::from_static(text)).collect()))
        };
        for (text, expected) in [
            ("*", Ok(AllowedOrigins::Any)),
            (" * ", Ok(AllowedOrigins::Any)),
            ("", listed(&[])),
            ("null", listed(&["null"])),
            ("https://a.example", listed(&["https://a.example"])),
            ("https://a.example, http://localhost:3000,", listed(&["https://a.example", "http://localhost:3000"])),
            ("https://a.example/", Err(InvalidOrigins)),
            ("a.example", Err(InvalidOrigins)),
            ("https://*.example", Err(InvalidOrigins)),
            ("https://", Err(InvalidOrigins)),
            ("://a", Err(InvalidOrigins)),
            ("https://a.example https://b.example", Err(InvalidOrigins)),
        ] {
            assert_eq!(AllowedOrigins::parse(text), expected, "{text:?}");
        }
    }
}
