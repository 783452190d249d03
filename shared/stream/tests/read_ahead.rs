//! Reading ahead of readers who catch up: the next page is there when they ask for it, at no more requests in all.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use common::*;
use tokio::time::Instant;
use wadi_protocol::{Offset, ReadFrom, ReadRequest};
use wadi_store::{Fault, FaultScript, FaultyStore, Meter, MeteredStore, Operation, metered};
use wadi_stream::{Engine, EngineSettings, Fitness, limits::READ_AHEAD_WAIT_MAX};

const MIB: u64 = 1 << 20;

fn ahead(pages_ahead_max: usize) -> EngineSettings {
    EngineSettings { pages_ahead_max, ..EngineSettings::default() }
}

fn mebibyte(number: u64) -> Bytes {
    Bytes::from([u8::try_from(number % 251).unwrap()].repeat(1 << 20))
}

/// Streams of 24 MiB, sealed or not.
async fn write(world: &World, names: &[&str], sealed: bool) {
    let writer = world.process();
    for name in names {
        writer.create(name).await.unwrap();
        for number in 0..24 {
            writer.write(name, append_bytes(mebibyte(number))).await.unwrap();
        }
        if sealed {
            writer.engine.seal(&key(name)).await.unwrap();
        }
    }
}

async fn page(engine: &Engine, name: &str, from_mib: u64, mib: u64) {
    let from = ReadFrom::At(Offset::new(from_mib * MIB));
    let request = ReadRequest { bytes_max: mib * MIB, ..read(from) };
    let answer = engine.read(&key(name), request).await.unwrap();
    let expected: Vec<Bytes> = (from_mib..from_mib + mib).map(mebibyte).collect();
    assert!(answer.body.into_pieces().concat() == expected.concat(), "{from_mib}");
}

/// What a page costs, with what is done in the second after it.
async fn page_and_after(process: &Process, name: &str, from_mib: u64, mib: u64) -> u64 {
    let page_and_pause = async {
        page(&process.engine, name, from_mib, mib).await;
        pass(secs(1)).await;
    };
    process.counting(page_and_pause).await.1.get
}

#[tokio::test(start_paused = true)]
async fn the_page_after_a_large_one_is_there_when_it_is_asked_for() {
    let world = World::new();
    write(&world, &["s"], true).await;
    let reader = world.process_by(ahead(4));
    page_and_after(&reader, "s", 0, 8).await;
    let started = Instant::now();
    page(&reader.engine, "s", 8, 8).await;
    assert_eq!(started.elapsed(), ROUND, "a probe and nothing else");
}

#[tokio::test(start_paused = true)]
async fn a_reader_who_is_faster_than_what_is_fetched_for_it_shares_it() {
    let world = World::new();
    write(&world, &["s"], true).await;
    let mut costs = Vec::new();
    for pages_ahead_max in [0, 4] {
        let reader = world.process_by(ahead(pages_ahead_max));
        let whole = async {
            for from_mib in [0, 8, 16] {
                page(&reader.engine, "s", from_mib, 8).await;
            }
        };
        costs.push(reader.counting(whole).await.1);
    }
    assert_eq!(costs[0], costs[1]);
}

#[tokio::test(start_paused = true)]
async fn pages_that_nobody_comes_for_are_few_and_their_places_are_given_on() {
    let world = World::new();
    write(&world, &["a", "b", "c"], true).await;
    let (plain, reader) = (world.process(), world.process_by(ahead(2)));
    let page_alone = page_and_after(&plain, "a", 0, 8).await;
    assert_eq!(page_and_after(&reader, "a", 0, 8).await, page_alone + 2, "the two chunks of the next");
    assert_eq!(page_and_after(&reader, "b", 0, 8).await, page_alone + 2);
    assert_eq!(page_and_after(&reader, "c", 0, 8).await, page_alone, "no place is left");
    pass(READ_AHEAD_WAIT_MAX).await;
    assert_eq!(page_and_after(&reader, "c", 0, 8).await, 1 + 2, "a probe, for what is known, and the next");
}

#[tokio::test(start_paused = true)]
async fn what_was_fetched_ahead_is_counted_with_the_request_that_it_was_for() {
    let world = World::new();
    write(&world, &["s"], true).await;
    let store = Arc::new(MeteredStore::new(world.faulty.clone()));
    let engine = Engine::with_settings(store, Arc::new(VirtualRuntime::new(7)), Fitness::Proved, ahead(4));
    page(&engine, "s", 0, 8).await;
    pass(secs(1)).await;
    let meter = Meter::new(|| Duration::ZERO);
    metered(Some(meter.clone()), page(&engine, "s", 8, 8)).await;
    assert_eq!(meter.usage().requests.get, 1 + 2);
}

#[tokio::test(start_paused = true)]
async fn small_pages_and_what_is_not_sealed_are_not_fetched_ahead() {
    let world = World::new();
    write(&world, &["sealed"], true).await;
    write(&world, &["records"], false).await;
    for (name, mib) in [("sealed", 3), ("records", 8)] {
        let (plain, reader) = (world.process(), world.process_by(ahead(4)));
        assert_eq!(page_and_after(&reader, name, 0, mib).await, page_and_after(&plain, name, 0, mib).await, "{name}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_object_that_could_not_be_fetched_ahead_is_fetched_by_the_reader() {
    let world = World::new();
    write(&world, &["s"], true).await;
    let script = Arc::new(FaultScript::new());
    let store = Arc::new(FaultyStore::new(world.faulty.clone(), script.clone()));
    let engine = Engine::with_settings(store, Arc::new(VirtualRuntime::new(7)), Fitness::Proved, ahead(4));
    page(&engine, "s", 0, 8).await;
    script.always(Operation::Get, "chunk/", Fault::BreakOff);
    pass(secs(1)).await;
    script.clear();
    page(&engine, "s", 8, 8).await;
}
