//! What operations cost, counted in requests to the bucket. Rounds are told by virtual time: each
//! request takes one `ROUND`.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use common::*;
use futures::future::join_all;
use tokio::time::Instant;
use wadi_protocol::ReadFrom;
use wadi_store::RequestCounts;

const NOTHING: RequestCounts = RequestCounts { get: 0, put: 0, delete: 0, list: 0 };

#[tokio::test(start_paused = true)]
async fn a_warm_append_is_one_put_and_nothing_else() {
    let world = World::new();
    let process = world.process();
    process.create("s").await.unwrap();
    for _ in 0..10 {
        let (outcome, cost) = process.counting(process.append("s", "x")).await;
        outcome.unwrap();
        assert_eq!(cost, RequestCounts { put: 1, ..NOTHING });
    }
}

#[tokio::test(start_paused = true)]
async fn a_warm_close_is_one_put_and_nothing_else() {
    let world = World::new();
    let process = world.process();
    process.create("s").await.unwrap();
    let (outcome, cost) = process.counting(process.close("s")).await;
    outcome.unwrap();
    assert_eq!(cost, RequestCounts { put: 1, ..NOTHING });
}

#[tokio::test(start_paused = true)]
async fn concurrent_appends_share_records() {
    let world = World::new();
    let process = world.process();
    process.create("s").await.unwrap();
    let appends = join_all((0..64).map(|_| process.append("s", "x")));
    let (outcomes, cost) = process.counting(appends).await;
    assert!(outcomes.into_iter().all(|outcome| outcome.is_ok()));
    // The first may go alone; all that arrived before its record was sent, or while it was under way,
    // go together.
    assert!(cost.put <= 2 && cost.total() == cost.put, "{cost:?}");
    assert_eq!(process.read("s").await.unwrap(), "x".repeat(64));
}

#[tokio::test(start_paused = true)]
async fn a_cold_append_reads_the_manifest_and_at_most_two_rounds_of_slots() {
    for records in [0, 1, 2, 7, 31, 63, 64] {
        let world = World::new();
        let writer = world.process();
        writer.create("s").await.unwrap();
        for _ in 0..records {
            writer.append("s", "x").await.unwrap();
        }
        let cold = world.process();
        let started = Instant::now();
        let (outcome, cost) = cold.counting(cold.append("s", "y")).await;
        outcome.unwrap();
        let rounds = started.elapsed().as_millis() / ROUND.as_millis();
        assert!(rounds <= 4, "manifest, two rounds, PUT: but {rounds} rounds with {records} records");
        assert_eq!(cost.put, 1);
        assert!(cost.get <= 1 + 7 + records, "{cost:?} with {records} records");
    }
}

#[tokio::test(start_paused = true)]
async fn a_create_of_a_new_name_is_one_put() {
    let world = World::new();
    let process = world.process();
    process.create("known-time").await.unwrap();
    let (outcome, cost) = process.counting(process.create("s")).await;
    outcome.unwrap();
    assert_eq!(cost, RequestCounts { put: 1, ..NOTHING });
}

#[tokio::test(start_paused = true)]
async fn a_create_with_bytes_is_one_get_and_two_puts() {
    let world = World::new();
    let process = world.process();
    let (outcome, cost) = process.counting(process.engine.create(&key("s"), create_with("hello"))).await;
    outcome.unwrap();
    assert_eq!(cost, RequestCounts { put: 2, get: 1, ..NOTHING });
    assert_eq!(process.read("s").await.unwrap(), "hello");
}

#[tokio::test(start_paused = true)]
async fn a_create_over_a_tombstone_is_one_get_and_two_puts() {
    let world = World::new();
    let process = world.process();
    process.create("s").await.unwrap();
    process.delete("s").await.unwrap();
    let (outcome, cost) = process.counting(process.create("s")).await;
    outcome.unwrap();
    assert_eq!(cost, RequestCounts { put: 2, get: 1, ..NOTHING });
}

#[tokio::test(start_paused = true)]
async fn a_delete_is_one_record_and_one_tombstone() {
    let world = World::new();
    let process = world.process();
    process.create("s").await.unwrap();
    let (outcome, cost) = process.counting(process.delete("s")).await;
    outcome.unwrap();
    assert_eq!(cost, RequestCounts { put: 2, ..NOTHING });
}

#[tokio::test(start_paused = true)]
async fn a_warm_read_of_bytes_written_here_is_one_probe() {
    let world = World::new();
    let process = world.process();
    process.create("s").await.unwrap();
    process.append("s", "hello").await.unwrap();
    let (page, cost) = process.counting(process.read_page("s", ReadFrom::Start)).await;
    assert_eq!(page.unwrap().body.joined(), "hello");
    assert_eq!(cost, RequestCounts { get: 1, ..NOTHING });
}

#[tokio::test(start_paused = true)]
async fn readers_that_arrive_together_share_a_probe() {
    let world = World::new();
    let process = world.process();
    process.create("s").await.unwrap();
    let reads = join_all((0..100).map(|_| process.read_page("s", ReadFrom::Start)));
    let (pages, cost) = process.counting(reads).await;
    assert!(pages.into_iter().all(|page| page.is_ok()));
    // The first probe may go out for the first reader alone; one more serves the others.
    assert!(cost.get <= 2 && cost.total() == cost.get, "{cost:?}");
}

#[tokio::test(start_paused = true)]
async fn a_refusal_and_a_repeat_each_cost_one_probe() {
    let world = World::new();
    let process = world.process();
    process.create("s").await.unwrap();
    process.append_keyed("s", "x", "p", 0, 0).await.unwrap();
    let (repeat, cost) = process.counting(process.append_keyed("s", "x", "p", 0, 0)).await;
    repeat.unwrap();
    assert_eq!(cost, RequestCounts { get: 1, ..NOTHING });
    let (gap, cost) = process.counting(process.append_keyed("s", "x", "p", 0, 5)).await;
    gap.unwrap_err();
    assert_eq!(cost, RequestCounts { get: 1, ..NOTHING });
}

#[tokio::test(start_paused = true)]
async fn a_request_for_a_missing_stream_is_one_get_each_time() {
    let world = World::new();
    let process = world.process();
    for _ in 0..2 {
        let (outcome, cost) = process.counting(process.append("nowhere", "x")).await;
        outcome.unwrap_err();
        assert_eq!(cost, RequestCounts { get: 1, ..NOTHING });
        let (outcome, cost) = process.counting(process.read_page("nowhere", ReadFrom::Start)).await;
        outcome.unwrap_err();
        assert_eq!(cost, RequestCounts { get: 1, ..NOTHING });
    }
}

#[tokio::test(start_paused = true)]
async fn creating_many_streams_touches_no_key_twice() {
    let world = World::new();
    let process = world.process();
    process.create("known-time").await.unwrap();
    let names: Vec<String> = (0..300).map(|n| format!("s{n}")).collect();
    let creates = join_all(names.iter().map(|name| process.create(name)));
    let (outcomes, cost) = process.counting(creates).await;
    assert!(outcomes.into_iter().all(|outcome| outcome.is_ok()));
    assert_eq!(cost, RequestCounts { put: 300, ..NOTHING });
}
