//! What is logged of a request: method, path, status and duration. Never a body, a query or a
//! header, which may hold credentials.

use std::time::Duration;

use axum::response::Response;
use http::Request;
use tower_http::trace::{HttpMakeClassifier, MakeSpan, OnResponse, TraceLayer};
use tracing::Span;

use crate::limits::PATH_LOGGED_BYTES_MAX;

pub(crate) type RequestTrace = TraceLayer<HttpMakeClassifier, RequestSpan, (), LogAnswer, (), (), ()>;

/// One span for each request, and one event when its answer is ready.
pub(crate) fn layer() -> RequestTrace {
    TraceLayer::new_for_http()
        .make_span_with(RequestSpan)
        .on_response(LogAnswer)
        .on_request(())
        .on_body_chunk(())
        .on_eos(())
        .on_failure(())
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct RequestSpan;

impl<B> MakeSpan<B> for RequestSpan {
    fn make_span(&mut self, request: &Request<B>) -> Span {
        let path = request.uri().path();
        let shown = path.get(..PATH_LOGGED_BYTES_MAX).unwrap_or(path);
        tracing::info_span!("request", method = %request.method(), path = shown)
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct LogAnswer;

impl OnResponse<axum::body::Body> for LogAnswer {
    fn on_response(self, response: &Response, latency: Duration, _: &Span) {
        let status = response.status().as_u16();
        let milliseconds = u64::try_from(latency.as_millis()).unwrap_or(u64::MAX);
        if response.status().is_server_error() {
            tracing::warn!(status, milliseconds, "answered");
        } else {
            // Not by default: writing a line takes longer than many an answer.
            tracing::debug!(status, milliseconds, "answered");
        }
    }
}
