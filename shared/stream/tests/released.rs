//! Chunks below what a stream keeps leave the bucket, a grace period after they were let go of.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use std::sync::Arc;

use bytes::Bytes;
use common::{released::*, *};
use wadi_protocol::{Offset, ReadFrom, limits::CHUNK_BYTES};
use wadi_store::{Fault, FaultScript, FaultyStore, NewObject, ObjectKey, ObjectStore, Operation, PutCondition};
use wadi_stream::{SweepScope, Swept, limits::GRACE, manifest_key};

const _: () = assert!(CELL == CHUNK_BYTES);

async fn seal(process: &Process) -> bool {
    process.engine.seal(&key("s")).await.unwrap()
}

async fn sweep(process: &Process, scope: SweepScope) -> Swept {
    process.engine.sweep(scope, &|_| {}).await.unwrap()
}

/// Sweeps daily until nothing can be left.
async fn sweep_for_days(process: &Process) {
    for _ in 0..3 {
        pass(GRACE + secs(60)).await;
        sweep(process, SweepScope::Full).await;
    }
}

#[tokio::test(start_paused = true)]
async fn chunks_go_once_they_were_let_go_of_for_the_grace_and_not_before() {
    let world = World::new();
    let process = world.filled(13).await;
    assert!(seal(&process).await);
    process.let_go(9 * MIB).await;
    pass(GRACE + secs(60)).await;
    // They are a day old, and nothing has let go of them until now.
    process.append_mibs(13..15).await;
    assert!(seal(&process).await);
    assert_eq!(world.manifest("s").await.sealed.chunks_start.get(), 2 * CELL);
    pass(GRACE.checked_sub(secs(60)).unwrap()).await;
    sweep(&process, SweepScope::Recent).await;
    assert_eq!(world.chunks().await, [0, 1, 2]);
    assert!(process.serves_from(9 * MIB).await && world.process().serves_from(9 * MIB).await);
    assert_eq!(world.problems().await, [] as [&str; 0]);
    pass(secs(120)).await;
    sweep(&process, SweepScope::Recent).await;
    assert_eq!(world.chunks().await, [2]);
    assert!(process.serves_from(9 * MIB).await && world.process().serves_from(9 * MIB).await);
    assert_eq!(world.process().read_from("s", 9 * MIB).await.unwrap(), mibs(9..15));
    assert_eq!(world.problems().await, [] as [&str; 0]);
}

/// Nobody writes any more, so nothing but a sweep can tell that chunks are let go of.
#[tokio::test(start_paused = true)]
async fn an_idle_stream_gets_there_by_sweeps_alone() {
    let world = World::new();
    let process = world.filled(13).await;
    assert!(seal(&process).await);
    process.let_go(9 * MIB).await;
    assert!(!seal(&process).await, "two records make nothing due");
    let sweeper = world.process();
    sweep(&sweeper, SweepScope::Full).await;
    assert_eq!(world.manifest("s").await.sealed.chunks_start.get(), 2 * CELL);
    sweep_for_days(&sweeper).await;
    assert_eq!(world.chunks().await, [2]);
    assert_eq!(world.keys("ds/", "/log/").await, []);
    assert!(world.process().serves_from(9 * MIB).await);
    assert_eq!(world.process().read_from("s", 9 * MIB).await.unwrap(), mibs(9..13));
    // And then it is left alone.
    let revision = world.manifest("s").await.revision;
    sweep(&sweeper, SweepScope::Full).await;
    assert_eq!(world.manifest("s").await.revision, revision);
}

/// Retention within a cell lets go of no chunk, so no sweep publishes anything for it.
#[tokio::test(start_paused = true)]
async fn a_cell_that_is_kept_in_part_stays() {
    let world = World::new();
    let process = world.filled(13).await;
    assert!(seal(&process).await);
    // The chunk that ends where the stream is kept holds the byte before, which tells of a boundary.
    for (retained, start) in [(3 * MIB, 0), (CELL, 0), (CELL + 1, CELL), (2 * CELL, CELL)] {
        process.let_go(retained).await;
        let revision = world.manifest("s").await.revision;
        sweep(&world.process(), SweepScope::Full).await;
        let manifest = world.manifest("s").await;
        assert_eq!(manifest.sealed.chunks_start.get(), start, "{retained}");
        assert_eq!(manifest.revision > revision, retained == CELL + 1, "{retained}");
    }
    sweep_for_days(&world.process()).await;
    assert_eq!(world.chunks().await, [1, 2]);
    assert!(world.process().serves_from(2 * CELL).await);
}

#[tokio::test(start_paused = true)]
async fn cells_that_were_let_go_of_are_not_even_written() {
    let world = World::new();
    let process = world.filled(14).await;
    process.let_go(13 * MIB).await;
    let (sealed, requests) = process.recording(seal(&process)).await;
    assert!(sealed);
    assert_eq!(requests.iter().filter(|request| request.contains("/chunk/")).count(), 0, "{requests:?}");
    assert_eq!(world.problems().await, [] as [&str; 0]);
    assert_eq!(world.process().read_from("s", 13 * MIB).await.unwrap(), mib(13));
    process.close("s").await.unwrap();
    assert!(seal(&process).await);
    sweep_for_days(&world.process()).await;
    assert_eq!(world.chunks().await, [3], "the last cell, which ends where the stream is closed");
    let kinds = ["/log/", "/segment/", "/body/", "/snapshot/"];
    let mut left = Vec::new();
    for kind in kinds {
        left.push(world.keys("ds/", kind).await.len());
    }
    assert_eq!(left, [0, 0, 1, 1], "{kinds:?}");
    assert_eq!(world.process().read_from("s", 13 * MIB).await.unwrap(), mib(13));
    assert_eq!(world.problems().await, [] as [&str; 0]);
}

/// A sealer worked before anything was let go of, and what it sent arrives days later: a chunk that was
/// collected, and the manifest that would name it.
#[tokio::test(start_paused = true)]
async fn what_a_sealer_that_slept_puts_back_is_named_by_nobody_and_goes() {
    let world = World::new();
    let process = world.filled(13).await;
    let script = Arc::new(FaultScript::new());
    let slow = Arc::new(FaultyStore::new(world.bucket.clone(), script.clone()));
    script.next(Operation::Put, "/chunk/", Fault::Postpone);
    let sealer = world.process_on(slow.clone());
    script.next(Operation::Put, "manifest/", Fault::Postpone);
    script.always(Operation::Put, "manifest/", Fault::NotSent);
    assert_eq!(sealer.engine.seal(&key("s")).await, Ok(false));
    process.let_go(13 * MIB).await;
    assert!(seal(&process).await);
    assert_eq!(world.manifest("s").await.sealed.chunks_start.get(), 3 * CELL);
    assert_eq!(world.chunks().await, [0, 1, 2], "it was faster than retention");
    sweep_for_days(&process).await;
    assert_eq!(world.chunks().await, [] as [u64; 0]);
    assert_eq!(slow.land_postponed(0).await, Ok(Some(true)), "a chunk, where none is any more");
    assert_eq!(slow.land_postponed(0).await, Ok(Some(false)), "a manifest, in place of one that was replaced");
    assert_eq!(world.chunks().await, [0]);
    sweep(&process, SweepScope::Full).await;
    assert_eq!(world.chunks().await, [] as [u64; 0]);
    assert!(world.process().serves_from(13 * MIB).await);
    assert_eq!(world.problems().await, [] as [&str; 0]);
}

/// Whatever request of a sweep is its last, the next sweep does the rest, and nothing more.
#[tokio::test(start_paused = true)]
async fn a_sweep_that_crashes_at_any_request_is_repeated_without_harm() {
    for (loses_last_answer, least) in [(false, 8), (true, 8)] {
        let mut requests = 0;
        while !crashes_after(requests, loses_last_answer).await {
            requests += 1;
            assert!(requests < 60);
        }
        assert!(requests >= least, "{requests} requests make a whole sweep");
    }
}

/// True when the sweep that was to crash came to its end, before a grace period and after it.
async fn crashes_after(requests: u64, loses_last_answer: bool) -> bool {
    let world = World::new();
    let process = world.filled(6).await;
    assert!(seal(&process).await);
    process.let_go(5 * MIB).await;
    let mut whole = true;
    for _ in 0..2 {
        let crashing = world.process_with(Arc::new(Crash::after(requests, loses_last_answer)));
        let swept = crashing.engine.sweep(SweepScope::Full, &|_| {}).await;
        whole &= swept.is_ok_and(|swept| swept.failed == 0);
        pass(GRACE + secs(60)).await;
    }
    let here = format!("{requests} requests, answer lost: {loses_last_answer}");
    assert!(world.process().serves_from(5 * MIB).await, "{here}");
    assert_eq!(world.problems().await, [] as [&str; 0], "{here}");
    sweep_for_days(&world.process()).await;
    assert_eq!(world.chunks().await, [] as [u64; 0], "{here}");
    assert_eq!(world.process().read_from("s", 5 * MIB).await.unwrap(), mib(5), "{here}");
    assert_eq!(world.problems().await, [] as [&str; 0], "{here}");
    whole
}

/// Far more than one listing shows: all of them go, and only those that may.
#[tokio::test(start_paused = true)]
async fn a_stream_that_lets_go_of_much_is_collected_in_pages() {
    let world = World::new();
    let process = world.process();
    process.create("s").await.unwrap();
    let (cells, end) = (1_500, Offset::new(1_502 * CELL));
    let prefix = world.prefix("s").await;
    for cell in 0..cells + 2 {
        let chunk = ObjectKey::new(format!("{prefix}/chunk/{}", Offset::new(cell * CELL)));
        world.bucket.put(&chunk, NewObject::from(Bytes::from_static(b"a cell")), PutCondition::IfAbsent).await.unwrap();
    }
    let mut manifest = world.manifest("s").await;
    let mut state = manifest.state_at_checkpoint();
    (state.tail, state.retained) = (end, Offset::new(cells * CELL + 1));
    manifest.state = Some(state);
    (manifest.sealed.chunks_start, manifest.sealed.chunks_end) = (Offset::new(cells * CELL), end);
    manifest.log.chunks_floor = manifest.sealed.chunks_start;
    world.overwrite(&manifest_key(&key("s")), manifest.to_json().unwrap()).await;
    let sweeper = world.process();
    let (swept, requests) = sweeper.recording(sweep(&sweeper, SweepScope::Full)).await;
    assert_eq!((swept.removed, swept.failed), (cells, 0));
    let listings = requests.iter().filter(|request| request.starts_with("LIST") && request.contains("/chunk/"));
    assert_eq!(listings.count(), 2, "{requests:?}");
    assert_eq!(world.chunks().await, [cells, cells + 1]);
}

/// A stream that never let go of anything pays for no look at its chunks.
#[tokio::test(start_paused = true)]
async fn a_stream_that_keeps_all_costs_no_listing_of_chunks() {
    let world = World::new();
    let process = world.filled(5).await;
    assert!(seal(&process).await);
    pass(GRACE * 2).await;
    let (_, requests) = process.recording(sweep(&process, SweepScope::Full)).await;
    assert!(requests.iter().any(|request| request.contains("/segment/")), "{requests:?}");
    assert!(!requests.iter().any(|request| request.contains("/chunk/")), "{requests:?}");
}

/// A stream under the same name begins at its beginning.
#[tokio::test(start_paused = true)]
async fn the_next_life_of_a_stream_lets_go_of_nothing() {
    let world = World::new();
    let process = world.filled(9).await;
    process.let_go(9 * MIB).await;
    assert!(seal(&process).await);
    sweep_for_days(&process).await;
    assert!(world.manifest("s").await.log.chunks_floor.get() > 0);
    process.delete("s").await.unwrap();
    sweep(&process, SweepScope::Full).await;
    process.create("s").await.unwrap();
    process.append_mibs(0..5).await;
    assert!(seal(&process).await);
    sweep_for_days(&process).await;
    assert_eq!(world.chunks().await, [0]);
    let page = world.process().read_page("s", ReadFrom::Start).await.unwrap();
    assert_eq!(page.start, Offset::ZERO);
    assert_eq!(world.process().read_from("s", 0).await.unwrap(), mibs(0..5));
}
