//! `PUT` of retention: the earliest offset that a stream is served from.

use axum::response::Response;
use wadi_protocol::{Answer, Refusal};

use super::call::Call;
use crate::{
    answer::{Caching, respond_empty},
    request::retention_request,
};

/// Lets go of a stream's beginning. A body is not looked at.
pub(crate) async fn retain(call: &Call, offset: &str) -> Result<Response, Refusal> {
    let request = retention_request(&call.parts.headers, offset)?;
    let retained = call.shell.engine.retain(call.key()?, request).await?;
    Ok(respond_empty(Answer::from(&retained), Caching::NoStore))
}
