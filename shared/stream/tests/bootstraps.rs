//! Bootstrap: the snapshot and what follows, a piece at a time, whatever happens to the bucket meanwhile.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use bytes::Bytes;
use common::*;
use wadi_protocol::Refusal;
use wadi_store::RequestCounts;
use wadi_stream::{Bootstrap, BootstrapPiece, SweepScope, limits::GRACE};

async fn open(process: &Process) -> Result<Bootstrap, Refusal> {
    process.engine.bootstrap(&key("s"), None, 256 << 20, true).await
}

/// The rest of a bootstrap: the snapshot's bytes, and the stream's.
async fn rest(bootstrap: &mut Bootstrap) -> Result<(Vec<u8>, Vec<u8>), Refusal> {
    let (mut snapshot, mut stream) = (Vec::new(), Vec::new());
    while let Some(piece) = bootstrap.next_piece().await {
        match piece? {
            BootstrapPiece::Snapshot(piece) => snapshot.extend_from_slice(&piece),
            BootstrapPiece::Stream(piece) => stream.extend_from_slice(&piece),
        }
    }
    Ok((snapshot, stream))
}

#[tokio::test(start_paused = true)]
async fn it_ends_at_the_tail_that_was_told() {
    let world = World::new();
    let process = world.process();
    process.create("s").await.unwrap();
    process.append("s", "0123456789").await.unwrap();
    process.publish("s", 7, "state").await.unwrap();
    let (opened, cost) = process.counting(open(&process)).await;
    let mut opened = opened.unwrap();
    assert_eq!(cost, RequestCounts { get: 2, put: 0, delete: 0, list: 0 }, "a probe and the snapshot");
    process.append("s", "later").await.unwrap();
    assert_eq!(rest(&mut opened).await.unwrap(), (b"state".to_vec(), b"789".to_vec()));
    assert_eq!(opened.next.get(), 10);
}

#[tokio::test(start_paused = true)]
async fn it_goes_on_when_its_records_are_sealed_and_collected_meanwhile() {
    let world = World::new();
    let writer = world.process();
    writer.create("s").await.unwrap();
    let mut all = Vec::new();
    for number in 0..6_u8 {
        let body = Bytes::from(vec![number; 3 << 20]);
        all.extend_from_slice(&body);
        writer.write("s", append_bytes(body)).await.unwrap();
    }
    writer.publish("s", 5, "state").await.unwrap();
    let reader = world.process();
    let mut opened = open(&reader).await.unwrap();
    assert_eq!(opened.next_piece().await, Some(Ok(BootstrapPiece::Snapshot("state".into()))));
    let Some(Ok(BootstrapPiece::Stream(first))) = opened.next_piece().await else { panic!("bytes follow") };
    assert_eq!(first.len(), 8 << 20, "no more than a page at a time");
    assert!(writer.engine.seal(&key("s")).await.unwrap());
    for _ in 0..2 {
        pass(GRACE + secs(60)).await;
        writer.engine.sweep(SweepScope::Full, &|_| {}).await.unwrap();
    }
    assert_eq!(world.keys("ds/", "/log/").await, []);
    let (_, others) = rest(&mut opened).await.unwrap();
    assert_eq!([&first[..], &others].concat(), all[5..]);
}

#[tokio::test(start_paused = true)]
async fn it_breaks_off_when_the_stream_ends_and_its_bytes_are_gone() {
    let world = World::new();
    let writer = world.process();
    writer.create("s").await.unwrap();
    for _ in 0..4 {
        writer.write("s", append_bytes(Bytes::from(vec![b'x'; 3 << 20]))).await.unwrap();
    }
    let reader = world.process();
    let mut opened = open(&reader).await.unwrap();
    opened.next_piece().await.unwrap().unwrap();
    let token = opened.stream.incarnation;
    writer.delete("s").await.unwrap();
    writer.engine.create(&key("s"), create_with("another life")).await.unwrap();
    world.collect_incarnation("s", token).await;
    assert_eq!(opened.next_piece().await, Some(Err(Refusal::StreamNotFound)));
    assert_eq!(opened.next_piece().await, None);
}
