//! What sealed streams cost, counted in requests to the bucket. The figures are printed.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "tests")]

mod common;

use bytes::Bytes;
use common::*;
use futures::future::join_all;
use wadi_protocol::{Offset, ReadFrom};
use wadi_store::RequestCounts;
use wadi_stream::{EngineSettings, Sealing};

const MIB: u64 = 1 << 20;

fn background() -> EngineSettings {
    EngineSettings { sealing: Sealing::Background, ..EngineSettings::default() }
}

/// A stream of a hundred thousand appends by two hundred producers.
#[tokio::test(start_paused = true)]
async fn a_long_stream_opens_with_one_manifest_one_state_and_two_rounds_of_probes() {
    let world = World::new();
    let process = world.process_by(background());
    process.create("s").await.unwrap();
    let ((), written) = process
        .counting(async {
            for seq in 0..500 {
                let appends = join_all((0..200).map(|producer| {
                    let id = format!("a-producer-that-has-a-name-{producer:04}");
                    let process = &process;
                    async move { process.append_keyed("s", "12345678", &id, 0, seq).await.unwrap() }
                }));
                appends.await;
            }
        })
        .await;
    pass(secs(1)).await;
    let cold = world.process();
    let started = tokio::time::Instant::now();
    let (outcome, opened) = cold.counting(cold.append("s", "x")).await;
    assert_eq!(end_of(&outcome.unwrap()), 200 * 500 * 8 + 1);
    let rounds = started.elapsed().as_millis() / ROUND.as_millis();
    println!("100,000 appends in {} PUTs; opened and appended to with {opened:?} in {rounds} rounds", written.put);
    assert!(opened.get <= 2 + 64 + 7 && opened.put == 1, "{opened:?}");
    assert!(rounds <= 1 + 1 + 2 + 1, "manifest, state, probes, append: {rounds}");
}

#[tokio::test(start_paused = true)]
async fn catching_up_on_sealed_bytes_is_one_get_for_4_mib_and_a_probe_a_page() {
    let world = World::new();
    let process = world.process_by(background());
    process.create("s").await.unwrap();
    let body = Bytes::from(vec![b'x'; 256 * 1024]);
    for _ in 0..(64 * MIB / body.len() as u64) {
        process.write("s", append_bytes(body.clone())).await.unwrap();
    }
    process.close("s").await.unwrap();
    pass(secs(1)).await;
    let cold = world.process();
    cold.tail("s").await.unwrap();
    let (pages, cost) = cold
        .counting(async {
            let (mut from, mut pages) = (Offset::ZERO, 0);
            while from.get() < 64 * MIB {
                from = cold.read_page("s", ReadFrom::At(from)).await.unwrap().next;
                pages += 1;
            }
            pages
        })
        .await;
    println!("64 MiB caught up with {cost:?} in {pages} pages");
    assert_eq!(cost, RequestCounts { get: 16 + pages, put: 0, delete: 0, list: 0 });
}

/// Neither the rest behind the chunks nor what is not sealed yet is ever much.
#[tokio::test(start_paused = true)]
async fn catching_up_on_the_rest_is_few_segments_and_few_records() {
    let world = World::new();
    let process = world.process_by(background());
    process.create("s").await.unwrap();
    let body = "x".repeat(700);
    let (mut most, mut appended) = (0, 0);
    for count in [51, 49, 173, 800, 1001, 2000] {
        for _ in 0..count {
            process.append("s", &body).await.unwrap();
        }
        appended += count;
        pass(secs(1)).await;
        let cold = world.process();
        cold.tail("s").await.unwrap();
        let (read, cost) = cold.counting(cold.read_from("s", 0)).await;
        assert_eq!(read.unwrap().len(), appended * 700);
        most = most.max(cost.get);
    }
    println!("the rest is read with {most} GETs at most");
    assert!(most <= 10 + 64 + 2, "{most}");
}

#[tokio::test(start_paused = true)]
async fn sealing_costs_at_most_a_tenth_of_a_put_for_each_append() {
    for bytes in [10, 200, 1000, 8000] {
        let world = World::new();
        let process = world.process_by(background());
        process.create("s").await.unwrap();
        let body = "x".repeat(bytes);
        let ((), cost) = process
            .counting(async {
                for _ in 0..1500 {
                    process.append("s", &body).await.unwrap();
                }
                pass(secs(1)).await;
            })
            .await;
        let sealing = cost.put - 1500;
        println!("1,500 appends of {bytes} bytes: {sealing} PUTs to seal them, {} GETs", cost.get);
        assert!(sealing <= 150, "{cost:?}");
    }
}
