//! The resources below a stream.

use axum::response::Response;
use wadi_protocol::{Answer, Code, Refusal, Resource};

use super::{bootstrap, call::Call, chunk::chunk, parts, retention, snapshot};
use crate::{
    answer::{Caching, respond_empty},
    body::Incoming,
    request::{discard_request, immutable, immutable_snapshot_request, snapshot_request, stage_request},
};

const NOT_SERVED: Refusal = Refusal::invalid(Code::NotFound, "No such URL.");
const WRONG_METHOD: Refusal =
    Refusal::invalid(Code::MethodNotAllowed, "This URL serves other methods; the header Allow names them.");

/// Serves one request at a resource below a stream.
pub(super) async fn operate(call: &Call, body: Incoming) -> Result<Response, Refusal> {
    let served = methods(&call.resource).ok_or(NOT_SERVED)?;
    let method = call.parts.method.as_str();
    if !served.split(", ").any(|one| one == method) {
        return Ok(respond_empty(Answer::from(&WRONG_METHOD).with("allow", served), Caching::NoStore));
    }
    let (uri, headers) = (&call.parts.uri, &call.parts.headers);
    match (&call.resource, method) {
        (_, "OPTIONS") => Ok(respond_empty(Answer::new(204).with("allow", served), Caching::NoStore)),
        (Resource::Chunk { token, offset }, _) => chunk(call, immutable(uri, token, offset)?).await,
        (Resource::ImmutableSnapshot { token, offset }, _) => {
            let request = immutable_snapshot_request(headers, immutable(uri, token, offset)?)?;
            snapshot::read(call, &request, true).await
        }
        (Resource::Bootstrap, _) => bootstrap::bootstrap(call).await,
        (Resource::Retention { offset }, _) => retention::retain(call, offset).await,
        (Resource::Snapshot { offset }, "PUT") => snapshot::publish(call, body, offset).await,
        (Resource::SnapshotParts { offset }, _) => parts::stage(call, body, stage_request(headers, offset)?).await,
        (Resource::StagedParts, _) => parts::discard(call, discard_request(headers)?).await,
        (Resource::Snapshot { offset }, _) => {
            snapshot::read(call, &snapshot_request(uri, headers, offset)?, false).await
        }
        (Resource::Stream, _) => Err(NOT_SERVED),
    }
}

/// Whether a resource takes a `PUT`.
pub(super) fn takes_put(resource: &Resource) -> bool {
    methods(resource).is_some_and(|served| served.contains("PUT"))
}

/// The methods that a resource serves; `None` for the stream itself.
fn methods(resource: &Resource) -> Option<&'static str> {
    match resource {
        Resource::Bootstrap | Resource::Chunk { .. } | Resource::ImmutableSnapshot { .. } => Some("GET, HEAD, OPTIONS"),
        Resource::Retention { .. } => Some("PUT, OPTIONS"),
        Resource::Snapshot { .. } => Some("GET, HEAD, PUT, OPTIONS"),
        Resource::SnapshotParts { .. } => Some("POST, OPTIONS"),
        Resource::StagedParts => Some("DELETE, OPTIONS"),
        Resource::Stream => None,
    }
}
