//! What streams leave behind once they ended: tombstones, and nothing else, on every store that has a clock
//! to be set.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests")]

mod common;

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use bytes::Bytes;
use common::{snapshots::publish, *};
use futures::{FutureExt, future::BoxFuture};
use wadi_protocol::{CreateRequest, DeleteRequest, Lifetime, Offset, Refusal, RetentionRequest, Timestamp};
use wadi_store::{
    EmbeddedStore, Fault, FaultScript, FaultyStore, GetOptions, GetOutcome, ListRequest, MemoryStore, Operation,
    SharedStore,
};
use wadi_stream::{Engine, EngineSettings, Fitness, Manifest, Runtime, SweepScope, limits::GRACE, manifest_key};

/// A snapshot that the embedded store keeps in a file of its own.
const LARGE_BYTES: usize = 300 * 1024;

/// Time that passes when a test says so. Whoever sleeps does not wait.
#[derive(Debug, Default)]
struct SetClock {
    passed_millis: Arc<AtomicU64>,
    random: AtomicU64,
}

impl SetClock {
    fn pass(&self, duration: Duration) {
        self.passed_millis.fetch_add(u64::try_from(duration.as_millis()).unwrap(), Ordering::Relaxed);
    }

    fn dates(&self) -> wadi_store::Clock {
        let passed = self.passed_millis.clone();
        Arc::new(move || Timestamp::from_millis(1_800_000_000_000 + passed.load(Ordering::Relaxed)))
    }
}

impl Runtime for SetClock {
    fn spawn(&self, task: BoxFuture<'static, ()>) {
        drop(tokio::spawn(task));
    }

    fn sleep(&self, _duration: Duration) -> BoxFuture<'static, ()> {
        // Nothing here is given up because it takes its time.
        futures::future::pending().boxed()
    }

    fn monotonic(&self) -> Duration {
        Duration::from_millis(self.passed_millis.load(Ordering::Relaxed))
    }

    fn wall(&self) -> Timestamp {
        self.dates()()
    }

    fn random(&self) -> u64 {
        blake3::hash(&self.random.fetch_add(1, Ordering::Relaxed).to_le_bytes()).as_bytes()[..8]
            .iter()
            .fold(0, |number, byte| number << 8 | u64::from(*byte))
    }
}

/// A bucket, an engine on it, and the clock that both go by.
struct Bucket {
    store: SharedStore,
    script: Arc<FaultScript>,
    engine: Engine,
    clock: Arc<SetClock>,
}

impl Bucket {
    fn on(store: SharedStore, clock: Arc<SetClock>) -> Self {
        let script = Arc::new(FaultScript::new());
        let faulty = Arc::new(FaultyStore::new(store.clone(), script.clone()));
        let engine = Engine::with_settings(faulty, clock.clone(), Fitness::Proved, EngineSettings::default());
        Self { store, script, engine, clock }
    }

    async fn keys(&self) -> Vec<String> {
        let request = ListRequest { prefix: String::new(), start_after: None, limit: 1000 };
        let listing = self.store.list(request).await.unwrap();
        assert!(!listing.more, "a test this large needs pages");
        listing.objects.into_iter().map(|object| object.key.as_str().to_owned()).collect()
    }

    async fn count(&self, part: &str) -> usize {
        self.keys().await.iter().filter(|key| key.contains(part)).count()
    }

    async fn manifest(&self, name: &str) -> Manifest {
        match self.store.get(&manifest_key(&key(name)), GetOptions::default()).await.unwrap() {
            GetOutcome::Found(object) => Manifest::from_json(&object.body).unwrap(),
            other => panic!("{other:?}"),
        }
    }

    async fn sweep(&self) {
        self.engine.sweep(SweepScope::Full, &|_| {}).await.unwrap();
    }

    async fn append(&self, name: &str, times: usize) {
        for _ in 0..times {
            self.engine.write(&key(name), append("0123456789")).await.unwrap();
        }
    }

    async fn publish(&self, name: &str, at: u64, bytes: usize) -> Result<(), Refusal> {
        let body = Bytes::from(vec![b's'; bytes]);
        self.engine.publish(&key(name), publish(at, &body), body).await.map(drop)
    }

    async fn retain(&self, name: &str, from: u64) {
        let request = RetentionRequest { incarnation: None, offset: Offset::new(from) };
        self.engine.retain(&key(name), request).await.unwrap();
    }

    /// A life with all that a stream can have: chunks aside, sealed and open records, a superseded snapshot,
    /// one that was not copied, one that was not committed, and a beginning that was let go of.
    async fn live(&self, name: &str, lifetime: Lifetime) {
        self.engine.create(&key(name), CreateRequest { lifetime, ..create_with("initial") }).await.unwrap();
        self.append(name, 60).await;
        self.publish(name, 5, LARGE_BYTES).await.unwrap();
        self.publish(name, 90, 10).await.unwrap();
        assert!(self.engine.seal(&key(name)).await.unwrap());
        self.retain(name, 40).await;
        self.append(name, 3).await;
        self.script.next(Operation::Put, "/snapshot/", Fault::Denied);
        self.publish(name, 200, LARGE_BYTES).await.unwrap();
        self.script.next(Operation::Put, "/log/", Fault::Denied);
        assert_eq!(self.publish(name, 300, 10).await, Err(Refusal::StoreUnavailable));
    }
}

/// What is left of streams of which one was deleted, created again and deleted again, and one expired.
async fn left_of_streams_that_ended(bucket: &Bucket) -> Vec<String> {
    bucket.live("deleted", Lifetime::Forever).await;
    bucket.live("expired", Lifetime::Ttl { seconds: 60 }).await;
    assert_eq!((bucket.count("/snapshot/").await, bucket.count("/body/").await), (4, 8));
    bucket.engine.delete(&key("deleted"), DeleteRequest::default()).await.unwrap();
    bucket.engine.create(&key("deleted"), create()).await.unwrap();
    bucket.append("deleted", 1).await;
    bucket.publish("deleted", 10, 10).await.unwrap();
    bucket.retain("deleted", 10).await;
    bucket.engine.delete(&key("deleted"), DeleteRequest::default()).await.unwrap();
    bucket.clock.pass(secs(120));
    assert_eq!(bucket.engine.head(&key("expired"), None).await, Err(Refusal::StreamNotFound));
    bucket.sweep().await;
    assert_eq!(
        (bucket.count("/snapshot/").await, bucket.count("/body/").await),
        (5, 9),
        "nothing goes within the grace"
    );
    for _ in 0..4 {
        bucket.clock.pass(GRACE + secs(60));
        bucket.sweep().await;
    }
    assert_eq!(bucket.manifest("deleted").await.dropped, []);
    bucket.keys().await
}

#[tokio::test]
async fn nothing_but_tombstones_is_left_in_memory() {
    let clock = Arc::new(SetClock::default());
    let bucket = Bucket::on(Arc::new(MemoryStore::new(clock.dates())), clock);
    insta::assert_debug_snapshot!(left_of_streams_that_ended(&bucket).await, @r#"
    [
        "manifest/default/deleted",
        "manifest/default/expired",
    ]
    "#);
    bucket.engine.create(&key("deleted"), create()).await.unwrap();
    assert_eq!(bucket.engine.head(&key("deleted"), None).await.unwrap().tail, Offset::ZERO);
}

#[tokio::test]
async fn nothing_but_tombstones_is_left_in_the_embedded_store() {
    let directory = tempfile::tempdir().unwrap();
    let clock = Arc::new(SetClock::default());
    let bucket = Bucket::on(Arc::new(EmbeddedStore::open(directory.path(), clock.dates()).unwrap()), clock);
    insta::assert_debug_snapshot!(left_of_streams_that_ended(&bucket).await, @r#"
    [
        "manifest/default/deleted",
        "manifest/default/expired",
    ]
    "#);
    drop(bucket);
    assert_eq!(files(&directory.path().join("bodies")), 0, "the files of large bodies are gone, too");
}

fn files(directory: &Path) -> usize {
    std::fs::read_dir(directory).unwrap().count()
}
