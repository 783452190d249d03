//! Conditional headers. One that cannot be honoured is refused: ignoring it would turn a conditional
//! request into an unconditional one.

use http::{
    HeaderMap, HeaderName,
    header::{IF_MATCH, IF_NONE_MATCH},
};
use wadi_protocol::{Code, DeleteRequest, IfMatch, IfNoneMatch, Refusal};

use super::read::incarnation;

const NO_IF_MATCH: Refusal = Refusal::invalid(
    Code::Unsupported,
    "If-Match is for appends, closes and deletes; to pin a life of the stream send Stream-Incarnation.",
);
const NO_IF_NONE_MATCH: Refusal = Refusal::invalid(
    Code::Unsupported,
    "If-None-Match is for reads, and as * for creates; for this request send If-Match.",
);
const ONLY_ANY: Refusal =
    Refusal::invalid(Code::Unsupported, "On a create If-None-Match takes only *: create, and refuse if it exists.");
const NO_RECORD_MATCH: Refusal =
    Refusal::invalid(Code::Unsupported, "Stream-Record-Match is not supported; send If-Match with the stream's ETag.");

const NO_FORK: Refusal = Refusal::invalid(
    Code::Unsupported,
    "Forks are not served yet; create the stream without Stream-Fork headers, and copy what it should begin with.",
);

const NO_SNAPSHOT_CONDITION: Refusal = Refusal::invalid(
    Code::Unsupported,
    "Snapshots and retention take no condition on tags: their offsets only go on. Send Stream-Incarnation.",
);

/// The condition of a write: `If-Match`, if it was sent.
pub(crate) fn if_match(headers: &HeaderMap) -> Option<IfMatch> {
    headers.contains_key(IF_MATCH).then(|| IfMatch::parse(&lines(headers, &IF_MATCH)))
}

/// The condition of a read: `If-None-Match`, if it was sent.
pub(crate) fn if_none_match(headers: &HeaderMap) -> Option<IfNoneMatch> {
    headers.contains_key(IF_NONE_MATCH).then(|| IfNoneMatch::parse(&lines(headers, &IF_NONE_MATCH)))
}

/// `If-None-Match: *` of a create. Any other condition on tags is refused.
pub(crate) fn only_if_missing(headers: &HeaderMap) -> Result<bool, Refusal> {
    no_if_match(headers)?;
    match if_none_match(headers) {
        None => Ok(false),
        Some(IfNoneMatch::Any) => Ok(true),
        Some(IfNoneMatch::Tags(_)) => Err(ONLY_ANY),
    }
}

/// Refuses a request with an `If-Match` that it would not honour.
pub(crate) fn no_if_match(headers: &HeaderMap) -> Result<(), Refusal> {
    if headers.contains_key(IF_MATCH) { Err(NO_IF_MATCH) } else { Ok(()) }
}

/// Refuses a request with an `If-None-Match` that it would not honour.
pub(crate) fn no_if_none_match(headers: &HeaderMap) -> Result<(), Refusal> {
    if headers.contains_key(IF_NONE_MATCH) { Err(NO_IF_NONE_MATCH) } else { Ok(()) }
}

/// Refuses a condition of another protocol version.
pub(crate) fn no_record_match(headers: &HeaderMap) -> Result<(), Refusal> {
    if headers.contains_key("stream-record-match") { Err(NO_RECORD_MATCH) } else { Ok(()) }
}

/// Refuses a create that asks for a fork, on the mount whose protocol has forks: a stream without the
/// bytes asked for must not be taken for one.
pub(crate) fn no_fork(headers: &HeaderMap) -> Result<(), Refusal> {
    let asked = ["stream-forked-from", "stream-fork-offset", "stream-fork-sub-offset"];
    if asked.iter().any(|name| headers.contains_key(*name)) { Err(NO_FORK) } else { Ok(()) }
}

/// Refuses a publish, or retention, with a condition. Its offset is all the condition there is.
pub(crate) fn no_snapshot_condition(headers: &HeaderMap) -> Result<(), Refusal> {
    let asked = ["stream-snapshot-match", "if-match", "if-none-match"];
    if asked.iter().any(|name| headers.contains_key(*name)) { Err(NO_SNAPSHOT_CONDITION) } else { Ok(()) }
}

/// A delete: its conditions are all it has.
pub(crate) fn delete_request(headers: &HeaderMap) -> Result<DeleteRequest, Refusal> {
    no_if_none_match(headers)?;
    Ok(DeleteRequest { incarnation: incarnation(headers)?, if_match: if_match(headers) })
}

/// The lines of a list. One that is not text stays in it, as a member that matches nothing.
fn lines<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Vec<&'h str> {
    headers.get_all(name).iter().map(|value| value.to_str().unwrap_or("?")).collect()
}
