//! The grammar of the typed request headers, one line each, and how a header is taken out of a request.

use http::{HeaderMap, HeaderValue};
use wadi_protocol::{Code, Refusal, name};

/// The rule of a header that may be sent once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rule {
    name: &'static str,
    code: Code,
    malformed: &'static str,
    repeated: &'static str,
}

macro_rules! rule {
    ($name:expr, $shown:literal, $code:ident, $grammar:literal) => {
        Rule {
            name: $name,
            code: Code::$code,
            malformed: concat!($shown, " must be ", $grammar, "."),
            repeated: concat!($shown, " was sent more than once; send it once."),
        }
    };
}

pub(crate) const CONTENT_TYPE: Rule =
    rule!(name::CONTENT_TYPE, "Content-Type", InvalidHeader, "a media type of the form type/subtype");
pub(crate) const RANGE: Rule = rule!("range", "Range", InvalidHeader, "one range of bytes");
pub(crate) const STREAM_CLOSED: Rule = rule!(name::STREAM_CLOSED, "Stream-Closed", InvalidHeader, "true");
pub(crate) const STREAM_EXPIRES_AT: Rule = rule!(
    name::STREAM_EXPIRES_AT,
    "Stream-Expires-At",
    InvalidHeader,
    "an RFC 3339 date and time such as 2030-01-31T12:00:00Z, not before 1970"
);
pub(crate) const STREAM_INCARNATION: Rule = rule!(
    name::STREAM_INCARNATION,
    "Stream-Incarnation",
    InvalidHeader,
    "a number from 1 to 9007199254740991 without sign or leading zeros, as an answer gave it"
);
pub(crate) const STREAM_SEQ: Rule =
    rule!(name::STREAM_SEQ, "Stream-Seq", InvalidHeader, "at most 256 bytes of visible ASCII");
pub(crate) const SNAPSHOT_PARTS: Rule =
    rule!(name::STREAM_SNAPSHOT_PARTS, "Stream-Snapshot-Parts", InvalidPartsCommit, "a count from 1 to 4096");
pub(crate) const SNAPSHOT_DIGEST: Rule = rule!(
    name::STREAM_SNAPSHOT_DIGEST,
    "Stream-Snapshot-Digest",
    InvalidPartsCommit,
    "the digest of the whole snapshot as 64 lower-case hexadecimal digits, sent once"
);
pub(crate) const STREAM_TTL: Rule =
    rule!(name::STREAM_TTL, "Stream-TTL", InvalidHeader, "whole seconds without sign, fraction or leading zeros");
pub(crate) const PRODUCER_ID: Rule =
    rule!(name::PRODUCER_ID, "Producer-Id", InvalidProducer, "1 to 256 bytes of visible ASCII");
pub(crate) const PRODUCER_EPOCH: Rule =
    rule!(name::PRODUCER_EPOCH, "Producer-Epoch", InvalidProducer, "a whole number from 0 to 9007199254740991");
pub(crate) const PRODUCER_SEQ: Rule =
    rule!(name::PRODUCER_SEQ, "Producer-Seq", InvalidProducer, "a whole number from 0 to 9007199254740991");
pub(crate) const PRODUCER_DIGEST: Rule = rule!(
    name::PRODUCER_DIGEST,
    "Producer-Digest",
    InvalidProducer,
    "the BLAKE3-256 hash of the body as 64 lower-case hexadecimal digits"
);

impl Rule {
    /// The one value of the header. Twice is an error, whatever the values are.
    pub(crate) fn value<'h>(&self, headers: &'h HeaderMap) -> Result<Option<&'h HeaderValue>, Refusal> {
        let mut values = headers.get_all(self.name).iter();
        let first = values.next();
        match values.next() {
            Some(_) => Err(Refusal::invalid(Code::InvalidHeader, self.repeated)),
            None => Ok(first),
        }
    }

    /// The one value, parsed, without the blanks around it. A value that is not text is malformed.
    pub(crate) fn parse<T, E>(
        &self,
        headers: &HeaderMap,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<Option<T>, Refusal> {
        let Some(value) = self.value(headers)? else { return Ok(None) };
        let text = value.to_str().map_err(|_| self.malformed())?;
        parse(text.trim_matches([' ', '\t'])).map(Some).map_err(|_| self.malformed())
    }

    /// The refusal of a value that breaks the grammar.
    pub(crate) const fn malformed(&self) -> Refusal {
        Refusal::invalid(self.code, self.malformed)
    }
}

/// `Stream-Closed`: true for `true` in any case. Any other value is as good as none
/// (Durable Streams protocol, section 4.1).
pub(crate) fn stream_closed(headers: &HeaderMap) -> Result<bool, Refusal> {
    let value = STREAM_CLOSED.value(headers)?;
    Ok(value.is_some_and(|value| value.as_bytes().trim_ascii().eq_ignore_ascii_case(b"true")))
}
