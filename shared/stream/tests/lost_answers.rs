//! Answers that are lost, requests that never arrive, and requests that land late.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests")]

mod common;

use common::*;
use wadi_protocol::{Refusal, WriteOutcome};
use wadi_store::{Fault, Operation};

/// See: <https://github.com/slatedb/slatedb/issues/766>
#[tokio::test(start_paused = true)]
async fn an_append_whose_answer_is_lost_is_found_and_acknowledged_once() {
    for fault in [Fault::LoseAnswer, Fault::LoseRequest, Fault::ServerError, Fault::Conflict, Fault::NotSent] {
        let world = World::new();
        let process = world.process();
        process.create("s").await.unwrap();
        world.script.next(Operation::Put, "/log/", fault.clone());
        let outcome = process.append("s", "a").await;
        assert!(matches!(outcome, Ok(WriteOutcome::Appended { .. })), "{fault:?}: {outcome:?}");
        assert_eq!(process.read("s").await.unwrap(), "a", "{fault:?}");
        assert_eq!(world.process().read("s").await.unwrap(), "a", "{fault:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_create_whose_answer_is_lost_is_a_create() {
    for fault in [Fault::LoseAnswer, Fault::LoseRequest, Fault::ServerError, Fault::Conflict, Fault::NotSent] {
        let world = World::new();
        let process = world.process();
        world.script.next(Operation::Put, "manifest/", fault.clone());
        let created = process.create("s").await.unwrap();
        assert!(!created.existed, "{fault:?}");
        process.append("s", "a").await.unwrap();
        assert_eq!(world.process().read("s").await.unwrap(), "a", "{fault:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_create_with_bytes_survives_each_lost_answer() {
    for key_part in ["/log/", "manifest/"] {
        for fault in [Fault::LoseAnswer, Fault::LoseRequest, Fault::Conflict] {
            let world = World::new();
            let process = world.process();
            world.script.next(Operation::Put, key_part, fault.clone());
            let created = process.engine.create(&key("s"), create_with("hello")).await.unwrap();
            assert!(!created.existed);
            assert_eq!(created.stream.tail.get(), 5);
            assert_eq!(world.process().read("s").await.unwrap(), "hello", "{key_part} {fault:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_close_whose_answer_is_lost_is_a_close() {
    let world = World::new();
    let process = world.process();
    process.create("s").await.unwrap();
    world.script.next(Operation::Put, "/log/", Fault::LoseAnswer);
    assert!(matches!(process.close("s").await, Ok(WriteOutcome::Closed { .. })));
    assert!(matches!(process.append("s", "x").await, Err(Refusal::StreamClosed { .. })));
}

#[tokio::test(start_paused = true)]
async fn a_delete_whose_answers_are_lost_is_a_delete() {
    for key_part in ["/log/", "manifest/"] {
        let world = World::new();
        let process = world.process();
        process.create("s").await.unwrap();
        world.script.next(Operation::Put, key_part, Fault::LoseAnswer);
        process.delete("s").await.unwrap();
        assert_eq!(process.read("s").await, Err(Refusal::StreamNotFound));
        assert_eq!(world.process().read("s").await, Err(Refusal::StreamNotFound));
        process.create("s").await.unwrap();
        assert_eq!(world.process().read("s").await.unwrap(), "");
    }
}

/// The answer is lost, and another writer really won the slot.
#[tokio::test(start_paused = true)]
async fn a_lost_race_behind_a_lost_answer_goes_on_at_the_next_slot() {
    let world = World::new();
    let (one, two) = (world.process(), world.process());
    one.create("s").await.unwrap();
    two.append("s", "first ").await.unwrap();
    world.script.next(Operation::Put, "/log/", Fault::LoseRequest);
    let racing = tokio::spawn(async move { one.append("s", "late").await });
    two.append("s", "second ").await.unwrap();
    racing.await.unwrap().unwrap();
    let text = world.process().read("s").await.unwrap();
    assert!(text == "first second late" || text == "first latesecond ", "{text}");
}

/// See: <https://github.com/electric-sql/electric/pull/4710>
#[tokio::test(start_paused = true)]
async fn a_failed_keyed_append_applies_when_it_is_sent_again() {
    let world = World::new();
    let process = world.process();
    process.create("s").await.unwrap();
    world.script.always(Operation::Put, "/log/", Fault::ServerError);
    assert_eq!(process.append_keyed("s", "x", "p", 0, 0).await, Err(Refusal::OutcomeUnknown));
    world.script.clear();
    assert!(matches!(process.append_keyed("s", "x", "p", 0, 0).await, Ok(WriteOutcome::Applied(_))));
    assert_eq!(process.read("s").await.unwrap(), "x");
    assert!(matches!(process.append_keyed("s", "y", "p", 0, 1).await, Ok(WriteOutcome::Applied(_))));
}

#[tokio::test(start_paused = true)]
async fn a_put_that_lands_after_it_was_given_up_never_doubles_its_retry() {
    let world = World::new();
    let process = world.process();
    process.create("s").await.unwrap();
    world.script.always(Operation::Put, "/log/", Fault::Postpone);
    assert_eq!(process.append_keyed("s", "x", "p", 0, 0).await, Err(Refusal::OutcomeUnknown));
    world.script.clear();
    world.faulty.land_postponed(0).await.unwrap();
    assert!(matches!(process.append_keyed("s", "x", "p", 0, 0).await, Ok(WriteOutcome::Repeat(_))));
    assert_eq!(process.read("s").await.unwrap(), "x");
    assert_eq!(world.process().read("s").await.unwrap(), "x");
}

#[tokio::test(start_paused = true)]
async fn a_store_that_refuses_or_is_not_there_proves_that_nothing_was_written() {
    for fault in [Fault::Denied, Fault::NotSent] {
        let world = World::new();
        let process = world.process();
        process.create("s").await.unwrap();
        world.script.always(Operation::Put, "/log/", fault.clone());
        assert_eq!(process.append("s", "x").await, Err(Refusal::StoreUnavailable), "{fault:?}");
        world.script.clear();
        assert_eq!(process.read("s").await.unwrap(), "");
    }
}

#[tokio::test(start_paused = true)]
async fn reads_that_cannot_be_proved_fresh_are_refused() {
    let world = World::new();
    let process = world.process();
    process.create("s").await.unwrap();
    process.append("s", "x").await.unwrap();
    world.script.always(Operation::Get, "/log/", Fault::ServerError);
    assert_eq!(process.read("s").await, Err(Refusal::StoreUnavailable));
    world.script.clear();
    assert_eq!(process.read("s").await.unwrap(), "x");
}
