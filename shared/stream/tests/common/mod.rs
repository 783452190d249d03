//! A small world for engine tests: a memory store with faults and counts, virtual time, several
//! engines. Time is tokio's paused clock, so no test waits and none depends on how fast it runs.
#![allow(dead_code, unreachable_pub, reason = "each test file uses a part of it")]
#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::missing_panics_doc, reason = "tests")]

mod crash;
mod dated;
pub mod parts;
pub mod released;
pub mod snapshots;
pub mod surgery;
mod suspend;

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use bytes::Bytes;
use futures::{FutureExt, future::BoxFuture};
use tokio::time::Instant;
use wadi_protocol::{
    Account, ContentType, CreateRequest, DeleteRequest, Epoch, Lifetime, Offset, Payload, ProducerId, ProducerKey,
    ProducerSeq, ReadForm, ReadFrom, ReadRequest, Refusal, StreamKey, StreamName, Timestamp, TypeMatch, WriteOutcome,
    WriteRequest,
};
use wadi_store::{
    After, Before, CountingStore, FaultHook, FaultScript, FaultyStore, MemoryStore, Request, RequestCounts, SharedStore,
};
use wadi_stream::{Engine, EngineSettings, Fitness, ReadAnswer, Runtime};

#[allow(unused_imports, reason = "each test file uses a part of it")]
pub use self::{crash::Crash, dated::DatedStore, suspend::SuspendableRuntime};

/// Where virtual time starts.
const START: Timestamp = Timestamp::from_millis(1_800_000_000_000);

/// Virtual time for everything, and random numbers from a seed.
#[derive(Debug)]
pub struct VirtualRuntime {
    started: Instant,
    random: AtomicU64,
}

impl VirtualRuntime {
    pub fn new(seed: u64) -> Self {
        // Mixed, so that the numbers of two processes are not the same ones in turn.
        Self { started: Instant::now(), random: AtomicU64::new(mixed(seed)) }
    }
}

/// One step of `SplitMix64`.
fn mixed(state: u64) -> u64 {
    let mut mixed = state.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

impl Runtime for VirtualRuntime {
    fn spawn(&self, task: BoxFuture<'static, ()>) {
        drop(tokio::spawn(task));
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'static, ()> {
        tokio::time::sleep(duration).boxed()
    }

    fn monotonic(&self) -> Duration {
        self.started.elapsed()
    }

    fn wall(&self) -> Timestamp {
        START.saturating_add(self.started.elapsed())
    }

    fn random(&self) -> u64 {
        mixed(self.random.fetch_add(1, Ordering::Relaxed))
    }
}

/// Every request to the store takes this long at first: rounds can be told by the time they take.
pub const ROUND: Duration = Duration::from_millis(10);

struct Latency {
    script: Arc<FaultScript>,
    millis: Arc<AtomicU64>,
}

#[async_trait]
impl FaultHook for Latency {
    async fn before(&self, request: &Request<'_>) -> Before {
        pass(Duration::from_millis(self.millis.load(Ordering::Relaxed))).await;
        self.script.before(request).await
    }

    async fn after(&self, request: &Request<'_>, applied: bool) -> After {
        self.script.after(request, applied).await
    }
}

/// A bucket, and engines on it.
pub struct World {
    pub script: Arc<FaultScript>,
    pub faulty: Arc<FaultyStore>,
    pub bucket: Arc<MemoryStore>,
    latency_millis: Arc<AtomicU64>,
    seeds: AtomicU64,
}

/// One process: an engine with its own count of requests.
pub struct Process {
    pub engine: Engine,
    counting: Arc<CountingStore>,
}

impl World {
    pub fn new() -> Self {
        let started = Instant::now();
        let clock = Arc::new(move || START.saturating_add(started.elapsed()));
        let bucket = Arc::new(MemoryStore::new(clock));
        let script = Arc::new(FaultScript::new());
        let latency_millis = Arc::new(AtomicU64::new(10));
        let latency = Latency { script: script.clone(), millis: latency_millis.clone() };
        let faulty = Arc::new(FaultyStore::new(bucket.clone(), Arc::new(latency)));
        Self { script, faulty, bucket, latency_millis, seeds: AtomicU64::new(1) }
    }

    /// From now on every request takes this long.
    pub fn slow_down(&self, latency: Duration) {
        self.latency_millis.store(u64::try_from(latency.as_millis()).unwrap(), Ordering::Relaxed);
    }

    /// Starts a process with empty caches.
    pub fn process(&self) -> Process {
        self.process_on(self.faulty.clone())
    }

    /// Starts a process on a store of its own over the bucket.
    pub fn process_on(&self, store: SharedStore) -> Process {
        let runtime = Arc::new(VirtualRuntime::new(self.seeds.fetch_add(1, Ordering::Relaxed)));
        Process::new(store, runtime)
    }

    /// Starts a process that works by these settings.
    pub fn process_by(&self, settings: EngineSettings) -> Process {
        let runtime = Arc::new(VirtualRuntime::new(self.seeds.fetch_add(1, Ordering::Relaxed)));
        Process::by(self.faulty.clone(), runtime, settings)
    }

    /// Starts a process whose requests meet the faults of `hook`, which no other process meets.
    pub fn process_with(&self, hook: Arc<dyn FaultHook>) -> Process {
        self.process_on(Arc::new(FaultyStore::new(self.faulty.clone(), hook)))
    }

    /// Starts a process that can be suspended.
    pub fn suspendable(&self) -> (Process, Arc<SuspendableRuntime>) {
        let runtime = Arc::new(SuspendableRuntime::new(self.seeds.fetch_add(1, Ordering::Relaxed)));
        (Process::new(self.faulty.clone(), runtime.clone()), runtime)
    }
}

/// Lets virtual time pass.
pub async fn pass(duration: Duration) {
    tokio::time::sleep(duration).await;
}

/// Seconds.
pub const fn secs(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

impl Process {
    fn new(store: SharedStore, runtime: Arc<dyn Runtime>) -> Self {
        Self::by(store, runtime, EngineSettings::default())
    }

    fn by(store: SharedStore, runtime: Arc<dyn Runtime>, settings: EngineSettings) -> Self {
        let counting = Arc::new(CountingStore::new(store));
        Self { engine: Engine::with_settings(counting.clone(), runtime, Fitness::Proved, settings), counting }
    }

    /// The keys asked for while `work` is done, each with the operation, as in `PUT manifest/a`.
    pub async fn recording<T>(&self, work: impl Future<Output = T>) -> (T, Vec<String>) {
        self.counting.start_recording();
        let result = work.await;
        (result, self.counting.recorded().into_iter().map(|(operation, key)| format!("{operation} {key}")).collect())
    }

    /// What `work` returns and what it costs at the bucket.
    pub async fn counting<T>(&self, work: impl Future<Output = T>) -> (T, RequestCounts) {
        let before = self.counting.counts();
        let result = work.await;
        (result, self.counting.counts() - before)
    }

    pub async fn create(&self, name: &str) -> Result<wadi_stream::Created, Refusal> {
        self.engine.create(&key(name), create()).await
    }

    pub async fn append(&self, name: &str, body: &str) -> Result<WriteOutcome, Refusal> {
        self.engine.write(&key(name), append(body)).await
    }

    pub async fn append_keyed(
        &self,
        name: &str,
        body: &str,
        id: &str,
        epoch: u64,
        seq: u64,
    ) -> Result<WriteOutcome, Refusal> {
        self.engine.write(&key(name), keyed(append(body), id, epoch, seq)).await
    }

    pub async fn close(&self, name: &str) -> Result<WriteOutcome, Refusal> {
        self.engine.write(&key(name), close()).await
    }

    pub async fn delete(&self, name: &str) -> Result<(), Refusal> {
        self.engine.delete(&key(name), DeleteRequest::default()).await
    }

    pub async fn write(&self, name: &str, request: WriteRequest) -> Result<WriteOutcome, Refusal> {
        self.engine.write(&key(name), request).await
    }

    /// The tail.
    pub async fn tail(&self, name: &str) -> Result<u64, Refusal> {
        self.engine.head(&key(name), None).await.map(|stream| stream.tail.get())
    }

    /// All bytes from `from` to the tail.
    pub async fn read_from(&self, name: &str, from: u64) -> Result<Vec<u8>, Refusal> {
        let mut bytes = Vec::new();
        let mut from = Offset::new(from);
        loop {
            let page = self.read_page(name, ReadFrom::At(from)).await?;
            bytes.extend_from_slice(&page.body.joined());
            if page.next == page.stream.tail {
                return Ok(bytes);
            }
            assert!(page.next > from, "each page goes on");
            from = page.next;
        }
    }

    pub async fn read_page(&self, name: &str, from: ReadFrom) -> Result<ReadAnswer, Refusal> {
        self.engine.read(&key(name), read(from)).await
    }

    /// The whole stream as text.
    pub async fn read(&self, name: &str) -> Result<String, Refusal> {
        let mut text = String::new();
        let mut from = Offset::ZERO;
        loop {
            let page = self.read_page(name, ReadFrom::At(from)).await?;
            text.push_str(std::str::from_utf8(&page.body.joined()).unwrap());
            if page.next == page.stream.tail {
                return Ok(text);
            }
            from = page.next;
        }
    }
}

pub fn key(name: &str) -> StreamKey {
    StreamKey { account: Account::default_account(), name: StreamName::upstream(name).unwrap() }
}

pub fn create() -> CreateRequest {
    CreateRequest {
        incarnation: None,
        only_if_missing: false,
        content_type: ContentType::parse("text/plain").unwrap(),
        type_match: TypeMatch::Exact,
        lifetime: Lifetime::Forever,
        closed: false,
        stream_seq: None,
        text: Bytes::new(),
        messages: 0,
    }
}

pub fn create_with(body: &str) -> CreateRequest {
    CreateRequest { text: Bytes::copy_from_slice(body.as_bytes()), messages: 1, ..create() }
}

pub fn append(body: &str) -> WriteRequest {
    append_bytes(Bytes::copy_from_slice(body.as_bytes()))
}

pub fn append_bytes(text: Bytes) -> WriteRequest {
    let content_type = ContentType::parse("text/plain").unwrap();
    WriteRequest { content: Ok(Payload::Bytes { content_type, text, messages: 1 }), ..close_if(false) }
}

/// Where an append that applied ended.
pub fn end_of(outcome: &WriteOutcome) -> u64 {
    match outcome {
        WriteOutcome::Appended { end, .. } => end.get(),
        WriteOutcome::Applied(receipt) | WriteOutcome::Repeat(receipt) => receipt.end.get(),
        other => panic!("not an append: {other:?}"),
    }
}

pub fn close() -> WriteRequest {
    close_if(true)
}

fn close_if(closes: bool) -> WriteRequest {
    WriteRequest {
        incarnation: None,
        if_match: None,
        producer: None,
        stream_seq: None,
        closes,
        content: Ok(Payload::Empty),
        type_match: TypeMatch::Exact,
    }
}

pub fn keyed(request: WriteRequest, id: &str, epoch: u64, seq: u64) -> WriteRequest {
    let producer = ProducerKey {
        id: ProducerId::parse(id).unwrap(),
        epoch: Epoch::new(epoch).unwrap(),
        seq: ProducerSeq::new(seq).unwrap(),
        digest: None,
    };
    WriteRequest { producer: Some(producer), ..request }
}

pub fn read(from: ReadFrom) -> ReadRequest {
    ReadRequest { from, bytes_max: 8 << 20, form: ReadForm::Stored, incarnation: None, if_none_match: None }
}
