//! The URL of an immutable resource.

use http::Uri;
use wadi_protocol::{Code, Immutable, Refusal};

const QUERY: Refusal =
    Refusal::invalid(Code::QueryNotAccepted, "An immutable resource takes no query; ask without ? and what follows.");
const MALFORMED: Refusal = Refusal::invalid(
    Code::InvalidResource,
    "An immutable resource is named by a token as Stream-Incarnation gave it and an offset of exactly 20 digits.",
);

/// The resource that a URL names, by the two segments of its path. Even an empty query is refused:
/// it would be a second URL of the same resource.
pub(crate) fn immutable(uri: &Uri, token: &str, offset: &str) -> Result<Immutable, Refusal> {
    if uri.query().is_some() {
        return Err(QUERY);
    }
    Immutable::parse(token, offset).map_err(|_| MALFORMED)
}
