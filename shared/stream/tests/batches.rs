//! What does not fit into one record is split, in order.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use bytes::Bytes;
use common::*;
use futures::future::join_all;
use wadi_protocol::{Operation, WriteOutcome};
use wadi_store::RequestCounts;
use wadi_stream::limits::{RECORD_HEADER_BYTES_MAX, RECORD_OPERATIONS_MAX, RECORD_PAYLOAD_BYTES_MAX};

const MIB: usize = 1 << 20;

/// Operations, header bytes and payload bytes of each record.
async fn records(world: &World) -> Vec<(usize, usize, usize)> {
    let mut records = Vec::new();
    for seq in 1.. {
        let Some(line) = world.line("s", seq).await else { break };
        let object = world.object(&world.slot("s", seq).await).await.unwrap().0;
        let header = object.iter().position(|byte| *byte == b'\n').unwrap() + 1;
        records.push((line.content.operations.len(), header, object.len() - header));
    }
    for (operations, header, _) in &records {
        assert!(*operations <= RECORD_OPERATIONS_MAX && *header <= RECORD_HEADER_BYTES_MAX, "{records:?}");
    }
    records
}

#[tokio::test(start_paused = true)]
async fn more_operations_than_a_record_takes_are_several_records_in_order() {
    let world = World::new();
    let process = world.process();
    process.create("s").await.unwrap();
    let bodies: Vec<String> = (0..2500).map(|n| format!("<{n:04}>")).collect();
    let appends = join_all(bodies.iter().map(|body| process.append("s", body)));
    let (outcomes, cost) = process.counting(appends).await;
    let ends: Vec<u64> = outcomes.into_iter().map(|outcome| end_of(&outcome.unwrap())).collect();
    assert_eq!(ends, (1..=2500).map(|n| n * 6).collect::<Vec<_>>(), "each in its turn");
    assert_eq!(cost, RequestCounts { put: 3, ..RequestCounts::default() });
    assert_eq!(world.process().read("s").await.unwrap(), bodies.concat());
    assert_eq!(records(&world).await.iter().map(|record| record.0).collect::<Vec<_>>(), [1024, 1024, 452]);
}

#[tokio::test(start_paused = true)]
async fn more_bytes_than_a_record_takes_are_several_records_in_order() {
    let world = World::new();
    let process = world.process();
    process.create("s").await.unwrap();
    let sizes = [3, 5, 1, 4, 4, 1].map(|mib| mib * MIB);
    let bodies: Vec<Bytes> = sizes.iter().zip(b'a'..).map(|(size, byte)| vec![byte; *size].into()).collect();
    let outcomes = join_all(bodies.iter().map(|body| process.write("s", append_bytes(body.clone())))).await;
    let mut end = 0;
    for (outcome, size) in outcomes.into_iter().zip(sizes) {
        end += size as u64;
        assert_eq!(end_of(&outcome.unwrap()), end);
    }
    let payloads: Vec<usize> = records(&world).await.iter().map(|record| record.2 / MIB).collect();
    assert_eq!(payloads, [8, 5, 5]);
    assert!(world.process().read_from("s", 0).await.unwrap() == bodies.concat());
}

#[tokio::test(start_paused = true)]
async fn one_append_of_the_largest_size_stands_alone() {
    let world = World::new();
    let process = world.process();
    process.create("s").await.unwrap();
    // With the LF that ends a JSON message it may be one byte larger than a record otherwise takes.
    let largest = Bytes::from(vec![b'x'; RECORD_PAYLOAD_BYTES_MAX + 1]);
    let (small, large) = (process.append("s", "a"), process.write("s", append_bytes(largest.clone())));
    let (small, large) = futures::future::join(small, large).await;
    assert_eq!((end_of(&small.unwrap()), end_of(&large.unwrap())), (1, 2 + RECORD_PAYLOAD_BYTES_MAX as u64));
    assert_eq!(records(&world).await.len(), 2);
    assert!(world.process().read_from("s", 1).await.unwrap() == largest);
}

/// Each new producer evicts many others, by names of the longest kind.
#[tokio::test(start_paused = true)]
async fn headers_that_grow_too_large_are_split() {
    let world = World::new();
    let process = world.process();
    process.create("s").await.unwrap();
    // Written one escape a byte, the longest name takes twice its bytes in JSON.
    let process = &process;
    let id = |n: usize| format!("{n:04}{}", "\"".repeat(252));
    join_all((0..1000).map(|n| async move { process_keyed(process, &id(n)).await })).await;
    pass(secs(8 * 24 * 60 * 60)).await;
    let seen = records(&world).await.len() as u64;
    let outcomes = join_all((2000..2060).map(|n| async move { process_keyed(process, &id(n)).await })).await;
    let ends: Vec<u64> = outcomes.iter().map(end_of).collect();
    assert_eq!(ends, (1001..=1060).collect::<Vec<u64>>(), "in order");
    let mut forgotten = 0;
    let after = records(&world).await.len() as u64;
    assert!(after - seen >= 3, "{after} {seen}");
    for seq in seen + 1..=after {
        for operation in world.line("s", seq).await.unwrap().content.operations {
            let Operation::Append(write) = operation else { panic!("{operation:?}") };
            forgotten += write.producer.unwrap().forgotten.len();
        }
    }
    assert_eq!(forgotten, 60 * 16, "all as one after the other would have");
    assert_eq!(world.process().tail("s").await, Ok(1060));
}

async fn process_keyed(process: &Process, id: &str) -> WriteOutcome {
    process.append_keyed("s", "x", id, 0, 0).await.unwrap()
}

#[tokio::test(start_paused = true)]
async fn requests_that_commit_nothing_take_no_room() {
    let world = World::new();
    let process = world.process();
    process.create("s").await.unwrap();
    process.append_keyed("s", "x", "p", 0, 0).await.unwrap();
    // Refused or repeated: none of these has an operation.
    let refused = (0..600).map(|n| process.append_keyed("s", "x", "p", 0, if n % 2 == 0 { 0 } else { 9 }));
    let (answers, cost) = process.counting(join_all(refused)).await;
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 300);
    assert!(cost.put == 0 && cost.get <= 2, "one probe for all: {cost:?}");
}
