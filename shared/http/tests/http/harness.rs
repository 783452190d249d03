//! Requests and expected answers as text, so that a table of them can be read.
//!
//! A request is a request line, header lines, an empty line, and the body. An expectation is a
//! status, the code of an error, and lines: `name: value` must be there, `!name` must not.
//! `{s}` stands for the stream's path, `{token}` for its incarnation, `@5` for the offset 5.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use axum::{Router, body::Body};
use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Request, StatusCode};
use http_body_util::BodyExt;
use tower::ServiceExt;
use wadi_http::{Ending, Lifecycle, Settings, app_until};
use wadi_protocol::Timestamp;
use wadi_store::{
    FaultScript, FaultyStore, GetOptions, GetOutcome, MemoryStore, MeteredStore, ObjectKey, ObjectStore, StoredObject,
};
use wadi_stream::{Engine, Fitness};

use crate::runtime::TestRuntime;

/// A service over an empty bucket, with a clock that tests move.
#[derive(Clone)]
pub(crate) struct Service {
    pub(crate) engine: Engine,
    pub(crate) router: Router,
    pub(crate) faults: Arc<FaultScript>,
    pub(crate) ending: Ending,
    pub(crate) bucket: Arc<MemoryStore>,
    clock: Arc<AtomicU64>,
}

/// A whole answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

/// A stream of one test, at one of the mounts.
#[derive(Clone)]
pub(crate) struct Stream<'a> {
    pub(crate) service: &'a Service,
    pub(crate) path: String,
    pub(crate) token: String,
}

pub(crate) fn open_lifecycle() -> Settings {
    Settings { lifecycle: Lifecycle::Open, ..Settings::default() }
}

impl Service {
    /// With streams created and deleted at both mounts.
    pub(crate) fn new() -> Self {
        Self::with(open_lifecycle())
    }

    pub(crate) fn with(settings: Settings) -> Self {
        let clock = Arc::new(AtomicU64::new(1_800_000_000_000));
        let read = Arc::clone(&clock);
        let bucket = MemoryStore::new(Arc::new(move || Timestamp::from_millis(read.load(Ordering::Relaxed))));
        let bucket = Arc::new(bucket);
        let faults = Arc::new(FaultScript::new());
        let store = FaultyStore::new(bucket.clone(), faults.clone());
        let store = MeteredStore::new(Arc::new(store));
        let engine = Engine::new(Arc::new(store), Arc::new(TestRuntime::default()), Fitness::Proved);
        let ending = Ending::default();
        Self { router: app_until(engine.clone(), settings, ending.clone()), engine, faults, ending, bucket, clock }
    }

    /// An object of the bucket.
    pub(crate) async fn object(&self, key: &str) -> StoredObject {
        match self.bucket.get(&ObjectKey::from(key), GetOptions::default()).await.unwrap() {
            GetOutcome::Found(object) => object,
            other => panic!("{key}: {other:?}"),
        }
    }

    pub(crate) fn pass_seconds(&self, seconds: u64) {
        self.clock.fetch_add(seconds * 1000, Ordering::Relaxed);
    }

    /// Sends a request written as text.
    pub(crate) async fn ask(&self, request: &str) -> Reply {
        self.send(parse_request(request)).await
    }

    /// Sends a request, and checks what every answer must be like.
    pub(crate) async fn send(&self, request: Request<Body>) -> Reply {
        let (method, uri) = (request.method().clone(), request.uri().clone());
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        let reply = Reply { status: parts.status, headers: parts.headers, body };
        check_every_answer(&format!("{method} {uri}"), method == http::Method::HEAD, &reply);
        reply
    }

    /// A new stream at a path, with a content type and bytes in it.
    pub(crate) async fn stream(&self, path: &str, content_type: &str, body: &str) -> Stream<'_> {
        let reply = self.ask(&format!("PUT {path}\ncontent-type: {content_type}\n\n{body}")).await;
        assert_eq!(reply.status, 201, "{path}: {reply:?}");
        Stream { service: self, path: path.to_owned(), token: reply.header("stream-incarnation").unwrap().to_owned() }
    }

    /// The same new stream at either mount.
    pub(crate) async fn both(&self, name: &str, content_type: &str, body: &str) -> [Stream<'_>; 2] {
        let hosted = self.stream(&format!("/ds/acct/{name}"), content_type, body).await;
        let upstream = self.stream(&format!("/v1/stream/{name}"), content_type, body).await;
        [hosted, upstream]
    }
}

impl Stream<'_> {
    pub(crate) async fn ask(&self, request: &str) -> Reply {
        self.service.ask(&self.filled(request)).await
    }

    /// Asks, and holds the answer against what is expected.
    pub(crate) async fn expect(&self, request: &str, expected: &str) -> Reply {
        let reply = self.ask(request).await;
        reply.check(request, &self.filled(expected));
        reply
    }

    /// Asks, expects a refusal, and that it changed nothing: neither what HEAD tells nor the bytes.
    pub(crate) async fn refuses(&self, request: &str, expected: &str) {
        let before = (self.ask("HEAD {s}").await, self.ask("GET {s}").await);
        let reply = self.expect(request, expected).await;
        assert!(reply.status.is_client_error(), "{request}: {reply:?}");
        let after = (self.ask("HEAD {s}").await, self.ask("GET {s}").await);
        assert_eq!(before, after, "a refused request changed something: {request}");
    }

    /// Asks, and expects to be turned away for now, with nothing changed.
    pub(crate) async fn refuses_busy(&self, request: &str) {
        let before = self.ask("HEAD {s}").await;
        self.expect(request, "503 STREAM_BUSY\nretry-after: 1").await;
        assert_eq!(before, self.ask("HEAD {s}").await);
    }

    fn filled(&self, text: &str) -> String {
        text.replace("{s}", &self.path).replace("{token}", &self.token)
    }
}

impl Reply {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    /// The code of an error, by its body.
    pub(crate) fn code(&self) -> Option<String> {
        let body: serde_json::Value = serde_json::from_slice(&self.body).ok()?;
        Some(body.get("error")?.get("code")?.as_str()?.to_owned())
    }

    /// Panics unless the answer is as expected.
    pub(crate) fn check(&self, what: &str, expected: &str) {
        let mut lines = expected.lines();
        let mut first = lines.next().unwrap_or_default().split_whitespace();
        assert_eq!(Some(self.status.as_str()), first.next(), "{what}: {self:?}");
        assert_eq!(self.code().as_deref(), first.next(), "{what}: {self:?}");
        for line in lines.map(str::trim) {
            if let Some(name) = line.strip_prefix('!') {
                assert!(!self.headers.contains_key(name), "{what}: {name} in {self:?}");
            } else {
                let (name, value) = line.split_once(':').unwrap_or((line, ""));
                assert_eq!(self.header(name), Some(offset(value.trim()).as_str()), "{what}: {name} in {self:?}");
            }
        }
    }
}

/// `@5` as an offset; anything else as it is.
fn offset(value: &str) -> String {
    value.strip_prefix('@').map_or_else(|| value.to_owned(), |digits| format!("{:020}", digits.parse::<u64>().unwrap()))
}

pub(crate) fn parse_request(text: &str) -> Request<Body> {
    let (head, body) = text.split_once("\n\n").unwrap_or((text, ""));
    let mut lines = head.lines();
    let (method, target) = lines.next().unwrap().split_once(' ').unwrap();
    let mut request = Request::new(Body::from(body.to_owned()));
    *request.method_mut() = method.parse().unwrap();
    *request.uri_mut() = target.trim().parse().unwrap();
    request.headers_mut().insert("host", HeaderValue::from_static("streams.example"));
    for line in lines {
        let (name, value) = line.split_once(':').unwrap();
        let value = value.strip_prefix(' ').unwrap_or(value);
        let name = HeaderName::try_from(name.trim()).unwrap();
        request.headers_mut().append(name, HeaderValue::from_bytes(value.as_bytes()).unwrap());
    }
    request
}

/// Headers that a web page may read without being told.
const SAFELISTED: [&str; 4] = ["cache-control", "content-length", "content-type", "expires"];

fn check_every_answer(what: &str, head: bool, reply: &Reply) {
    assert_eq!(reply.header("x-content-type-options"), Some("nosniff"), "{what}");
    assert_eq!(reply.header("cross-origin-resource-policy"), Some("cross-origin"), "{what}");
    assert!(reply.headers.contains_key("cache-control"), "{what}");
    for name in reply.headers.keys() {
        assert_eq!(reply.headers.get_all(name).iter().count(), 1, "{what}: {name} twice");
    }
    if let Some(exposed) = reply.header("access-control-expose-headers") {
        for name in reply.headers.keys().map(HeaderName::as_str).filter(|name| !SAFELISTED.contains(name)) {
            let told = ["access-control-", "cross-origin-", "x-accel-buffering", "x-content-type"]
                .iter()
                .any(|own| name.starts_with(own));
            assert!(told || exposed.split(", ").any(|one| one == name), "{what}: {name} is not exposed");
        }
    }
    match reply.status.as_u16() {
        204 | 304 => {
            assert!(reply.body.is_empty(), "{what}");
            assert!(!reply.headers.contains_key("content-length"), "{what}");
        }
        status @ 400.. => {
            assert_eq!(reply.header("content-type"), Some("application/json"), "{what}");
            assert_eq!(reply.header("cache-control"), Some("no-store"), "{what}");
            assert_eq!(reply.headers.contains_key("retry-after"), status == 503, "{what}");
            assert!(head || is_error_form(reply.text()), "{what}: {}", reply.text());
        }
        _ => {}
    }
    assert!(!head || reply.body.is_empty(), "{what}");
}

/// Exactly `{"error":{"code":"..","message":".."}}`, in this order, without blanks between.
fn is_error_form(text: &str) -> bool {
    let Some(rest) = text.strip_prefix(r#"{"error":{"code":""#) else { return false };
    let Some((code, rest)) = rest.split_once(r#"","message":"#) else { return false };
    let Some(message) = rest.strip_suffix("}}") else { return false };
    let message: String = serde_json::from_str(message).unwrap_or_default();
    code.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_') && !message.is_empty()
}
