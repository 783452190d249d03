//! From a response to a streamed answer.

use std::{
    convert::Infallible,
    fmt,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use bytes::Bytes;
use futures::{Stream, ready};
use http::{HeaderMap, HeaderValue, Response, header};
use http_body::Body as _;
use lambda_runtime::{MetadataPrelude, StreamResponse};
use wadi_http::Body;

/// What is done when an answer breaks off whose client could not tell.
pub type Broken = Arc<dyn Fn() + Send + Sync>;

/// A body that never fails: what the runtime makes of a failure it would write into the answer, as bytes.
///
/// A stream of events ends between two events, and a bootstrap that lacks its end is known to lack it. A body with
/// a length cannot end early so, since the platform does not hand the length on: there, [`Broken`] is called.
pub struct AnswerBody {
    body: Option<Body>,
    has_length: bool,
    broken: Broken,
}

impl fmt::Debug for AnswerBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnswerBody").field("body", &self.body).finish_non_exhaustive()
    }
}

/// The answer that a response comes to.
pub(super) fn answer(response: Response<Body>, broken: Broken) -> StreamResponse<AnswerBody> {
    let (parts, body) = response.into_parts();
    let has_length = parts.headers.contains_key(header::CONTENT_LENGTH);
    StreamResponse {
        metadata_prelude: MetadataPrelude {
            status_code: parts.status,
            headers: joined(&parts.headers),
            cookies: vec![],
        },
        stream: AnswerBody { body: Some(body), has_length, broken },
    }
}

/// Headers, each once: what is between Lambda and the client need not hand on a second one. None of ours is one
/// whose values cannot be joined.
fn joined(headers: &HeaderMap) -> HeaderMap {
    let mut joined = HeaderMap::with_capacity(headers.keys_len());
    for name in headers.keys() {
        let values: Vec<&[u8]> = headers.get_all(name).iter().map(HeaderValue::as_bytes).collect();
        if let Ok(value) = HeaderValue::from_bytes(&values.join(&b", "[..])) {
            joined.insert(name, value);
        }
    }
    joined
}

impl Stream for AnswerBody {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            let Some(body) = &mut self.body else { return Poll::Ready(None) };
            match ready!(Pin::new(body).poll_frame(cx)) {
                Some(Ok(frame)) => {
                    if let Some(data) = frame.into_data().ok().filter(|data| !data.is_empty()) {
                        return Poll::Ready(Some(Ok(data)));
                    }
                }
                Some(Err(error)) => {
                    tracing::error!(%error, "an answer broke off");
                    if self.has_length {
                        (self.broken)();
                    }
                    self.body = None;
                }
                None => self.body = None,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        io,
        sync::atomic::{AtomicUsize, Ordering},
    };

    use futures::{StreamExt, stream};

    use super::*;

    /// An answer that breaks off after two bytes: what of it is sent, and how often the connection is broken.
    async fn broken_off(headers: &[(&'static str, &'static str)]) -> (Vec<u8>, usize) {
        let pieces = [Ok(Bytes::from_static(b"ab")), Ok(Bytes::new()), Err(io::Error::other("gone"))];
        let mut response = Response::new(Body::from_stream(stream::iter(pieces)));
        for (name, value) in headers {
            response.headers_mut().append(*name, HeaderValue::from_static(value));
        }
        let count = Arc::new(AtomicUsize::new(0));
        let counted = count.clone();
        let answer = answer(response, Arc::new(move || _ = counted.fetch_add(1, Ordering::Relaxed)));
        let sent: Vec<Result<Bytes, Infallible>> = answer.stream.collect().await;
        let sent = sent.into_iter().map(|piece| match piece {
            Ok(piece) => piece,
            Err(never) => match never {},
        });
        (sent.collect::<Vec<_>>().concat(), count.load(Ordering::Relaxed))
    }

    #[tokio::test]
    async fn a_failure_is_never_written_into_an_answer() {
        assert_eq!(broken_off(&[]).await, (b"ab".to_vec(), 0));
    }

    #[tokio::test]
    async fn an_answer_with_a_length_that_falls_short_breaks_the_connection() {
        assert_eq!(broken_off(&[("content-length", "3")]).await, (b"ab".to_vec(), 1));
    }

    #[test]
    fn headers_are_joined() {
        let mut headers = HeaderMap::new();
        for (name, value) in [("vary", "origin"), ("vary", "accept"), ("etag", "x")] {
            headers.append(name, HeaderValue::from_static(value));
        }
        let joined = joined(&headers);
        assert_eq!(joined["vary"], "origin, accept");
        assert_eq!((joined.len(), &joined["etag"]), (2, &HeaderValue::from_static("x")));
    }
}
