//! What is done with every record: writing it, reading it, and folding those since the last checkpoint.
#![allow(missing_docs, clippy::unwrap_used, reason = "a benchmark fails by panicking")]

use std::{hint::black_box, sync::Arc};

use bytes::Bytes;
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use tokio::runtime::Runtime;
use wadi_protocol::{
    Account, ContentType, CreateRequest, Lifetime, Payload, StreamKey, StreamName, Timestamp, TypeMatch, WriteRequest,
};
use wadi_store::{MemoryStore, SharedStore};
use wadi_stream::{Engine, Fitness, TokioRuntime, fuzzing};

/// Records since the last checkpoint: as many as are read in one round.
const RECORDS: usize = 64;

/// The content of a record with so many appends of 256 bytes.
fn content(appends: u64) -> String {
    let operations: Vec<String> = (0..appends)
        .map(|at| {
            format!(r#"{{"op":"append","start":"{:020}","end":"{:020}","messages":1}}"#, at * 256, at * 256 + 256)
        })
        .collect();
    format!(r#"{{"operations":[{}],"state":{{}}}}"#, operations.join(","))
}

fn codec(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("record");
    for appends in [1, 256] {
        let payload = Bytes::from(vec![b'x'; usize::try_from(appends).unwrap() * 256]);
        let content = content(appends);
        let object = fuzzing::write_record(&content, payload.clone()).unwrap();
        group.throughput(Throughput::Bytes(object.len() as u64));
        group.bench_function(format!("write, {appends} appends"), |bencher| {
            bencher.iter(|| fuzzing::write_record(black_box(&content), payload.clone()).unwrap());
        });
        group.bench_function(format!("read, {appends} appends"), |bencher| {
            bencher.iter(|| assert!(fuzzing::is_record(black_box(&object))));
        });
    }
    group.finish();
}

fn engine(store: &SharedStore) -> Engine {
    // It leaves sealing to others.
    Engine::new(store.clone(), Arc::new(TokioRuntime::default()), Fitness::Proved)
}

fn append() -> WriteRequest {
    let body = Bytes::from_static(&[b'x'; 256]);
    WriteRequest {
        incarnation: None,
        if_match: None,
        producer: None,
        stream_seq: None,
        closes: false,
        content: Payload::of_append(Some("application/octet-stream"), None, body),
        type_match: TypeMatch::Exact,
    }
}

fn create() -> CreateRequest {
    CreateRequest {
        incarnation: None,
        only_if_missing: false,
        content_type: ContentType::octet_stream(),
        type_match: TypeMatch::Exact,
        lifetime: Lifetime::Forever,
        closed: false,
        stream_seq: None,
        text: Bytes::new(),
        messages: 0,
    }
}

/// A stream of 64 records that a new process opens, and appends of a process that knows it, on a store in memory.
fn engines(criterion: &mut Criterion) {
    let runtime = Runtime::new().unwrap();
    let store: SharedStore = Arc::new(MemoryStore::new(Arc::new(|| Timestamp::from_millis(1_800_000_000_000))));
    let key = StreamKey { account: Account::parse("default").unwrap(), name: StreamName::hosted("bench").unwrap() };
    let first = engine(&store);
    runtime.block_on(async {
        first.create(&key, create()).await.unwrap();
        for _ in 0..RECORDS {
            first.write(&key, append()).await.unwrap();
        }
    });
    criterion.bench_function("open and fold 64 records", |bencher| {
        let opened = |engine: Engine| runtime.block_on(async { engine.head(&key, None).await.unwrap() });
        bencher.iter_batched(|| engine(&store), opened, BatchSize::SmallInput);
    });
    criterion.bench_function("append, warm, store in memory", |bencher| {
        bencher.iter(|| runtime.block_on(async { first.write(&key, append()).await.unwrap() }));
    });
}

criterion_group!(log, codec, engines);
criterion_main!(log);
