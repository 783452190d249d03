//! A service in memory behind its events.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use futures::StreamExt;
use serde::de::DeserializeOwned;
use wadi_http::{Lifecycle, Router, Settings};
use wadi_lambda::http::{Front, HttpEvent, OriginSecrets};
use wadi_protocol::Timestamp;
use wadi_store::{FaultScript, FaultyStore, MemoryStore};
use wadi_stream::{Engine, EngineSettings, Fitness, Sealing, TokioRuntime};

/// An event that was recorded.
pub(crate) fn fixture<T: DeserializeOwned>(name: &str) -> T {
    let path = format!("{}/tests/fixtures/{name}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// A request as an event of a function URL.
pub(crate) fn event(method: &str, target: &str, headers: &[(&str, &str)], body: Option<&str>) -> HttpEvent {
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let mut event = HttpEvent {
        raw_path: Some(path.to_owned()),
        raw_query_string: Some(query.to_owned()),
        headers: Some(headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()),
        body: body.map(str::to_owned),
        ..HttpEvent::default()
    };
    method.clone_into(&mut event.request_context.http.method);
    event
}

/// A service.
pub(crate) struct Service {
    pub(crate) engine: Engine,
    pub(crate) script: Arc<FaultScript>,
    front: Front,
    broken: Arc<AtomicUsize>,
}

/// An answer, whole.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    /// Its body as text.
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    /// Panics unless it is an error with this status and code.
    pub(crate) fn refuses(&self, status: u16, code: &str) {
        assert_eq!(self.status, status, "{self:?}");
        assert!(self.text().starts_with(&format!(r#"{{"error":{{"code":"{code}","#)), "{}", self.text());
        assert_eq!(self.headers["content-type"], "application/json");
        assert_eq!(self.headers["x-content-type-options"], "nosniff");
    }
}

impl Service {
    pub(crate) fn new() -> Self {
        Self::with(None)
    }

    /// One for requests that bring a secret.
    pub(crate) fn with(secrets: Option<&str>) -> Self {
        let secrets = secrets.map(|text| OriginSecrets::parse(&text.parse().unwrap()).unwrap());
        let script = Arc::new(FaultScript::new());
        let memory = MemoryStore::new(Arc::new(|| Timestamp::from_millis(1_800_000_000_000)));
        let store = FaultyStore::new(Arc::new(memory), script.clone());
        let settings = EngineSettings { sealing: Sealing::Events, ..EngineSettings::default() };
        let runtime = Arc::new(TokioRuntime::default());
        let engine = Engine::with_settings(Arc::new(store), runtime, Fitness::Proved, settings);
        let settings = Settings {
            lifecycle: Lifecycle::Open,
            sse_lifetime: Duration::from_millis(50),
            request_bytes_max: 1000,
            compression: false,
            ..Settings::default()
        };
        let router = wadi_http::app(engine.clone(), settings);
        Self::before(router, engine, script, secrets)
    }

    fn before(router: Router, engine: Engine, script: Arc<FaultScript>, secrets: Option<OriginSecrets>) -> Self {
        let broken = Arc::new(AtomicUsize::new(0));
        let count = broken.clone();
        let front = Front::new(router, secrets, Arc::new(move || _ = count.fetch_add(1, Ordering::Relaxed)));
        Self { engine, script, front, broken }
    }

    /// How many answers broke off such that the connection has to be broken.
    pub(crate) fn broken(&self) -> usize {
        self.broken.load(Ordering::Relaxed)
    }

    pub(crate) async fn send(&self, event: HttpEvent) -> Reply {
        let answer = self.front.answer(event).await;
        let prelude = answer.metadata_prelude;
        assert!(prelude.headers.keys().all(|name| prelude.headers.get_all(name).iter().count() == 1));
        let text = |value: &http::HeaderValue| String::from_utf8(value.as_bytes().to_vec()).unwrap();
        let headers = prelude.headers.iter().map(|(name, value)| (name.to_string(), text(value))).collect();
        let pieces: Vec<_> = answer
            .stream
            .map(|piece| match piece {
                Ok(piece) => piece,
                Err(never) => match never {},
            })
            .collect()
            .await;
        Reply { status: prelude.status_code.as_u16(), headers, body: pieces.concat() }
    }

    /// Sends a request that an event is made of here.
    pub(crate) async fn ask(&self, method: &str, target: &str, headers: &[(&str, &str)], body: Option<&str>) -> Reply {
        self.send(event(method, target, headers, body)).await
    }

    /// Creates a stream.
    pub(crate) async fn create(&self, path: &str, content_type: &str) {
        let created = self.ask("PUT", path, &[("content-type", content_type)], None).await;
        assert_eq!(created.status, 201, "{created:?}");
    }
}
