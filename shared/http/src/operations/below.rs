//! The resources below a stream, at the hosted mount.

use axum::response::Response;
use wadi_protocol::{Answer, Code, Immutable, Refusal, Resource};

use super::{call::Call, chunk::chunk};
use crate::{
    answer::{Caching, respond_empty},
    request::immutable,
};

const NOT_SERVED: Refusal = Refusal::invalid(Code::NotFound, "No such URL.");
const WRONG_METHOD: Refusal =
    Refusal::invalid(Code::MethodNotAllowed, "This URL serves other methods; the header Allow names them.");

/// Serves one request at a resource below a stream.
pub(super) async fn operate(call: &Call) -> Result<Response, Refusal> {
    let served = methods(&call.resource).ok_or(NOT_SERVED)?;
    let method = call.parts.method.as_str();
    if !served.split(", ").any(|one| one == method) {
        return Ok(respond_empty(Answer::from(&WRONG_METHOD).with("allow", served), Caching::NoStore));
    }
    match (&call.resource, method) {
        (_, "OPTIONS") => Ok(respond_empty(Answer::new(204).with("allow", served), Caching::NoStore)),
        (Resource::Chunk { token, offset }, _) => chunk(call, immutable(&call.parts.uri, token, offset)?).await,
        (Resource::ImmutableSnapshot { token, offset }, _) => not_kept(immutable(&call.parts.uri, token, offset)?),
        _ => Err(NOT_SERVED),
    }
}

/// The methods that a resource serves; `None` where it is not served yet.
fn methods(resource: &Resource) -> Option<&'static str> {
    match resource {
        Resource::Chunk { .. } | Resource::ImmutableSnapshot { .. } => Some("GET, HEAD, OPTIONS"),
        _ => None,
    }
}

/// Snapshots are named, but none is kept yet.
const fn not_kept(_: Immutable) -> Result<Response, Refusal> {
    Err(NOT_SERVED)
}
