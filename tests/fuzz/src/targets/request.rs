//! Whole requests to a service.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Request, StatusCode};
use http_body_util::{BodyExt, Full, Limited};
use tower::ServiceExt;
use wadi_http::{Lifecycle, Router, Settings, app};
use wadi_protocol::Timestamp;
use wadi_store::MemoryStore;
use wadi_stream::{Engine, Fitness, TokioRuntime};

/// The streams that there are.
const STREAMS: [(&str, &str, &str); 2] =
    [("/v1/stream/t", "text/plain", "hello world"), ("/v1/stream/j", "application/json", "[1,{\"a\":2}]")];

/// More than any answer to such small requests.
const ANSWER_BYTES_MAX: usize = 64 * 1024;

/// A request as text: its line, header lines, an empty line, the body. It is answered, as the contract
/// has it, and a refusal leaves the streams as they were.
pub fn request(data: &[u8]) {
    let Some(request) = parse(data) else { return };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let service = service();
        for (path, content_type, body) in STREAMS {
            let create = Request::put(path).header("content-type", content_type);
            let made = answer(&service, create.body(Full::from(body)).expect("a request")).await;
            assert_eq!(made.0, StatusCode::CREATED);
        }
        let before = heads(&service).await;
        let head = request.method() == http::Method::HEAD;
        let (status, headers, body) = answer(&service, request).await;
        check(status, &headers, &body, head);
        if status.is_client_error() {
            assert_eq!(heads(&service).await, before, "a refused request changed something");
        }
    });
}

fn service() -> Router {
    let store = MemoryStore::new(Arc::new(|| Timestamp::from_millis(1_800_000_000_000)));
    let engine = Engine::new(Arc::new(store), Arc::new(TokioRuntime::default()), Fitness::Proved);
    let settings = Settings {
        lifecycle: Lifecycle::Open,
        long_poll_wait_max: Duration::from_millis(1),
        sse_lifetime: Duration::from_millis(1),
        ..Settings::default()
    };
    app(engine, settings)
}

fn parse(data: &[u8]) -> Option<Request<Full<Bytes>>> {
    let (head, body) = match data.windows(2).position(|pair| pair == b"\n\n") {
        Some(at) => (&data[..at], &data[at + 2..]),
        None => (data, &[][..]),
    };
    let mut lines = head.split(|byte| *byte == b'\n');
    let (method, target) = std::str::from_utf8(lines.next()?).ok()?.split_once(' ')?;
    let mut request = Request::builder().method(method).uri(target);
    for line in lines {
        let at = line.iter().position(|byte| *byte == b':')?;
        let name = HeaderName::from_bytes(&line[..at]).ok()?;
        request = request.header(name, HeaderValue::from_bytes(line[at + 1..].trim_ascii()).ok()?);
    }
    request.body(Full::from(Bytes::copy_from_slice(body))).ok()
}

async fn answer(service: &Router, request: Request<Full<Bytes>>) -> (StatusCode, HeaderMap, Bytes) {
    let Ok(response) = service.clone().oneshot(request).await;
    let (parts, body) = response.into_parts();
    let body = Limited::new(body, ANSWER_BYTES_MAX).collect().await.expect("an answer of bounded size").to_bytes();
    (parts.status, parts.headers, body)
}

/// What HEAD tells of the streams.
async fn heads(service: &Router) -> Vec<(StatusCode, HeaderMap)> {
    let mut heads = Vec::new();
    for (path, ..) in STREAMS {
        let (status, headers, _) = answer(service, Request::head(path).body(Full::default()).expect("a request")).await;
        heads.push((status, headers));
    }
    heads
}

fn check(status: StatusCode, headers: &HeaderMap, body: &Bytes, head: bool) {
    assert_ne!(status, StatusCode::INTERNAL_SERVER_ERROR, "{body:?}");
    assert!(headers.contains_key("cache-control") && headers.contains_key("x-content-type-options"));
    if status.as_u16() >= 400 && !head {
        let error: serde_json::Value = serde_json::from_slice(body).expect("an error is JSON");
        assert!(error["error"]["code"].is_string() && error["error"]["message"].is_string(), "{error}");
    }
    if matches!(status.as_u16(), 204 | 304) || head {
        assert!(body.is_empty());
    }
}
