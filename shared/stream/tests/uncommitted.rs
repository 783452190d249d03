//! Answers that rest on what is not committed yet: they wait for it, and are decided again when it
//! comes to nothing.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests")]

mod common;

use std::sync::Arc;

use common::*;
use futures::future::join_all;
use tokio::task::JoinHandle;
use wadi_protocol::{
    Epoch, IfMatch, Offset, ProducerRefusal, ProducerSeq, Refusal, StreamSeq, WriteOutcome, WriteRequest,
};
use wadi_store::{Fault, Operation};

type Answer = Result<WriteOutcome, Refusal>;

/// Starts a write and lets it get as far as it gets without time.
async fn enqueue(process: &Arc<Process>, request: WriteRequest) -> JoinHandle<Answer> {
    let process = process.clone();
    let answer = tokio::spawn(async move { process.write("s", request).await });
    tokio::task::yield_now().await;
    answer
}

/// Starts writes that go into one record.
fn enqueue_all(process: &Arc<Process>, requests: Vec<WriteRequest>) -> JoinHandle<Vec<Answer>> {
    let process = process.clone();
    tokio::spawn(async move { join_all(requests.into_iter().map(|request| process.write("s", request))).await })
}

/// One process's record is held on its way, with the requests of `batch` in it.
async fn held(world: &World, batch: Vec<WriteRequest>) -> (Arc<Process>, JoinHandle<Vec<Answer>>, wadi_store::Hold) {
    let process = Arc::new(world.process());
    process.create("s").await.unwrap();
    let mut hold = world.script.hold(Operation::Put, "/log/");
    let waiting = enqueue_all(&process, batch);
    hold.arrived().await;
    (process, waiting, hold)
}

fn batch(incarnation: wadi_protocol::Incarnation) -> Vec<WriteRequest> {
    let at_start = wadi_protocol::EndTag { incarnation, end: Offset::ZERO, closed: false };
    let at_one = wadi_protocol::EndTag { incarnation, end: Offset::new(1), closed: false };
    let if_match = |tag| WriteRequest { if_match: Some(IfMatch::Tags(vec![tag])), ..append("m") };
    vec![
        keyed(append("0"), "p", 0, 0),
        keyed(append("0"), "p", 0, 0),
        if_match(at_start),
        if_match(at_one),
        keyed(append("1"), "p", 0, 1),
        keyed(append("3"), "p", 0, 3),
        close(),
        append("late"),
        close(),
    ]
}

const fn gap(expected: u64, received: u64) -> Refusal {
    Refusal::Producer(ProducerRefusal::SeqGap {
        expected: ProducerSeq::new(expected).unwrap(),
        received: ProducerSeq::new(received).unwrap(),
    })
}

async fn known_incarnation() -> wadi_protocol::Incarnation {
    // The first process of each world draws the same token.
    let world = World::new();
    let process = world.process();
    process.create("s").await.unwrap().stream.incarnation
}

#[tokio::test(start_paused = true)]
async fn a_batch_that_commits_is_answered_as_if_one_came_after_the_other() {
    let world = World::new();
    let incarnation = known_incarnation().await;
    let (process, waiting, hold) = held(&world, batch(incarnation)).await;
    hold.release();
    let answers = waiting.await.unwrap();
    let tail = Offset::new(3);
    assert!(matches!(&answers[0], Ok(WriteOutcome::Applied(receipt)) if receipt.end.get() == 1), "{answers:?}");
    assert!(matches!(&answers[1], Ok(WriteOutcome::Repeat(receipt)) if receipt.end.get() == 1), "{answers:?}");
    assert!(matches!(&answers[2], Err(Refusal::IfMatchFailed { current }) if current.end.get() == 1), "{answers:?}");
    assert!(matches!(&answers[3], Ok(WriteOutcome::Appended { end, .. }) if end.get() == 2), "{answers:?}");
    assert!(matches!(&answers[4], Ok(WriteOutcome::Applied(receipt)) if receipt.end.get() == 3), "{answers:?}");
    assert_eq!(answers[5], Err(gap(2, 3)));
    assert_eq!(answers[6], Ok(WriteOutcome::Closed { incarnation, tail }));
    assert_eq!(answers[7], Err(Refusal::StreamClosed { tail }));
    assert_eq!(answers[8], Ok(WriteOutcome::Closed { incarnation, tail }));
    assert_eq!(process.read("s").await.unwrap(), "0m1");
    assert!(world.line("s", 2).await.is_none(), "one record");
}

/// Another process wins the slot with the same producer's writes 0 to 2: all but one of the batch
/// is answered otherwise than it was decided at first.
#[tokio::test(start_paused = true)]
async fn a_batch_that_loses_its_slot_is_decided_again() {
    let world = World::new();
    let incarnation = known_incarnation().await;
    let (process, waiting, hold) = held(&world, batch(incarnation)).await;
    let other = world.process();
    for (seq, text) in ["0", "1", "2"].into_iter().enumerate() {
        other.append_keyed("s", text, "p", 0, seq as u64).await.unwrap();
    }
    hold.release();
    let answers = waiting.await.unwrap();
    let tail = Offset::new(4);
    for (n, repeat) in [(0, true), (1, true), (4, true)] {
        assert_eq!(matches!(&answers[n], Ok(WriteOutcome::RepeatEvicted(_))), repeat, "{n}: {answers:?}");
    }
    for answer in &answers[2..4] {
        assert!(matches!(answer, Err(Refusal::IfMatchFailed { current }) if current.end.get() == 3), "{answer:?}");
    }
    assert!(matches!(&answers[5], Ok(WriteOutcome::Applied(receipt)) if receipt.end.get() == 4), "the gap is closed");
    assert_eq!(answers[6], Ok(WriteOutcome::Closed { incarnation, tail }));
    assert_eq!(answers[7], Err(Refusal::StreamClosed { tail }));
    assert_eq!(answers[8], Ok(WriteOutcome::Closed { incarnation, tail }));
    for process in [&*process, &other, &world.process()] {
        assert_eq!(process.read("s").await.unwrap(), "0123");
    }
}

#[tokio::test(start_paused = true)]
async fn a_batch_that_loses_to_a_close_is_refused_where_it_would_have_applied() {
    let world = World::new();
    let incarnation = known_incarnation().await;
    let (process, waiting, hold) = held(&world, batch(incarnation)).await;
    let other = world.process();
    other.close("s").await.unwrap();
    hold.release();
    let tail = Offset::ZERO;
    let answers = waiting.await.unwrap();
    let closed = Err(Refusal::StreamClosed { tail });
    let is_closed = Ok(WriteOutcome::Closed { incarnation, tail });
    assert_eq!([&answers[0], &answers[1], &answers[7]], [&closed, &closed, &closed]);
    // The condition is judged before the closed stream, and the sequence, too.
    for answer in &answers[2..4] {
        assert!(matches!(answer, Err(Refusal::IfMatchFailed { current }) if current.closed), "{answer:?}");
    }
    assert_eq!([&answers[4], &answers[5]], [&Err(gap(0, 1)), &Err(gap(0, 3))]);
    assert_eq!([&answers[6], &answers[8]], [&is_closed, &is_closed]);
    assert_eq!(process.read("s").await.unwrap(), "");
    assert!(world.line("s", 2).await.is_none());
}

#[tokio::test(start_paused = true)]
async fn a_batch_whose_outcome_is_unknown_is_unknown_for_each_of_its_requests() {
    let world = World::new();
    let incarnation = known_incarnation().await;
    let process = Arc::new(world.process());
    process.create("s").await.unwrap();
    world.script.always(Operation::Put, "/log/", Fault::Postpone);
    let waiting = enqueue_all(&process, batch(incarnation));
    let answers = waiting.await.unwrap();
    assert!(answers.iter().all(|answer| *answer == Err(Refusal::OutcomeUnknown)), "{answers:?}");
    world.script.clear();
    assert_eq!(process.read("s").await.unwrap(), "");
    world.faulty.land_postponed(0).await.unwrap();
    assert_eq!(process.read("s").await.unwrap(), "0m1", "it was a real possibility");
}

#[tokio::test(start_paused = true)]
async fn a_batch_that_proves_void_is_refused_as_not_written() {
    let world = World::new();
    let incarnation = known_incarnation().await;
    let process = Arc::new(world.process());
    process.create("s").await.unwrap();
    world.script.always(Operation::Put, "/log/", Fault::Denied);
    let waiting = enqueue_all(&process, batch(incarnation));
    let answers = waiting.await.unwrap();
    assert!(answers.iter().all(|answer| *answer == Err(Refusal::StoreUnavailable)), "{answers:?}");
}

#[tokio::test(start_paused = true)]
async fn a_refusal_is_proved_by_a_probe_and_taken_back_when_the_log_has_moved_on() {
    let world = World::new();
    let (one, two) = (world.process(), world.process());
    one.create("s").await.unwrap();
    one.append_keyed("s", "0", "p", 0, 0).await.unwrap();
    two.tail("s").await.unwrap();
    two.append_keyed("s", "1", "p", 0, 1).await.unwrap();
    // By what the first process knows this is a gap.
    assert!(matches!(one.append_keyed("s", "2", "p", 0, 2).await, Ok(WriteOutcome::Applied(_))));
    // And this a write of an open stream.
    two.close("s").await.unwrap();
    assert!(matches!(one.append("s", "3").await, Err(Refusal::StreamClosed { tail }) if tail.get() == 3));
    assert_eq!(one.read("s").await.unwrap(), "012");
}

#[tokio::test(start_paused = true)]
async fn a_refusal_that_cannot_be_proved_is_not_given() {
    let world = World::new();
    let process = world.process();
    process.create("s").await.unwrap();
    process.close("s").await.unwrap();
    world.script.always(Operation::Get, "/log/", Fault::ServerError);
    assert_eq!(process.append("s", "x").await, Err(Refusal::StoreUnavailable));
    assert_eq!(process.close("s").await, Err(Refusal::StoreUnavailable));
}

/// The PUT landed, its answer is still on its way, and a reader's probe finds the record first.
#[tokio::test(start_paused = true)]
async fn a_probe_may_find_this_process_s_own_record_before_its_put_is_answered() {
    let world = World::new();
    let process = Arc::new(world.process());
    process.create("s").await.unwrap();
    let mut hold = world.script.hold_answer(Operation::Put, "/log/");
    let appended = enqueue(&process, append("x")).await;
    hold.arrived().await;
    assert_eq!(process.read("s").await.unwrap(), "x", "the reader sees it before its writer is told");
    let next = enqueue(&process, append("y")).await;
    pass(secs(1)).await;
    assert!(!appended.is_finished() && !next.is_finished());
    hold.release();
    assert_eq!(end_of(&appended.await.unwrap().unwrap()), 1);
    assert_eq!(end_of(&next.await.unwrap().unwrap()), 2);
    assert_eq!(process.read("s").await.unwrap(), "xy");
    assert_eq!(world.process().read("s").await.unwrap(), "xy");
}

/// The same, but the answer is lost and others go on behind it.
#[tokio::test(start_paused = true)]
async fn an_own_record_found_behind_others_is_still_acknowledged() {
    let world = World::new();
    let process = Arc::new(world.process());
    let other = world.process();
    process.create("s").await.unwrap();
    let mut hold = world.script.hold_answer(Operation::Put, "/log/");
    let appended = enqueue(&process, append("x")).await;
    hold.arrived().await;
    other.append("s", "y").await.unwrap();
    other.append("s", "z").await.unwrap();
    assert_eq!(process.read("s").await.unwrap(), "xyz");
    // Nobody releases the answer: the request runs into its time-out.
    assert_eq!(end_of(&appended.await.unwrap().unwrap()), 1);
    drop(hold);
    assert_eq!(end_of(&process.append("s", "!").await.unwrap()), 4);
}

#[tokio::test(start_paused = true)]
async fn a_stream_seq_within_a_batch_is_judged_in_order() {
    let world = World::new();
    let seq = |text: &str| StreamSeq::parse(text).unwrap();
    let with_seq = |text: &str, body: &str| WriteRequest { stream_seq: seq(text), ..append(body) };
    let requests = vec![with_seq("2", "a"), with_seq("1", "b"), with_seq("3", "c"), with_seq("3", "d")];
    let (process, waiting, hold) = held(&world, requests).await;
    hold.release();
    let answers = waiting.await.unwrap();
    assert!(answers[0].is_ok() && answers[2].is_ok(), "{answers:?}");
    for (n, last) in [(1, "2"), (3, "3")] {
        assert!(
            matches!(&answers[n], Err(Refusal::StreamSeqConflict { last: told, .. }) if Some(told) == seq(last).as_ref()),
            "{answers:?}"
        );
    }
    assert_eq!(process.read("s").await.unwrap(), "ac");
}

#[tokio::test(start_paused = true)]
async fn a_claim_and_a_zombie_in_one_batch_are_judged_in_order() {
    let world = World::new();
    let requests = vec![
        keyed(append("a"), "p", 1, 0),
        keyed(append("b"), "p", 2, 0),
        keyed(append("c"), "p", 1, 1),
        keyed(append("d"), "p", 2, 1),
    ];
    let (process, waiting, hold) = held(&world, requests).await;
    hold.release();
    let answers = waiting.await.unwrap();
    assert!(answers[0].is_ok() && answers[1].is_ok() && answers[3].is_ok(), "{answers:?}");
    let current = Epoch::new(2).unwrap();
    assert!(
        matches!(&answers[2], Err(Refusal::Producer(ProducerRefusal::EpochClosed { current: told, .. })) if *told == current),
        "{answers:?}"
    );
    assert_eq!(process.read("s").await.unwrap(), "abd");
}
