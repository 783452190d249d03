//! From an [`Answer`] to a response. Every response of the service is made here.

use std::{
    pin::Pin,
    task::{Context, Poll},
};

use axum::{body::Body, response::Response};
use bytes::Bytes;
use http::{HeaderName, HeaderValue, StatusCode, header};
use http_body::Frame;
use wadi_protocol::{Answer, Code, Refusal};

use super::Caching;

const NOSNIFF: HeaderValue = HeaderValue::from_static("nosniff");
const CROSS_ORIGIN: HeaderValue = HeaderValue::from_static("cross-origin");
const JSON: HeaderValue = HeaderValue::from_static("application/json");
const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// The response to a request that was refused, also for those who refuse one before it reaches the router.
pub fn refuse(refusal: &Refusal) -> Response {
    respond_empty(Answer::from(refusal), Caching::NoStore)
}

/// A response without a body, unless the answer is an error, which brings its own.
pub(crate) fn respond_empty(answer: Answer, caching: Caching) -> Response {
    respond(answer, caching, Bytes::new())
}

/// The response that an answer comes to.
pub(crate) fn respond(answer: Answer, caching: Caching, body: Bytes) -> Response {
    respond_streaming(answer, caching, Body::from(body))
}

/// The same, with a body that comes piece by piece.
pub(crate) fn respond_streaming(answer: Answer, caching: Caching, body: Body) -> Response {
    let status = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = Response::new(match &answer.error {
        Some((code, message)) => Body::from(error_body(*code, message)),
        None if has_no_content(status) => no_content(),
        None => body,
    });
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, NOSNIFF);
    headers.insert(RESOURCE_POLICY, CROSS_ORIGIN);
    headers.insert(header::CACHE_CONTROL, caching.header());
    if answer.error.is_some() {
        headers.insert(header::CONTENT_TYPE, JSON);
    }
    for (name, value) in answer.headers {
        if let Ok(value) = HeaderValue::from_str(&value) {
            headers.append(HeaderName::from_static(name), value);
        } else {
            tracing::error!(header = name, "a value that no header may have");
        }
    }
    response
}

/// A body that is absent, not one of zero bytes: no `Content-Length` is made up for it.
pub(crate) fn no_content() -> Body {
    Body::new(NoContent)
}

fn has_no_content(status: StatusCode) -> bool {
    matches!(status, StatusCode::NO_CONTENT | StatusCode::NOT_MODIFIED)
}

/// `{"error":{"code":"..","message":".."}}`, without blanks and without a newline at its end.
pub(crate) fn error_body(code: Code, message: &str) -> String {
    let message = serde_json::Value::from(message);
    format!(r#"{{"error":{{"code":"{}","message":{message}}}}}"#, code.as_str())
}

struct NoContent;

impl http_body::Body for NoContent {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        Poll::Ready(None)
    }

    fn is_end_stream(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_bodies_are_compact_and_escaped() {
        assert_eq!(
            error_body(Code::StreamNotFound, "No such \"stream\"\n."),
            r#"{"error":{"code":"STREAM_NOT_FOUND","message":"No such \"stream\"\n."}}"#
        );
    }
}
