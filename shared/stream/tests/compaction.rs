//! Slow writers and slow readers while a stream is sealed and collected under them.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests")]

mod common;

use std::{sync::Arc, time::Duration};

use common::*;
use wadi_protocol::{Offset, ReadForm, ReadFrom, ReadRequest, Refusal};
use wadi_store::{FaultScript, FaultyStore, Operation};
use wadi_stream::{EngineSettings, SweepScope, TailStep, limits::GRACE};

async fn append_many(process: &Process, count: usize) -> String {
    let mut all = String::new();
    for number in 0..count {
        let body = format!("{number};");
        process.append("s", &body).await.unwrap();
        all.push_str(&body);
    }
    all
}

/// Seals, and collects all that is sealed.
async fn compact(process: &Process) {
    compact_after(process, GRACE).await;
}

async fn compact_after(process: &Process, grace: Duration) {
    process.engine.seal(&key("s")).await.unwrap();
    pass(grace + secs(60)).await;
    process.engine.sweep(SweepScope::Full, &|_| {}).await.unwrap();
}

/// See: <https://github.com/slatedb/slatedb/issues/352>, <https://github.com/slatedb/slatedb/issues/1622>
///
/// A writer's record is under way for a day. Meanwhile others append, and the slot it goes to is sealed
/// and collected: it is empty again when the record arrives.
#[tokio::test(start_paused = true)]
async fn case_5_a_stalled_writer_whose_slot_was_sealed_and_collected() {
    let world = World::new();
    let script = Arc::new(FaultScript::new());
    let store = Arc::new(FaultyStore::new(world.bucket.clone(), script.clone()));
    let stalled = Arc::new(world.process_on(store.clone()));
    let other = world.process();
    other.create("s").await.unwrap();
    let mut all = append_many(&other, 3).await;
    stalled.tail("s").await.unwrap();
    script.next(Operation::Put, "/log/", wadi_store::Fault::Postpone);
    script.always(Operation::Put, "/log/", wadi_store::Fault::LoseRequest);
    script.always(Operation::Get, "/log/", wadi_store::Fault::ServerError);
    let late = stalled.append("s", "late").await;
    assert_eq!(late, Err(Refusal::OutcomeUnknown));
    all += &append_many(&other, 60).await;
    compact(&other).await;
    assert_eq!(store.land_postponed(0).await, Ok(Some(true)), "its slot is empty again");
    script.clear();
    for process in [&*stalled, &other, &world.process()] {
        assert_eq!(process.read("s").await.unwrap(), all);
        process.append("s", "+").await.unwrap();
        all.push('+');
    }
    compact(&other).await;
    for process in [&*stalled, &other, &world.process()] {
        assert_eq!(process.read("s").await.unwrap(), all, "the stray changes nothing");
    }
}

/// See: <https://github.com/slatedb/slatedb/issues/1635>
///
/// A reader takes one small page at a time, and between two pages all that it knows is sealed and
/// collected. It ends with the exact bytes.
#[tokio::test(start_paused = true)]
async fn case_6_compaction_under_a_slow_reader() {
    let world = World::new();
    let (writer, reader) = (world.process(), world.process());
    writer.create("s").await.unwrap();
    let mut all = append_many(&writer, 70).await;
    let (mut read, mut from) = (String::new(), Offset::ZERO);
    let mut rounds = 0;
    while from.get() < all.len() as u64 {
        let request = ReadRequest { bytes_max: 40, ..common::read(ReadFrom::At(from)) };
        let page = reader.engine.read(&key("s"), request).await.unwrap();
        read.push_str(std::str::from_utf8(&page.body.joined()).unwrap());
        assert!(page.next > from, "never a short answer that says it is whole");
        from = page.next;
        if rounds < 3 {
            all += &append_many(&writer, 60).await;
            compact(&writer).await;
            rounds += 1;
        }
    }
    assert_eq!(read, all);
}

/// The same for a reader that follows the stream and lags behind.
#[tokio::test(start_paused = true)]
async fn a_tail_that_lags_behind_compaction_gets_the_exact_bytes() {
    let world = World::new();
    // A tail looks once a second, so a day would be long.
    let grace = Duration::from_mins(5);
    let writer = world.process_by(EngineSettings { grace, ..EngineSettings::default() });
    let reader = world.process();
    writer.create("s").await.unwrap();
    let mut all = append_many(&writer, 70).await;
    let request = ReadRequest { form: ReadForm::Stored, ..common::read(ReadFrom::Start) };
    let mut tail = reader.engine.tail(&key("s"), &request).await.unwrap();
    let mut read = String::new();
    for round in 0.. {
        match tail.step(40, secs(2)).await.unwrap() {
            TailStep::Page(page) => read.push_str(std::str::from_utf8(&page.body.clone().joined()).unwrap()),
            TailStep::Idle(_) => {}
            TailStep::Closed(_) => break,
        }
        if round < 3 {
            all += &append_many(&writer, 60).await;
            compact_after(&writer, grace).await;
        } else if round == 3 {
            writer.close("s").await.unwrap();
        }
    }
    assert_eq!(read, all);
}
