//! What sealed streams cost, counted in requests to the bucket, as one table. `WADI_TEST_APPENDS` says how long
//! the longest stream is: a million take an optimised build.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "tests")]

mod common;

use std::collections::BTreeSet;

use bytes::Bytes;
use common::*;
use futures::future::join_all;
use wadi_protocol::{Offset, ReadFrom};
use wadi_stream::{EngineSettings, Sealing};

const MIB: u64 = 1 << 20;

/// Appends that are under way at once, each by a producer of its own.
const AT_ONCE: u64 = 200;

/// The size of what is read whole.
const HISTORY_MIB: u64 = 256;

/// One line of the table: what was done, what it cost, and what it may cost.
struct Row {
    what: String,
    unit: &'static str,
    cost: u64,
    cost_max: u64,
}

fn row(what: impl Into<String>, unit: &'static str, cost: u64, cost_max: u64) -> Row {
    Row { what: what.into(), unit, cost, cost_max }
}

fn background() -> EngineSettings {
    EngineSettings { sealing: Sealing::Background, ..EngineSettings::default() }
}

#[tokio::test(start_paused = true)]
async fn sealed_streams_cost_no_more_than_the_table_says() {
    let appends = std::env::var("WADI_TEST_APPENDS").ok().and_then(|text| text.parse().ok()).unwrap_or(100_000);
    let mut rows = Vec::from(opening(appends, false).await);
    rows.extend(opening(appends, true).await);
    rows.extend(catching_up().await);
    rows.extend(the_rest().await);
    for bytes in [10, 200, 1000, 8000] {
        rows.push(sealing(bytes).await);
    }
    println!("| what | cost | at most |\n| --- | --- | --- |");
    for Row { what, unit, cost, cost_max } in &rows {
        println!("| {what} | {cost} {unit} | {cost_max} |");
    }
    let dear: Vec<&str> = rows.iter().filter(|row| row.cost > row.cost_max).map(|row| row.what.as_str()).collect();
    assert!(dear.is_empty(), "{dear:?}");
}

/// Opening a long stream and appending to it, in a process that knows nothing: the manifest, the state where it
/// is large, two rounds of probes at most, and the append.
async fn opening(appends: u64, keyed: bool) -> [Row; 4] {
    let world = World::new();
    let process = world.process_by(background());
    process.create("s").await.unwrap();
    for seq in 0..appends / AT_ONCE {
        let appends = (0..AT_ONCE).map(|producer| {
            let (process, id) = (&process, format!("a-producer-that-has-a-name-{producer:04}"));
            async move {
                if keyed {
                    process.append_keyed("s", "12345678", &id, 0, seq).await.unwrap()
                } else {
                    process.append("s", "12345678").await.unwrap()
                }
            }
        });
        join_all(appends).await;
    }
    pass(secs(1)).await;
    let cold = world.process();
    let started = tokio::time::Instant::now();
    let ((outcome, asked), cost) = cold.counting(cold.recording(cold.append("s", "x"))).await;
    assert_eq!(end_of(&outcome.unwrap()), appends * 8 + 1);
    let rounds = u64::try_from(started.elapsed().as_millis() / ROUND.as_millis()).unwrap();
    let of = |part: &str| asked.iter().filter(|line| line.starts_with("GET ") && line.contains(part)).count() as u64;
    let state = u64::from(keyed);
    let what = format!(
        "open a stream of {appends} appends {}, and append",
        if keyed { "by 200 producers" } else { "without keys" }
    );
    [
        row(format!("{what}: manifest and state"), "GETs", of("GET manifest/") + of("/state/"), 1 + state),
        row(format!("{what}: probes"), "GETs", of("/log/"), 64 + 7),
        row(format!("{what}: all"), "GETs and PUTs", cost.total(), 1 + state + 64 + 7 + 1),
        row(format!("{what}: one after the other"), "rounds", rounds, 1 + state + 2 + 1),
    ]
}

/// Reading what is sealed: a GET for each 4 MiB, and a probe a page.
async fn catching_up() -> [Row; 2] {
    let world = World::new();
    let process = world.process_by(background());
    process.create("s").await.unwrap();
    let body = Bytes::from(vec![b'x'; 256 * 1024]);
    for _ in 0..(HISTORY_MIB * MIB / body.len() as u64) {
        process.write("s", append_bytes(body.clone())).await.unwrap();
    }
    process.close("s").await.unwrap();
    pass(secs(1)).await;
    let cold = world.process();
    cold.tail("s").await.unwrap();
    let ((pages, asked), cost) = cold
        .counting(cold.recording(async {
            let (mut from, mut pages) = (Offset::ZERO, 0);
            while from.get() < HISTORY_MIB * MIB {
                from = cold.read_page("s", ReadFrom::At(from)).await.unwrap().next;
                pages += 1;
            }
            pages
        }))
        .await;
    let chunks: BTreeSet<&String> = asked.iter().filter(|line| line.contains("/chunk/")).collect();
    assert_eq!(chunks.len() as u64, HISTORY_MIB / 4, "every chunk is read");
    let what = format!("catch up on {HISTORY_MIB} MiB in {pages} pages");
    let of_chunks = asked.iter().filter(|line| line.contains("/chunk/")).count() as u64;
    [
        row(format!("{what}: chunks"), "GETs", of_chunks, HISTORY_MIB / 4),
        row(format!("{what}: probes"), "GETs", cost.total() - of_chunks, pages),
    ]
}

/// Neither the rest behind the chunks nor what is not sealed yet is ever much.
async fn the_rest() -> [Row; 2] {
    let world = World::new();
    let process = world.process_by(background());
    process.create("s").await.unwrap();
    let body = "x".repeat(700);
    let (mut segments, mut records, mut appended) = (0, 0, 0);
    for count in [51, 49, 173, 800, 1001, 2000] {
        for _ in 0..count {
            process.append("s", &body).await.unwrap();
        }
        appended += count;
        pass(secs(1)).await;
        let cold = world.process();
        let (read, asked) = cold.recording(cold.read_from("s", 0)).await;
        assert_eq!(read.unwrap().len(), appended * 700);
        let of = |part: &str| asked.iter().filter(|line| line.contains(part)).count() as u64;
        (segments, records) = (segments.max(of("/segment/")), records.max(of("/log/")));
    }
    let what = "read what no chunk holds, at the worst of six lengths";
    [
        row(format!("{what}: segments"), "GETs", segments, 10),
        row(format!("{what}: records, opening included"), "GETs", records, 64 + 7 + 1),
    ]
}

/// Sealing small records as they come.
async fn sealing(bytes: usize) -> Row {
    const APPENDS: u64 = 1500;
    let world = World::new();
    let process = world.process_by(background());
    process.create("s").await.unwrap();
    let body = "x".repeat(bytes);
    let ((), cost) = process
        .counting(async {
            for _ in 0..APPENDS {
                process.append("s", &body).await.unwrap();
            }
            pass(secs(1)).await;
        })
        .await;
    assert_eq!(cost.total(), cost.put, "sealing reads nothing that this process wrote");
    row(format!("seal {APPENDS} appends of {bytes} bytes"), "PUTs", cost.put - APPENDS, APPENDS / 10)
}
