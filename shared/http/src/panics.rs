//! A panic while a request is served is a fault of this request alone.

use std::any::Any;

use axum::response::Response;
use wadi_protocol::{Code, Refusal};

use crate::answer::refuse;

const INTERNAL: Refusal = Refusal::invalid(
    Code::Internal,
    "A fault of the service. Whether a write applied is unknown; one with producer headers can be sent again.",
);

/// The answer to a request whose handler panicked. What it panicked with stays in the log.
#[expect(clippy::needless_pass_by_value, reason = "the signature that the layer asks for")]
pub(crate) fn internal(payload: Box<dyn Any + Send + 'static>) -> Response {
    let text = payload.downcast_ref::<&str>().copied().or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    tracing::error!(reason = text.unwrap_or("unknown"), "a request's handler panicked");
    refuse(&INTERNAL)
}
