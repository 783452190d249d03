//! Objects that break off while they are read: once is no reason to turn a request away.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use common::*;
use wadi_protocol::Refusal;
use wadi_store::{Fault, Operation};

/// What a read by a process that knows nothing asks for.
const OBJECTS: [&str; 3] = ["manifest/", "00000000000000000001.rec", "00000000000000000002.rec"];

#[tokio::test(start_paused = true)]
async fn a_manifest_or_a_record_that_breaks_off_is_asked_for_once_more_and_that_is_counted() {
    let world = World::new();
    world.process().engine.create(&key("s"), create_with("abc")).await.unwrap();
    let (_, whole) = {
        let process = world.process();
        process.counting(process.read("s")).await
    };
    for object in OBJECTS {
        world.script.next(Operation::Get, object, Fault::BreakOff);
        let process = world.process();
        let (read, cost) = process.counting(process.read("s")).await;
        assert_eq!(read.unwrap(), "abc", "{object}");
        assert_eq!(cost.total(), whole.total() + 1, "{object}: {cost:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn one_that_breaks_off_again_is_told_to_come_back_later() {
    let world = World::new();
    world.process().engine.create(&key("s"), create_with("abc")).await.unwrap();
    for _ in 0..2 {
        world.script.next(Operation::Get, "manifest/", Fault::BreakOff);
    }
    let process = world.process();
    let (read, cost) = process.counting(process.read("s")).await;
    assert_eq!(read, Err(Refusal::StoreUnavailable));
    assert_eq!(cost.get, 2);
    assert_eq!(process.read("s").await.unwrap(), "abc");
}

/// A probe tells by its absence, so one whose answer broke off proves nothing yet.
#[tokio::test(start_paused = true)]
async fn a_warm_read_proves_itself_by_the_second_answer() {
    let world = World::new();
    let process = world.process();
    process.engine.create(&key("s"), create_with("abc")).await.unwrap();
    process.read("s").await.unwrap();
    world.process().append("s", "def").await.unwrap();
    world.script.next(Operation::Get, ".rec", Fault::BreakOff);
    assert_eq!(process.read("s").await.unwrap(), "abcdef");
}
