//! Answers: whole, made up, halved, and silent ones.

use std::time::Duration;

use bytes::Bytes;
use futures::{StreamExt, stream};
use http_body_util::{BodyExt, Full, StreamBody, combinators::BoxBody};
use hyper::{Response, body::Frame, header};

use super::serve::Broken;

/// A body, which may break off.
pub(super) type Body = BoxBody<Bytes, Broken>;

/// Time for the first half to leave before the connection ends.
const HALF_LEAVES: Duration = Duration::from_millis(20);

/// What is announced and half sent in place of an empty body.
const FILLER: &[u8] = b"nothing at all";

pub(super) fn whole(answer: Response<Bytes>) -> Response<Body> {
    answer.map(|bytes| Full::new(bytes).map_err(|never| match never {}).boxed())
}

/// An error of S3.
pub(super) fn error(status: u16, code: &str) -> Response<Body> {
    let text = format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?><Error><Code>{code}</Code><Message/></Error>");
    let mut answer = Response::new(Bytes::from(text));
    *answer.status_mut() = status.try_into().expect("a status");
    answer.headers_mut().insert(header::CONTENT_TYPE, header::HeaderValue::from_static("application/xml"));
    whole(answer)
}

/// Half of it, and then the end of the connection.
pub(super) fn half(answer: Response<Bytes>) -> Response<Body> {
    let end = stream::once(async {
        tokio::time::sleep(HALF_LEAVES).await;
        Err(Broken)
    });
    first_half(answer, end)
}

/// Half of it, and then nothing.
pub(super) fn stalled(answer: Response<Bytes>) -> Response<Body> {
    first_half(answer, stream::pending())
}

fn first_half(
    answer: Response<Bytes>,
    rest: impl stream::Stream<Item = Result<Frame<Bytes>, Broken>> + Send + Sync + 'static,
) -> Response<Body> {
    let (mut parts, mut bytes) = answer.into_parts();
    if bytes.is_empty() {
        bytes = Bytes::from_static(FILLER);
    }
    parts.headers.insert(header::CONTENT_LENGTH, bytes.len().into());
    let half = bytes.slice(..bytes.len() / 2);
    let frames = stream::iter([Ok(Frame::data(half))]).chain(rest);
    Response::from_parts(parts, BodyExt::boxed(StreamBody::new(frames)))
}
