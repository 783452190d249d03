//! Marks that tell a sealer of a stream, where events of the bucket drive sealing.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use bytes::Bytes;
use common::*;
use wadi_store::{Fault, ObjectKey, Operation, RequestCounts};
use wadi_stream::{EngineSettings, SealSign, Sealing, limits::SEAL_MARK_ATTEMPTS_MAX};

const NOTHING: RequestCounts = RequestCounts { get: 0, put: 0, delete: 0, list: 0 };
const MIB: usize = 1 << 20;

fn by_events() -> EngineSettings {
    EngineSettings { sealing: Sealing::Events, ..EngineSettings::default() }
}

async fn append(process: &Process, bytes: usize) -> RequestCounts {
    let (outcome, cost) = process.counting(process.write("s", append_bytes(Bytes::from(vec![b'x'; bytes])))).await;
    outcome.unwrap();
    cost
}

async fn marks(process: &Process) -> Vec<ObjectKey> {
    process.engine.seal_marks(secs(0)).await.unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_warm_append_that_crosses_no_boundary_is_one_put_and_one_that_does_is_two() {
    let world = World::new();
    let process = world.process_by(by_events());
    process.create("s").await.unwrap();
    assert_eq!(append(&process, MIB - 1).await, RequestCounts { put: 1, ..NOTHING });
    assert_eq!(append(&process, 1).await, RequestCounts { put: 2, ..NOTHING }, "crosses");
    assert_eq!(append(&process, 1).await, RequestCounts { put: 1, ..NOTHING });
    assert_eq!(append(&process, 3 * MIB).await, RequestCounts { put: 2, ..NOTHING }, "crosses several");
    assert_eq!(marks(&process).await.len(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_close_leaves_a_mark_and_its_repeat_none() {
    let world = World::new();
    let process = world.process_by(by_events());
    process.create("s").await.unwrap();
    append(&process, 1).await;
    let (outcome, cost) = process.counting(process.close("s")).await;
    outcome.unwrap();
    assert_eq!(cost, RequestCounts { put: 2, ..NOTHING });
    process.close("s").await.unwrap();
    assert_eq!(marks(&process).await.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn whoever_does_not_seal_by_events_leaves_no_marks() {
    for sealing in [Sealing::Elsewhere, Sealing::Background] {
        let world = World::new();
        let process = world.process_by(EngineSettings { sealing, ..EngineSettings::default() });
        process.create("s").await.unwrap();
        append(&process, 2 * MIB).await;
        process.close("s").await.unwrap();
        assert!(marks(&process).await.is_empty(), "{sealing:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_mark_leads_another_process_to_the_stream_which_is_sealed_once() {
    let world = World::new();
    let writer = world.process_by(by_events());
    writer.create("s").await.unwrap();
    append(&writer, 2 * MIB).await;
    writer.close("s").await.unwrap();

    let sealer = world.process();
    let found = marks(&sealer).await;
    assert_eq!(found.len(), 2);
    for mark in &found {
        assert_eq!(SealSign::of(mark), Some(SealSign::Mark(mark.clone())));
        assert_eq!(sealer.engine.stream_of_seal_mark(mark).await.unwrap(), Some(key("s")));
    }
    assert!(sealer.engine.seal_what_is_due(&key("s")).await.unwrap());
    assert!(!sealer.engine.seal_what_is_due(&key("s")).await.unwrap(), "nothing is due any more");
    sealer.engine.remove_seal_marks(&found).await.unwrap();
    assert!(marks(&sealer).await.is_empty());
    assert_eq!(sealer.engine.stream_of_seal_mark(&found[0]).await.unwrap(), None);
    assert_eq!(world.process().read("s").await.unwrap().len(), 2 * MIB);
}

#[tokio::test(start_paused = true)]
async fn only_marks_that_are_old_enough_are_taken_for_forgotten() {
    let world = World::new();
    let process = world.process_by(by_events());
    process.create("s").await.unwrap();
    process.close("s").await.unwrap();
    assert!(process.engine.seal_marks(secs(60)).await.unwrap().is_empty());
    pass(secs(61)).await;
    assert_eq!(process.engine.seal_marks(secs(60)).await.unwrap().len(), 1);
}

/// No later write makes up for the mark of a close.
#[tokio::test(start_paused = true)]
async fn a_mark_that_the_store_fails_at_first_is_left_all_the_same() {
    for fault in [Fault::NotSent, Fault::ServerError, Fault::LoseAnswer] {
        let world = World::new();
        let process = world.process_by(by_events());
        process.create("s").await.unwrap();
        append(&process, 1).await;
        for _ in 1..SEAL_MARK_ATTEMPTS_MAX {
            world.script.next(Operation::Put, "due/seal/", fault.clone());
        }
        process.close("s").await.unwrap();
        assert_eq!(marks(&process).await.len(), 1, "{fault:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_write_stands_though_its_mark_cannot_be_left() {
    let world = World::new();
    world.script.always(Operation::Put, "due/seal/", Fault::ServerError);
    let process = world.process_by(by_events());
    process.create("s").await.unwrap();
    append(&process, 2 * MIB).await;
    process.close("s").await.unwrap();
    assert!(marks(&world.process()).await.is_empty());
    assert!(world.process().engine.head(&key("s"), None).await.unwrap().closed);
}
