//! Bounds: on what waits, on how long an answer takes, and on how often a request is sent again.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests")]

mod common;

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use async_trait::async_trait;
use bytes::Bytes;
use common::*;
use futures::future::{join, join_all};
use tokio::time::{Instant, timeout};
use wadi_protocol::{CreateRequest, Lifetime, ReadFrom, Refusal};
use wadi_store::{After, Before, Fault, FaultHook, Operation, Request};
use wadi_stream::limits::WAITING_WRITES_MAX;

/// A store that never answers some requests.
#[derive(Default)]
struct Hanging(Mutex<Option<(Operation, &'static str)>>);

impl Hanging {
    fn on(&self, operation: Operation, key_part: &'static str) {
        *self.0.lock().unwrap() = Some((operation, key_part));
    }

    fn heal(&self) {
        *self.0.lock().unwrap() = None;
    }
}

#[async_trait]
impl FaultHook for Hanging {
    async fn before(&self, request: &Request<'_>) -> Before {
        let hanging = *self.0.lock().unwrap();
        if hanging.is_some_and(|(operation, part)| operation == request.operation() && request.mentions(part)) {
            std::future::pending::<()>().await;
        }
        Before::Proceed
    }

    async fn after(&self, _request: &Request<'_>, _applied: bool) -> After {
        After::Deliver
    }
}

const HANGS: [(Operation, &str); 4] = [
    (Operation::Get, "manifest/"),
    (Operation::Get, "/log/"),
    (Operation::Put, "manifest/"),
    (Operation::Put, "/log/"),
];

/// A client gave up long before; what counts is that nothing waits for ever.
const LONGEST: Duration = secs(100);

#[tokio::test(start_paused = true)]
async fn a_full_queue_refuses_and_what_it_holds_is_written() {
    let world = World::new();
    let process = world.process();
    process.create("s").await.unwrap();
    let appends = (0..WAITING_WRITES_MAX + 100).map(|_| process.append("s", "x"));
    let outcomes = join_all(appends).await;
    let (written, refused): (Vec<_>, Vec<_>) = outcomes.into_iter().partition(Result::is_ok);
    assert_eq!((written.len(), refused.len()), (WAITING_WRITES_MAX, 100));
    assert!(refused.into_iter().all(|refused| refused == Err(Refusal::StreamBusy)));
    assert_eq!(process.read("s").await.unwrap().len(), WAITING_WRITES_MAX);
}

#[tokio::test(start_paused = true)]
async fn a_store_that_hangs_leaves_no_request_without_an_answer() {
    for cold in [false, true] {
        for (operation, part) in HANGS {
            let world = World::new();
            world.process().create("s").await.unwrap();
            let hanging = Arc::new(Hanging::default());
            let process = world.process_with(hanging.clone());
            if !cold {
                process.append("s", "warm").await.unwrap();
            }
            hanging.on(operation, part);
            let name = key("s");
            let many = join_all((0..20).map(|_| async {
                let create = process.engine.create(&name, create_with("x"));
                let fresh = process.create("fresh");
                let (read, tail) = (process.read_page("s", ReadFrom::Start), process.tail("s"));
                let (append, delete) = (process.append("s", "x"), process.delete("s"));
                join(join(create, fresh), join(join(read, tail), join(append, delete))).await
            }));
            assert!(timeout(LONGEST, many).await.is_ok(), "{operation} {part}, cold: {cold}");
            hanging.heal();
            pass(secs(600)).await;
            let outcome = process.append("s", "healed").await;
            assert!(matches!(outcome, Ok(_) | Err(Refusal::StreamNotFound)), "{outcome:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_read_ahead_that_hangs_ends_with_its_probe() {
    let world = World::new();
    let writer = world.process();
    writer.create("s").await.unwrap();
    let large = Bytes::from(vec![b'x'; 70_000]);
    for _ in 0..80 {
        writer.write("s", append_bytes(large.clone())).await.unwrap();
    }
    let hanging = Arc::new(Hanging::default());
    let reader = world.process_with(hanging.clone());
    reader.tail("s").await.unwrap();
    hanging.on(Operation::Get, "/log/");
    let started = Instant::now();
    assert_eq!(reader.read_page("s", ReadFrom::Start).await, Err(Refusal::StoreUnavailable));
    assert!(started.elapsed() < secs(35), "{:?}", started.elapsed());
}

#[tokio::test(start_paused = true)]
async fn a_read_ahead_is_not_waited_for_once_its_probe_has_failed() {
    let world = World::new();
    let writer = world.process();
    writer.create("s").await.unwrap();
    writer.append("s", &"x".repeat(100_000)).await.unwrap();
    let hanging = Arc::new(Hanging::default());
    let reader = world.process_with(hanging.clone());
    reader.tail("s").await.unwrap();
    hanging.on(Operation::Get, "01.rec");
    world.script.always(Operation::Get, "02.rec", Fault::ServerError);
    let started = Instant::now();
    assert_eq!(reader.read_page("s", ReadFrom::Start).await, Err(Refusal::StoreUnavailable));
    assert!(started.elapsed() < secs(1), "{:?}", started.elapsed());
}

/// Nobody waits for them any more, and a store in trouble has enough to do.
#[tokio::test(start_paused = true)]
async fn creates_behind_one_that_hangs_are_not_sent_after_their_time() {
    let world = World::new();
    let hanging = Arc::new(Hanging::default());
    let process = world.process_with(hanging.clone());
    process.create("clock").await.unwrap();
    hanging.on(Operation::Put, "manifest/");
    let answers = join_all((0..20).map(|_| process.create("s"))).await;
    assert!(
        answers.into_iter().all(|answer| answer == Err(Refusal::OutcomeUnknown) || answer == Err(Refusal::StreamBusy))
    );
    pass(secs(200)).await;
    let ((), cost) = process.counting(pass(secs(600))).await;
    assert_eq!(cost.total(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_tombstone_that_hangs_does_not_hold_up_the_answers() {
    let world = World::new();
    let hanging = Arc::new(Hanging::default());
    let process = world.process_with(hanging.clone());
    process.create("s").await.unwrap();
    let other = world.process_with(hanging.clone());
    other.tail("s").await.unwrap();
    hanging.on(Operation::Put, "manifest/");
    let started = Instant::now();
    process.delete("s").await.unwrap();
    assert_eq!(other.read("s").await, Err(Refusal::StreamNotFound));
    assert_eq!(world.process_with(hanging.clone()).tail("s").await, Err(Refusal::StreamNotFound));
    assert!(started.elapsed() < secs(30), "{:?}", started.elapsed());
    hanging.heal();
    pass(secs(600)).await;
    assert!(!other.create("s").await.unwrap().existed);
}

/// The record alone ended the stream: who cannot write the tombstone says so all the same.
#[tokio::test(start_paused = true)]
async fn a_stream_that_ended_is_not_found_by_those_who_cannot_write() {
    let world = World::new();
    let process = world.process();
    process.create("s").await.unwrap();
    world.script.always(Operation::Put, "manifest/", Fault::Denied);
    process.delete("s").await.unwrap();
    for process in [&process, &world.process()] {
        assert_eq!(process.read("s").await, Err(Refusal::StreamNotFound));
        assert_eq!(process.append("s", "x").await, Err(Refusal::StreamNotFound));
        assert_eq!(process.delete("s").await, Err(Refusal::StreamNotFound));
    }
}

#[tokio::test(start_paused = true)]
async fn a_renewal_that_hangs_does_not_hold_up_the_read() {
    let world = World::new();
    let hanging = Arc::new(Hanging::default());
    let process = world.process_with(hanging.clone());
    let lifetime = Lifetime::Ttl { seconds: 100 };
    process.engine.create(&key("s"), CreateRequest { lifetime, ..create() }).await.unwrap();
    pass(secs(26)).await;
    hanging.on(Operation::Put, "/log/");
    let started = Instant::now();
    assert_eq!(process.read("s").await.unwrap(), "");
    assert!(started.elapsed() < secs(6), "{:?}", started.elapsed());
}

#[tokio::test(start_paused = true)]
async fn a_store_in_trouble_is_not_hammered() {
    for fault in [Fault::ServerError, Fault::LoseRequest, Fault::Conflict] {
        let world = World::new();
        let process = world.process();
        process.create("s").await.unwrap();
        world.script.always(Operation::Put, "/log/", fault.clone());
        let (outcome, cost) = process.counting(process.append("s", "x")).await;
        outcome.unwrap_err();
        assert!(cost.total() < 100, "{cost:?} in twenty seconds of {fault:?}");
    }
    let world = World::new();
    let process = world.process();
    process.create("s").await.unwrap();
    process.delete("s").await.unwrap();
    world.script.always(Operation::Put, "manifest/", Fault::ServerError);
    let (outcome, cost) = process.counting(process.create("s")).await;
    assert_eq!(outcome, Err(Refusal::OutcomeUnknown));
    assert!(cost.total() < 20, "{cost:?}");
}

#[tokio::test(start_paused = true)]
async fn a_request_that_nobody_waits_for_any_more_is_committed() {
    let world = World::new();
    let process = Arc::new(world.process());
    process.create("s").await.unwrap();
    let mut hold = world.script.hold(Operation::Put, "/log/");
    let asked = tokio::spawn({
        let process = process.clone();
        async move { process.append("s", "x").await }
    });
    hold.arrived().await;
    asked.abort();
    assert!(asked.await.unwrap_err().is_cancelled());
    hold.release();
    process.append("s", "y").await.unwrap();
    assert_eq!(process.read("s").await.unwrap(), "xy");
}

#[tokio::test(start_paused = true)]
async fn a_create_that_nobody_waits_for_any_more_is_finished() {
    let world = World::new();
    let process = Arc::new(world.process());
    let mut hold = world.script.hold(Operation::Put, "/log/");
    let asked = tokio::spawn({
        let process = process.clone();
        async move { process.engine.create(&key("s"), create_with("hello")).await }
    });
    hold.arrived().await;
    asked.abort();
    hold.release();
    pass(secs(1)).await;
    assert_eq!(process.read("s").await.unwrap(), "hello");
}

#[tokio::test(start_paused = true)]
async fn an_engine_dropped_on_the_way_leaves_a_sound_stream() {
    let world = World::new();
    let process = world.process();
    process.create("s").await.unwrap();
    let mut hold = world.script.hold(Operation::Put, "/log/");
    let engine = process.engine.clone();
    let asked = tokio::spawn(async move { engine.write(&key("s"), append("x")).await });
    hold.arrived().await;
    drop(process);
    asked.abort();
    hold.release();
    let other = world.process();
    other.append("s", "y").await.unwrap();
    let text = other.read("s").await.unwrap();
    assert!(["xy", "yx", "y"].contains(&text.as_str()), "{text}");
}
