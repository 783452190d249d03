//! A state older than its lease is never believed, whatever the store answers about its slots.
//!
//! The sealer's half (checkpoints, and collection a day later) is done by the tests.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests")]

mod common;

use std::sync::Arc;

use common::*;
use wadi_protocol::Refusal;
use wadi_store::{Fault, Operation, RequestCounts};

const A_DAY: std::time::Duration = secs(25 * 60 * 60);

/// A stream with three records by one process, checkpointed and collected a day later, while
/// another process that knew it empty was suspended.
async fn moves_on(world: &World, other: &Process) {
    for text in ["a", "b", "c"] {
        other.append("s", text).await.unwrap();
    }
    world.checkpoint("s").await;
    pass(A_DAY).await;
    world.collect("s").await;
}

/// Both see the stream go on as if nothing had been.
async fn goes_on_at(world: &World, processes: &[&Process], tail: u64) {
    let mut tail = tail;
    for process in processes {
        assert_eq!(process.tail("s").await, Ok(tail));
        assert_eq!(end_of(&process.append("s", "z").await.unwrap()), tail + 1);
        tail += 1;
    }
    assert_eq!(world.process().tail("s").await, Ok(tail));
    let covered = world.manifest("s").await.state_at_checkpoint().tail.get();
    assert_eq!(world.process().read_from("s", covered).await.unwrap().len() as u64, tail - covered);
}

#[tokio::test(start_paused = true)]
async fn a_record_that_lands_in_a_collected_slot_is_not_acknowledged() {
    let world = World::new();
    let other = world.process();
    let (stalled, runtime) = world.suspendable();
    let stalled = Arc::new(stalled);
    stalled.create("s").await.unwrap();
    let mut hold = world.script.hold(Operation::Put, "/log/");
    let late = tokio::spawn({
        let stalled = stalled.clone();
        async move { stalled.append("s", "late").await }
    });
    hold.arrived().await;
    runtime.suspend();
    moves_on(&world, &other).await;
    runtime.resume();
    hold.release();
    assert_eq!(late.await.unwrap(), Err(Refusal::OutcomeUnknown));
    assert!(world.line("s", 1).await.is_some(), "it did land, in the hole");
    goes_on_at(&world, &[&stalled, &other], 3).await;
}

#[tokio::test(start_paused = true)]
async fn a_record_that_lands_late_by_itself_is_never_read() {
    let world = World::new();
    let (stalled, other) = (world.process(), world.process());
    stalled.create("s").await.unwrap();
    world.script.always(Operation::Put, "/log/", Fault::Postpone);
    assert_eq!(stalled.append("s", "late").await, Err(Refusal::OutcomeUnknown));
    world.script.clear();
    moves_on(&world, &other).await;
    assert_eq!(world.faulty.land_postponed(0).await, Ok(Some(true)));
    goes_on_at(&world, &[&stalled, &other], 3).await;
}

#[tokio::test(start_paused = true)]
async fn an_acknowledgement_that_was_sent_in_time_is_believed_however_late_it_comes() {
    let world = World::new();
    let other = world.process();
    let (stalled, runtime) = world.suspendable();
    let stalled = Arc::new(stalled);
    stalled.create("s").await.unwrap();
    let mut hold = world.script.hold_answer(Operation::Put, "/log/");
    let late = tokio::spawn({
        let stalled = stalled.clone();
        async move { stalled.append("s", "early").await }
    });
    hold.arrived().await;
    runtime.suspend();
    moves_on(&world, &other).await;
    runtime.resume();
    hold.release();
    assert_eq!(late.await.unwrap().as_ref().map(end_of), Ok(5));
    goes_on_at(&world, &[&stalled, &other], 8).await;
}

/// The answer is lost instead, and the record has been collected: it must not be sent again.
#[tokio::test(start_paused = true)]
async fn a_record_whose_slot_was_collected_before_its_answer_came_is_not_written_twice() {
    let world = World::new();
    let other = world.process();
    let (stalled, runtime) = world.suspendable();
    let stalled = Arc::new(stalled);
    stalled.create("s").await.unwrap();
    let mut hold = world.script.hold_answer(Operation::Put, "/log/");
    let late = tokio::spawn({
        let stalled = stalled.clone();
        async move { stalled.append("s", "early").await }
    });
    hold.arrived().await;
    runtime.suspend();
    moves_on(&world, &other).await;
    // The connection broke meanwhile: the request runs into its time-out when the process resumes.
    runtime.resume();
    assert_eq!(late.await.unwrap(), Err(Refusal::OutcomeUnknown));
    drop(hold);
    assert!(world.line("s", 1).await.is_none(), "the hole is left alone");
    goes_on_at(&world, &[&stalled, &other], 8).await;
}

#[tokio::test(start_paused = true)]
async fn a_slot_found_missing_after_the_lease_is_not_taken_for_the_tail() {
    let world = World::new();
    let other = world.process();
    let (stalled, runtime) = world.suspendable();
    let stalled = Arc::new(stalled);
    stalled.create("s").await.unwrap();
    let mut hold = world.script.hold(Operation::Get, "/log/");
    let late = tokio::spawn({
        let stalled = stalled.clone();
        async move { stalled.tail("s").await }
    });
    hold.arrived().await;
    runtime.suspend();
    moves_on(&world, &other).await;
    runtime.resume();
    hold.release();
    assert_eq!(late.await.unwrap(), Ok(3));
    goes_on_at(&world, &[&stalled, &other], 3).await;
}

#[tokio::test(start_paused = true)]
async fn an_opener_that_read_an_old_manifest_opens_anew() {
    let world = World::new();
    let other = world.process();
    other.create("s").await.unwrap();
    let (stalled, runtime) = world.suspendable();
    let stalled = Arc::new(stalled);
    let mut hold = world.script.hold_answer(Operation::Get, "manifest/");
    let late = tokio::spawn({
        let stalled = stalled.clone();
        async move { stalled.append("s", "late").await }
    });
    hold.arrived().await;
    runtime.suspend();
    moves_on(&world, &other).await;
    runtime.resume();
    hold.release();
    assert_eq!(late.await.unwrap().as_ref().map(end_of), Ok(7));
    goes_on_at(&world, &[&stalled, &other], 7).await;
}

/// Two stale writers meet in a collected slot: the second must not build on the first.
#[tokio::test(start_paused = true)]
async fn a_stray_in_a_collected_slot_is_not_built_upon() {
    let world = World::new();
    let (stray, other) = (world.process(), world.process());
    let (stalled, runtime) = world.suspendable();
    let stalled = Arc::new(stalled);
    stalled.create("s").await.unwrap();
    world.script.always(Operation::Put, "/log/", Fault::Postpone);
    assert_eq!(stray.append("s", "stray").await, Err(Refusal::OutcomeUnknown));
    world.script.clear();
    stalled.tail("s").await.unwrap();
    let mut hold = world.script.hold(Operation::Put, "/log/");
    let late = tokio::spawn({
        let stalled = stalled.clone();
        async move { stalled.append("s", "late").await }
    });
    hold.arrived().await;
    runtime.suspend();
    moves_on(&world, &other).await;
    assert_eq!(world.faulty.land_postponed(0).await, Ok(Some(true)));
    runtime.resume();
    hold.release();
    let outcome = late.await.unwrap();
    let tail = match &outcome {
        Ok(outcome) => end_of(outcome),
        Err(refusal) => {
            assert!(matches!(refusal, Refusal::OutcomeUnknown | Refusal::StoreUnavailable), "{refusal:?}");
            3
        }
    };
    goes_on_at(&world, &[&stalled, &other], tail).await;
}

#[tokio::test(start_paused = true)]
async fn a_record_in_the_log_of_a_collected_incarnation_is_not_acknowledged() {
    let world = World::new();
    let other = world.process();
    let (stalled, runtime) = world.suspendable();
    let stalled = Arc::new(stalled);
    let first = stalled.create("s").await.unwrap().stream.incarnation;
    let mut hold = world.script.hold(Operation::Put, "/log/");
    let late = tokio::spawn({
        let stalled = stalled.clone();
        async move { stalled.append("s", "late").await }
    });
    hold.arrived().await;
    runtime.suspend();
    other.delete("s").await.unwrap();
    other.create("s").await.unwrap();
    other.append("s", "new").await.unwrap();
    pass(A_DAY).await;
    world.collect_incarnation("s", first).await;
    runtime.resume();
    hold.release();
    assert_eq!(late.await.unwrap(), Err(Refusal::OutcomeUnknown));
    for process in [&*stalled, &other, &world.process()] {
        assert_eq!(process.read("s").await.unwrap(), "new");
    }
}

#[tokio::test(start_paused = true)]
async fn a_process_that_slept_through_an_end_and_its_collection_finds_what_lives_now() {
    let world = World::new();
    let (sleeper, other) = (world.process(), world.process());
    let first = sleeper.create("s").await.unwrap().stream.incarnation;
    other.delete("s").await.unwrap();
    other.create("s").await.unwrap();
    pass(A_DAY).await;
    world.collect_incarnation("s", first).await;
    assert_eq!(end_of(&sleeper.append("s", "new").await.unwrap()), 3);
    assert_eq!(other.read("s").await.unwrap(), "new");
    assert!(world.keys("ds/", &first.to_string()).await.is_empty(), "nothing in the log that ended");
}

#[tokio::test(start_paused = true)]
async fn a_state_older_than_half_its_lease_costs_one_manifest_read_and_is_kept() {
    let world = World::new();
    let process = world.process();
    process.create("s").await.unwrap();
    process.append("s", "x").await.unwrap();
    pass(secs(31)).await;
    let (outcome, requests) = process.recording(process.append("s", "x")).await;
    outcome.unwrap();
    assert_eq!(requests.len(), 2, "{requests:?}");
    assert!(requests[0].starts_with("GET manifest/") && requests[1].starts_with("PUT ds/"), "{requests:?}");
    pass(secs(31)).await;
    let (tail, cost) = process.counting(process.tail("s")).await;
    assert_eq!((tail, cost), (Ok(2), RequestCounts { get: 2, put: 0, delete: 0, list: 0 }));
    for _ in 0..10 {
        pass(secs(20)).await;
        let (tail, cost) = process.counting(process.tail("s")).await;
        assert_eq!((tail, cost.get), (Ok(2), 1), "a missing slot renews the lease");
    }
}

#[tokio::test(start_paused = true)]
async fn a_state_that_a_checkpoint_overtook_is_opened_anew() {
    let world = World::new();
    let (behind, other) = (world.process(), world.process());
    behind.create("s").await.unwrap();
    for text in ["a", "b", "c"] {
        other.append("s", text).await.unwrap();
    }
    world.checkpoint("s").await;
    pass(secs(31)).await;
    let (tail, requests) = behind.recording(behind.tail("s")).await;
    assert_eq!(tail, Ok(3));
    let manifests = requests.iter().filter(|request| request.starts_with("GET manifest/")).count();
    assert_eq!(manifests, 2, "one says that it was overtaken, one opens: {requests:?}");
    assert!(!requests.iter().any(|request| request.ends_with("00001.rec")), "no covered slot is read: {requests:?}");
    goes_on_at(&world, &[&behind, &other], 3).await;
}

#[tokio::test(start_paused = true)]
async fn a_checkpoint_at_the_state_itself_keeps_it() {
    let world = World::new();
    let process = world.process();
    process.create("s").await.unwrap();
    process.append("s", "abc").await.unwrap();
    world.checkpoint("s").await;
    pass(secs(31)).await;
    let (tail, cost) = process.counting(process.tail("s")).await;
    assert_eq!((tail, cost.get), (Ok(3), 2));
    assert_eq!(process.read("s").await.unwrap(), "abc", "what it knew by record, it still knows");
}

/// A record that was found proves nothing about the slots after it.
#[tokio::test(start_paused = true)]
async fn a_record_found_does_not_renew_the_lease() {
    let world = World::new();
    let (loser, winner) = (world.process(), world.process());
    loser.create("s").await.unwrap();
    winner.append("s", "a").await.unwrap();
    pass(std::time::Duration::from_millis(29_950)).await;
    let (outcome, requests) = loser.recording(loser.append("s", "b")).await;
    assert_eq!(end_of(&outcome.unwrap()), 2);
    // PUT lost, record found, and by then half of the lease that the manifest gave is over.
    let kinds: Vec<&str> = requests.iter().map(|request| &request[..7]).collect();
    assert_eq!(kinds, ["PUT ds/", "GET ds/", "GET man", "PUT ds/"], "{requests:?}");
}

#[tokio::test(start_paused = true)]
async fn an_open_that_takes_longer_than_half_a_lease_reads_the_manifest_again() {
    let world = World::new();
    let writer = world.process();
    writer.create("s").await.unwrap();
    for _ in 0..15 {
        writer.append("s", "x").await.unwrap();
    }
    let opener = world.process();
    // Slot 16 is seen missing in the first round. Slots 1 and 3 are read in different rounds, each
    // of them slow.
    let slow = [world.script.hold(Operation::Get, "01.rec"), world.script.hold(Operation::Get, "03.rec")];
    tokio::spawn(async move {
        for mut hold in slow {
            hold.arrived().await;
            pass(secs(20)).await;
            hold.release();
        }
    });
    let (tail, requests) = opener.recording(opener.tail("s")).await;
    assert_eq!(tail, Ok(15));
    assert_eq!(requests.iter().filter(|request| request.starts_with("GET manifest/")).count(), 2, "{requests:?}");
}

/// A log that no checkpoint shortens may be so long that a lease does not last to read it.
#[tokio::test(start_paused = true)]
async fn a_log_too_long_for_one_lease_is_read_in_parts() {
    let world = World::new();
    let writer = world.process();
    writer.create("s").await.unwrap();
    for _ in 0..1100 {
        writer.append("s", "x").await.unwrap();
    }
    world.slow_down(secs(5));
    let opener = world.process();
    assert_eq!(opener.tail("s").await, Ok(1100));
}
