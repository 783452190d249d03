//! Retention: what it costs, and that every process holds to it at once.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use bytes::Bytes;
use common::*;
use wadi_protocol::{Offset, ReadFrom, Refusal, Retained, RetentionRequest, SnapshotRefusal};
use wadi_store::{Fault, Operation, RequestCounts};
use wadi_stream::{EngineSettings, SweepScope, Tail, TailStep};

const NOTHING: RequestCounts = RequestCounts { get: 0, put: 0, delete: 0, list: 0 };

async fn keep(process: &Process, from: u64) -> Result<Retained, Refusal> {
    let request = RetentionRequest { incarnation: None, offset: Offset::new(from) };
    process.engine.retain(&key("s"), request).await
}

/// A process that has written ten bytes to `s`, with a snapshot at 7.
async fn snapped(world: &World) -> Process {
    let process = world.process();
    process.create("s").await.unwrap();
    process.append("s", "0123456789").await.unwrap();
    process.publish("s", 7, "state").await.unwrap();
    process
}

#[tokio::test(start_paused = true)]
async fn it_is_one_put_and_its_repeat_one_get() {
    let world = World::new();
    let process = snapped(&world).await;
    let (kept, cost) = process.counting(keep(&process, 5)).await;
    assert_eq!((kept.unwrap().retained, cost), (Offset::new(5), RequestCounts { put: 1, ..NOTHING }));
    let (kept, cost) = process.counting(keep(&process, 3)).await;
    assert_eq!((kept.unwrap().retained, cost), (Offset::new(5), RequestCounts { get: 1, ..NOTHING }));
    let (refused, cost) = process.counting(keep(&process, 8)).await;
    assert_eq!(refused, Err(SnapshotRefusal::BeyondTail { tail: Offset::new(10) }.into()));
    assert_eq!(cost, RequestCounts { get: 1, ..NOTHING });
}

#[tokio::test(start_paused = true)]
async fn every_process_holds_to_it_at_once_also_after_a_checkpoint() {
    let world = World::new();
    let (process, reader) = (snapped(&world).await, world.process());
    assert_eq!(reader.read("s").await.unwrap(), "0123456789");
    keep(&process, 5).await.unwrap();
    let gone = |refused| matches!(refused, Err(Refusal::Gone { retained, .. }) if retained == Offset::new(5));
    assert!(gone(reader.read_page("s", ReadFrom::Start).await));
    assert_eq!(reader.read_from("s", 5).await.unwrap(), b"56789");
    world.checkpoint("s").await;
    let later = world.process();
    assert!(gone(later.read_page("s", ReadFrom::At(Offset::new(4))).await));
    assert_eq!(later.engine.head(&key("s"), None).await.unwrap().retained, Offset::new(5));
}

#[tokio::test(start_paused = true)]
async fn it_is_decided_by_the_log_and_not_by_what_a_process_remembers() {
    let world = World::new();
    let (process, stale) = (snapped(&world).await, world.process());
    stale.tail("s").await.unwrap();
    process.publish("s", 10, "more").await.unwrap();
    // It knows of the snapshot at 7 only.
    assert_eq!(keep(&stale, 9).await.unwrap().retained, Offset::new(9));
    assert_eq!(keep(&process, 8).await.unwrap().retained, Offset::new(9), "another went further");
    process.delete("s").await.unwrap();
    assert_eq!(keep(&stale, 10).await, Err(Refusal::StreamNotFound));
}

#[tokio::test(start_paused = true)]
async fn one_whose_answer_was_lost_is_found() {
    let world = World::new();
    let process = snapped(&world).await;
    world.script.next(Operation::Put, "/log/", Fault::LoseAnswer);
    assert_eq!(keep(&process, 5).await.unwrap().retained, Offset::new(5));
    assert_eq!(world.keys("ds/", "/log/").await.len(), 3, "one record each");
}

/// What a tail says next: 100,000 bytes at most.
async fn step(tail: &mut Tail) -> Result<Bytes, Refusal> {
    match tail.step(100_000, secs(1)).await? {
        TailStep::Page(page) => Ok(page.body.clone().joined()),
        other => panic!("{other:?}"),
    }
}

/// See: <https://github.com/durable-streams/durable-streams/issues/404>
///
/// A reader is in the middle of what is let go of, and all that it knew is sealed and collected under it.
/// It gets the exact bytes or is told that they are gone, and never goes on somewhere else.
#[tokio::test(start_paused = true)]
async fn case_24_retention_under_a_slow_reader() {
    let world = World::new();
    // A tail looks once a second, so a day would be long.
    let grace = std::time::Duration::from_mins(5);
    let writer = world.process_by(EngineSettings { grace, ..EngineSettings::default() });
    let reader = world.process();
    writer.create("s").await.unwrap();
    // Too large to be fetched with the headers of their records.
    let bodies: Vec<Bytes> = (b'a'..b'm').map(|letter| Bytes::from(vec![letter; 100_000])).collect();
    for body in &bodies {
        writer.write("s", append_bytes(body.clone())).await.unwrap();
    }
    let mut tail = reader.engine.tail(&key("s"), &read(ReadFrom::Start)).await.unwrap();
    assert_eq!(step(&mut tail).await.as_ref(), Ok(&bodies[0]));
    writer.publish("s", 1_000_000, "state").await.unwrap();
    keep(&writer, 500_000).await.unwrap();
    let is_gone = |refused: Refusal| matches!(refused, Refusal::Gone { retained, .. } if retained.get() == 500_000);
    let page = world.process().read_page("s", ReadFrom::At(Offset::new(100_000))).await;
    assert!(is_gone(page.unwrap_err()), "a reader that asks anew is told at once");
    assert_eq!(step(&mut tail).await.as_ref(), Ok(&bodies[1]), "one that is under way goes on with what it knows");
    assert!(writer.engine.seal(&key("s")).await.unwrap());
    pass(grace + secs(60)).await;
    writer.engine.sweep(SweepScope::Full, &|_| {}).await.unwrap();
    assert_eq!(world.keys("ds/", "/log/").await, []);
    assert!(is_gone(step(&mut tail).await.unwrap_err()));
    assert_eq!(reader.read_from("s", 500_000).await.unwrap(), bodies[5..].concat());
}
