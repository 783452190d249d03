//! Large payloads under contention: stored once, apart from the records that race.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests")]

mod common;

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use async_trait::async_trait;
use bytes::Bytes;
use common::*;
use wadi_protocol::{Offset, ReadFrom, Refusal, WriteOutcome};
use wadi_store::{After, Before, Fault, FaultHook, ObjectKey, Operation, Request};
use wadi_stream::limits::CONTENDED_PAYLOAD_BYTES_MAX;

const KIB: usize = 1024;

/// Before each of a process's next `races` records is sent, another process takes its slot.
struct Rival {
    other: Process,
    races: AtomicU32,
}

#[async_trait]
impl FaultHook for Rival {
    async fn before(&self, request: &Request<'_>) -> Before {
        let slot = request.operation() == Operation::Put && request.mentions("/log/");
        let left = |races: u32| races.checked_sub(1);
        if slot && self.races.fetch_update(Ordering::Relaxed, Ordering::Relaxed, left).is_ok() {
            self.other.append("s", ".").await.unwrap();
        }
        Before::Proceed
    }

    async fn after(&self, _request: &Request<'_>, _applied: bool) -> After {
        After::Deliver
    }
}

fn payload(bytes: usize) -> Bytes {
    (0..bytes).map(|n| u8::try_from(n % 251).unwrap()).collect()
}

/// A process that loses its next `races` races.
async fn contended(world: &World, races: u32) -> (Arc<Process>, Arc<Rival>) {
    let other = world.process();
    other.create("s").await.unwrap();
    let rival = Arc::new(Rival { other, races: AtomicU32::new(races) });
    let process = Arc::new(world.process_with(rival.clone()));
    process.tail("s").await.unwrap();
    (process, rival)
}

async fn bodies(world: &World) -> Vec<ObjectKey> {
    world.keys("ds/", "/body/").await
}

async fn write(process: &Process, bytes: &Bytes) -> Result<WriteOutcome, Refusal> {
    process.write("s", append_bytes(bytes.clone())).await
}

#[tokio::test(start_paused = true)]
async fn a_large_payload_that_lost_twice_is_stored_apart_and_read_back_whole() {
    let world = World::new();
    let large = payload(600 * KIB);
    let (process, rival) = contended(&world, 2).await;
    let (outcome, requests) = process.recording(write(&process, &large)).await;
    assert_eq!(end_of(&outcome.unwrap()), 2 + large.len() as u64);
    let puts: Vec<&str> = requests.iter().map(|request| &request[..]).filter(|line| line.starts_with("PUT")).collect();
    assert_eq!(puts.iter().map(|line| line.contains("/body/")).collect::<Vec<_>>(), [false, false, true, false]);
    let record = world.object(&world.slot("s", 3).await).await.unwrap().0;
    assert!(record.len() < KIB, "the record that races is small");
    for process in [&*process, &rival.other, &world.process()] {
        assert_eq!(process.read_from("s", 2).await.unwrap(), large);
        let middle = process.read_page("s", ReadFrom::At(Offset::new(300_000))).await.unwrap();
        assert_eq!(middle.body.joined(), large.slice(299_998..));
    }
    process.append("s", "!").await.unwrap();
    assert_eq!(rival.other.tail("s").await, Ok(3 + large.len() as u64));
}

#[tokio::test(start_paused = true)]
async fn a_payload_that_is_small_or_has_lost_once_only_travels_in_its_record() {
    for (bytes, races, apart) in [
        (CONTENDED_PAYLOAD_BYTES_MAX, 5, 0),
        (CONTENDED_PAYLOAD_BYTES_MAX + 1, 1, 0),
        (CONTENDED_PAYLOAD_BYTES_MAX + 1, 2, 1),
    ] {
        let world = World::new();
        let (process, _) = contended(&world, races).await;
        write(&process, &payload(bytes)).await.unwrap();
        assert_eq!(bodies(&world).await.len(), apart, "{bytes} bytes, {races} races");
        let read = world.process().read_from("s", u64::from(races)).await.unwrap();
        assert_eq!(read, payload(bytes));
    }
}

#[tokio::test(start_paused = true)]
async fn a_body_is_uploaded_once_however_often_its_record_loses() {
    let world = World::new();
    let (process, _) = contended(&world, 6).await;
    let large = payload(300 * KIB);
    write(&process, &large).await.unwrap();
    assert_eq!(bodies(&world).await.len(), 1);
    assert_eq!(world.process().read_from("s", 6).await.unwrap(), large);
}

#[tokio::test(start_paused = true)]
async fn several_appends_of_one_record_share_its_body() {
    let world = World::new();
    let (process, _) = contended(&world, 2).await;
    let parts: Vec<Bytes> = (1..=4).map(|n| payload(n * 90 * KIB)).collect();
    let writes = futures::future::join_all(parts.iter().map(|part| write(&process, part)));
    assert!(writes.await.into_iter().all(|outcome| outcome.is_ok()));
    assert_eq!(bodies(&world).await.len(), 1);
    assert_eq!(world.process().read_from("s", 2).await.unwrap(), parts.concat());
}

/// A body that is named by no record is collected a day later, so only a young one may be named.
#[tokio::test(start_paused = true)]
async fn a_body_that_is_not_young_any_more_is_uploaded_again() {
    let world = World::new();
    let (process, rival) = contended(&world, 2).await;
    // Two of them do not fit into one record, so the second waits for the first.
    let large = payload(5 << 20);
    let ask = |process: &Arc<Process>| {
        let (process, large) = (process.clone(), large.clone());
        tokio::spawn(async move { write(&process, &large).await })
    };
    let first = ask(&process);
    while bodies(&world).await.is_empty() {
        pass(ROUND / 2).await;
    }
    // The third record is held for so long that its time is over when it loses, too.
    let mut slow = world.script.hold(Operation::Put, "/log/");
    slow.arrived().await;
    pass(secs(25)).await;
    let second = ask(&process);
    pass(secs(4)).await;
    rival.other.append("s", ".").await.unwrap();
    rival.races.store(2, Ordering::Relaxed);
    slow.release();
    assert_eq!(first.await.unwrap(), Err(Refusal::StreamBusy), "proved void, and its time is over");
    let mut slow = world.script.hold(Operation::Get, "/log/");
    slow.arrived().await;
    pass(secs(5)).await;
    slow.release();
    second.await.unwrap().unwrap();
    assert_eq!(bodies(&world).await.len(), 2, "one was too old to be named");
    assert_eq!(world.process().read_from("s", 5).await.unwrap(), large);
}

#[tokio::test(start_paused = true)]
async fn a_state_that_grew_old_during_an_upload_is_validated_before_the_record_is_sent() {
    let world = World::new();
    let (process, _) = contended(&world, 2).await;
    pass(secs(19)).await;
    let mut slow = world.script.hold(Operation::Put, "/body/");
    tokio::spawn(async move {
        slow.arrived().await;
        pass(secs(12)).await;
        slow.release();
    });
    let (outcome, requests) = process.recording(write(&process, &payload(300 * KIB))).await;
    outcome.unwrap();
    let after: Vec<&String> = requests.iter().skip_while(|line| !line.contains("/body/")).skip(1).collect();
    assert!(after[0].starts_with("GET manifest/"), "{after:?}");
    assert!(after[1].starts_with("PUT ds/") && after.len() == 2, "{after:?}");
}

#[tokio::test(start_paused = true)]
async fn a_body_that_is_gone_or_changed_is_refused_and_never_answered_otherwise() {
    for damage in 0..4 {
        let world = World::new();
        let (process, _) = contended(&world, 2).await;
        let large = payload(300 * KIB);
        write(&process, &large).await.unwrap();
        process.append("s", "after").await.unwrap();
        let key = bodies(&world).await.remove(0);
        match damage {
            0 => world.remove(&key).await,
            1 => world.overwrite(&key, large.slice(1..)).await,
            2 => world.overwrite(&key, vec![0; large.len()]).await,
            _ => world.overwrite(&key, "").await,
        }
        let reader = world.process();
        let (refused, cost) = reader.counting(reader.read_page("s", ReadFrom::Start)).await;
        assert_eq!(refused, Err(Refusal::StoreUnavailable), "{damage}");
        assert!(cost.total() < 60, "{cost:?}");
        let end = 2 + large.len() as u64;
        assert_eq!(reader.read_from("s", end).await.unwrap(), b"after", "what is sound is read");
        assert_eq!(end_of(&reader.append("s", "!").await.unwrap()), end + 6);
    }
}

#[tokio::test(start_paused = true)]
async fn a_body_that_cannot_be_stored_refuses_its_write_and_no_other() {
    for fault in [Fault::Denied, Fault::NotSent, Fault::LoseAnswer, Fault::ServerError] {
        let world = World::new();
        let (process, _) = contended(&world, 2).await;
        world.script.next(Operation::Put, "/body/", fault.clone());
        let large = payload(300 * KIB);
        assert_eq!(write(&process, &large).await, Err(Refusal::StoreUnavailable), "{fault:?}");
        assert_eq!(process.read("s").await.unwrap(), "..", "{fault:?}");
        write(&process, &large).await.unwrap();
        assert_eq!(world.process().read_from("s", 2).await.unwrap(), large);
    }
}

#[tokio::test(start_paused = true)]
async fn a_body_is_collected_once_its_bytes_are_sealed_and_not_before() {
    let world = World::new();
    let large = payload(600 * KIB);
    let (process, rival) = contended(&world, 2).await;
    write(&process, &large).await.unwrap();
    let sweep_for_days = async || {
        for _ in 0..3 {
            pass(wadi_stream::limits::GRACE + secs(60)).await;
            rival.other.engine.sweep(wadi_stream::SweepScope::Full, &|_| {}).await.unwrap();
        }
    };
    sweep_for_days().await;
    assert_eq!(bodies(&world).await.len(), 1, "a record names it");
    assert_eq!(world.process().read_from("s", 2).await.unwrap(), large);
    for _ in 0..60 {
        process.append("s", ".").await.unwrap();
    }
    assert!(process.engine.seal(&key("s")).await.unwrap());
    sweep_for_days().await;
    assert_eq!(bodies(&world).await, []);
    assert_eq!(world.process().read_from("s", 2).await.unwrap()[..large.len()], large);
}
