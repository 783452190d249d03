//! The pure part of every append: splitting JSON, deciding, applying.
#![allow(missing_docs, clippy::unwrap_used, reason = "a benchmark fails by panicking")]

use std::{hint::black_box, time::Duration};

use bytes::Bytes;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use wadi_protocol::{
    ContentType, Epoch, Genesis, Incarnation, Lifetime, Payload, ProducerId, ProducerKey, ProducerSeq, StreamState,
    Timestamp, TypeMatch, WriteRequest,
    decide::{Decision, Moment, decide_write},
    split_messages,
};

const NOW: Timestamp = Timestamp::from_millis(1_800_000_000_000);
const MOMENT: Moment = Moment { now: NOW, resolution: Duration::ZERO };

/// Producers that a stream knows in the benchmark of keyed appends.
const PRODUCERS: u64 = 1000;

fn stream() -> StreamState {
    StreamState::born(&Genesis {
        incarnation: Incarnation::from_random(1),
        content_type: ContentType::octet_stream(),
        lifetime: Lifetime::Forever,
        closed: false,
        has_initial_bytes: false,
        stream_seq: None,
        at: NOW,
    })
}

fn append(producer: Option<ProducerKey>) -> WriteRequest {
    let body = Bytes::from_static(&[b'x'; 256]);
    WriteRequest {
        incarnation: None,
        if_match: None,
        producer,
        stream_seq: None,
        closes: false,
        content: Payload::of_append(Some("application/octet-stream"), None, body),
        type_match: TypeMatch::Exact,
    }
}

fn keyed(producer: u64, seq: u64) -> WriteRequest {
    let id = ProducerId::parse(&format!("producer-{producer:04}")).unwrap();
    append(Some(ProducerKey { id, epoch: Epoch::ZERO, seq: ProducerSeq::new(seq).unwrap(), digest: None }))
}

/// Decides a write that applies, and applies it.
fn write(state: &mut StreamState, request: &WriteRequest) {
    let Decision::Commit { operation, answer } = decide_write(state, request, MOMENT) else {
        panic!("a write that applies")
    };
    black_box(answer.unwrap());
    state.apply(&operation, NOW).unwrap();
}

fn decide_and_apply(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("decide and apply");
    let request = append(None);
    let mut state = stream();
    group.bench_function("append", |bencher| bencher.iter(|| write(&mut state, &request)));

    let mut state = stream();
    for producer in 0..PRODUCERS {
        write(&mut state, &keyed(producer, 0));
    }
    let mut request = keyed(PRODUCERS / 2, 0);
    group.bench_function("append of one of 1,000 producers", |bencher| {
        bencher.iter(|| {
            let key = request.producer.as_mut().unwrap();
            key.seq = key.seq.next().unwrap();
            write(&mut state, &request);
        });
    });
    group.finish();
}

/// An array of records as clients send them, of about so many bytes.
fn records(bytes: usize) -> String {
    let record = r#"{"type":"insert","key":"4711","value":{"name":"A. Person","balance":12.50,"tags":["a","b"],"note":"some text that is a little longer than the rest of it"}}"#;
    format!("[{}]", vec![record; bytes.div_ceil(record.len())].join(","))
}

fn splitting(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("split JSON");
    let text = format!("\"{}\"", "x".repeat(1024 * 1024));
    for (name, body) in [("256 B", records(200)), ("1 MiB of records", records(1024 * 1024)), ("1 MiB of text", text)] {
        group.throughput(Throughput::Bytes(body.len() as u64));
        group.bench_function(name, |bencher| bencher.iter(|| split_messages(black_box(body.as_bytes())).unwrap()));
    }
    group.finish();
}

criterion_group!(rules, decide_and_apply, splitting);
criterion_main!(rules);
