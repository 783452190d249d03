//! A bootstrap.

use http::{HeaderMap, Uri};
use wadi_protocol::{Code, Incarnation, Refusal};

use super::{conditions::no_if_match, read::incarnation};

const NOT_LIVE: Refusal =
    Refusal::invalid(Code::InvalidQuery, "A bootstrap is not live; read on from its Stream-Next-Offset.");

/// The incarnation that a bootstrap names. Checks in the order of the faults: conditions that are not
/// supported, the incarnation, the query.
pub(crate) fn bootstrap_incarnation(uri: &Uri, headers: &HeaderMap) -> Result<Option<Incarnation>, Refusal> {
    no_if_match(headers)?;
    let incarnation = incarnation(headers)?;
    let query = uri.query().unwrap_or_default();
    if form_urlencoded::parse(query.as_bytes()).any(|(key, _)| key == "live") {
        return Err(NOT_LIVE);
    }
    Ok(incarnation)
}
