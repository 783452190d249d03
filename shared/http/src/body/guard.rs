//! A body that is never left half-read: what of it is unread when it is dropped is drained, so that
//! an answer given early can be read by the client.

use std::{
    pin::Pin,
    task::{Context, Poll},
};

use axum::{
    body::{Body, HttpBody},
    extract::Request,
};
use bytes::Bytes;
use http::{HeaderMap, header};
use http_body::{Frame, SizeHint};

use super::Drains;

/// Guards the body of a request, whatever becomes of the request.
pub(crate) fn guard(drains: &Drains, request: Request) -> Request {
    let held_back = expects_continue(request.headers());
    request.map(|body| Body::new(Guarded { body: Some(body), held_back, drains: drains.clone() }))
}

/// Nothing is drained of a body that the client holds back until it is asked for
/// (`Expect: 100-continue`) and that nobody asked for.
#[derive(Debug)]
struct Guarded {
    /// Gone once it has ended or broken off.
    body: Option<Body>,
    held_back: bool,
    drains: Drains,
}

impl HttpBody for Guarded {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        self.held_back = false;
        let Some(body) = &mut self.body else { return Poll::Ready(None) };
        let polled = Pin::new(body).poll_frame(cx);
        if matches!(polled, Poll::Ready(None | Some(Err(_)))) {
            self.body = None;
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(HttpBody::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.body.as_ref().map_or_else(|| SizeHint::with_exact(0), HttpBody::size_hint)
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        let unread = self.body.take().filter(|body| !self.held_back && !body.is_end_stream());
        if let Some(body) = unread {
            self.drains.start(body);
        }
    }
}

fn expects_continue(headers: &HeaderMap) -> bool {
    headers.get(header::EXPECT).is_some_and(|value| value.as_bytes().eq_ignore_ascii_case(b"100-continue"))
}
