//! From a request at one of the mounts to the operation it asks for.

use std::sync::Arc;

use axum::{extract::Request, response::Response};
use http::Method;
use wadi_protocol::{Answer, Code, Refusal, Resource};

use super::{append, below, call::Call, create, delete, head, read};
use crate::{
    answer::{Caching, refuse, respond_empty},
    body::Incoming,
    dialect::Dialect,
    shell::Shell,
};

const METHODS: &str = "GET, HEAD, POST, PUT, DELETE, OPTIONS";
const WRONG_METHOD: Refusal =
    Refusal::invalid(Code::MethodNotAllowed, "A stream's URL serves GET, HEAD, POST, PUT, DELETE and OPTIONS.");
/// Told where a stream's name would be taken for a resource below another stream.
pub(super) const ENDS_LIKE_RESOURCE: Refusal = Refusal::invalid(
    Code::InvalidStreamId,
    "A stream's name cannot end like a resource below a stream, such as /bootstrap; choose another name.",
);

/// Serves one request.
pub(crate) async fn serve(shell: Arc<Shell>, dialect: Dialect, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let body = Incoming::new(body, &parts.headers);
    let answered = match Call::new(shell, dialect, parts) {
        Ok(call) => operate(&call, body).await,
        Err(refusal) => Err(refusal),
    };
    answered.unwrap_or_else(|refusal| refuse(&refusal))
}

async fn operate(call: &Call, body: Incoming) -> Result<Response, Refusal> {
    match (&call.resource, call.dialect) {
        (Resource::Stream, _) => {}
        // A create is told that such a name cannot be had, unless the `PUT` is one that the resource takes.
        (resource, Dialect::Upstream) if call.parts.method == Method::PUT && !below::takes_put(resource) => {
            return Err(ENDS_LIKE_RESOURCE);
        }
        _ => return below::operate(call, body).await,
    }
    match call.parts.method {
        Method::GET => read::read(call).await,
        Method::HEAD => head::head(call).await,
        Method::POST => append::append(call, body).await,
        Method::PUT => create::create(call, body).await,
        Method::DELETE => delete::delete(call).await,
        Method::OPTIONS => Ok(options()),
        _ => Ok(wrong_method()),
    }
}

fn options() -> Response {
    respond_empty(Answer::new(204).with("allow", METHODS), Caching::NoStore)
}

fn wrong_method() -> Response {
    respond_empty(Answer::from(&WRONG_METHOD).with("allow", METHODS), Caching::NoStore)
}
