//! Reading on to the tail: which slots are read, what is made of holes and of a log that moves.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use async_trait::async_trait;
use wadi_protocol::Timestamp;
use wadi_store::{After, Before, Fault, FaultHook, FaultyStore, MemoryStore, NewObject, ObjectStore, Operation};
use wadi_store::{PutCondition, Request};

use super::{Bucket, LogError, Position, Reach, Slots, fixtures::*, scan::Scan};
use crate::limits::SCAN_RECORDS_MAX;

fn sequence(scan: &Scan) -> Vec<u64> {
    scan.records.iter().map(|found| found.record.header.seq).collect()
}

#[tokio::test(start_paused = true)]
async fn a_scan_from_anywhere_finds_all_records_after_it_in_order() {
    for records in (0..=20).chain([62, 63, 64, 65, 66, 127, 128, 129, 130, 200]) {
        let log = Log::new();
        log.fill(records).await;
        for from in [0, 1, records / 2, records.saturating_sub(1), records] {
            for reach in [Reach::Next, Reach::Far, Reach::Beyond] {
                let scan = log.slots.scan(&log.position(from), reach).await.unwrap();
                let expected: Vec<u64> = (from + 1..=records).collect();
                assert_eq!(sequence(&scan), expected, "{records} records from {from}, {reach:?}");
                assert_eq!(scan.tail_seen, Some(START));
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_probe_that_finds_nothing_is_one_request_and_after_news_few() {
    for (news, most) in [(0, 1), (1, 2), (2, 6), (5, 6), (6, 22)] {
        let log = Log::new();
        log.fill(10 + news).await;
        log.slots.scan(&log.position(10), Reach::Next).await.unwrap();
        assert!(log.counting.counts().get <= most, "{:?} for {news} records", log.counting.counts());
    }
}

#[tokio::test(start_paused = true)]
async fn a_long_log_is_read_in_parts() {
    let log = Log::new();
    let records = 3 * SCAN_RECORDS_MAX as u64 + 7;
    log.fill(records).await;
    let mut position = log.position(0);
    let mut parts = 0;
    loop {
        let reach = if parts == 0 { Reach::Far } else { Reach::Beyond };
        let scan = log.slots.scan(&position, reach).await.unwrap();
        let expected: Vec<u64> = (position.next()..).take(scan.records.len()).collect();
        assert_eq!(sequence(&scan), expected);
        position = log.position(position.seq + scan.records.len() as u64);
        parts += 1;
        if scan.tail_seen.is_some() {
            break;
        }
        assert!(scan.records.len() >= SCAN_RECORDS_MAX && scan.records.len() < SCAN_RECORDS_MAX + 128);
    }
    assert_eq!(position.seq, records);
    assert!((3..=4).contains(&parts), "{parts}");
}

#[tokio::test(start_paused = true)]
async fn a_hole_below_a_record_that_was_seen_is_no_tail() {
    for (records, hole) in [(3, 1), (4, 2), (4, 3), (64, 17), (64, 63), (100, 63), (200, 130)] {
        let log = Log::new();
        log.fill(records).await;
        log.remove(hole).await;
        let scan = log.slots.scan(&log.position(0), Reach::Far).await;
        assert!(matches!(scan, Err(LogError::Broken(_))), "hole {hole} of {records}");
        assert!(log.counting.counts().get < 200 + records, "{:?}", log.counting.counts());
    }
}

#[tokio::test(start_paused = true)]
async fn a_record_of_another_slot_is_damage() {
    let log = Log::new();
    log.fill(3).await;
    let object = NewObject::from(object(2, &id(2)));
    log.store.put(&log.slots.key(3), object, PutCondition::Always).await.unwrap();
    let scan = log.slots.scan(&log.position(0), Reach::Far).await;
    assert!(matches!(scan, Err(LogError::Damaged(_))), "{scan:?}");
}

#[tokio::test(start_paused = true)]
async fn an_answer_beyond_the_lease_is_stale_whether_it_found_a_record_or_none() {
    for records in [0, 1] {
        let log = Log::new();
        log.fill(records).await;
        let old = Position { validated: Timestamp::from_millis(START.as_millis() - 60_001), ..log.position(0) };
        let scan = log.slots.scan(&old, Reach::Next).await;
        assert_eq!(scan.unwrap_err(), LogError::Stale);
        let just = Position { validated: Timestamp::from_millis(START.as_millis() - 60_000), ..log.position(0) };
        assert_eq!(log.slots.scan(&just, Reach::Next).await.unwrap().records.len() as u64, records);
    }
}

#[tokio::test(start_paused = true)]
async fn a_slot_that_cannot_be_read_fails_the_scan() {
    let log = Log::new();
    log.fill(5).await;
    log.script.next(Operation::Get, "04.rec", Fault::ServerError);
    let scan = log.slots.scan(&log.position(0), Reach::Far).await;
    assert!(matches!(scan, Err(LogError::Store(_))), "{scan:?}");
}

/// Each read of a slot first lets the log grow by a record: the log moves under every round.
struct Growing {
    store: Arc<MemoryStore>,
    slots: Slots,
    next: AtomicU64,
    last: u64,
}

#[async_trait]
impl FaultHook for Growing {
    async fn before(&self, _request: &Request<'_>) -> Before {
        let seq = self.next.fetch_add(1, Ordering::Relaxed);
        if seq <= self.last {
            let object = NewObject::from(object(seq, &id(seq)));
            self.store.put(&self.slots.key(seq), object, PutCondition::IfAbsent).await.unwrap();
        }
        Before::Proceed
    }

    async fn after(&self, _request: &Request<'_>, _applied: bool) -> After {
        After::Deliver
    }
}

/// A slot may be seen missing and a higher one found in the same round, without any hole.
#[tokio::test(start_paused = true)]
async fn a_log_that_grows_while_it_is_read_is_read_without_gaps() {
    for last in [1, 2, 3, 5, 8, 40, 90, 300] {
        for reach in [Reach::Next, Reach::Far, Reach::Beyond] {
            let log = Log::new();
            let hook = Growing { store: log.store.clone(), slots: log.slots.clone(), next: AtomicU64::new(1), last };
            let faulty = Arc::new(FaultyStore::new(log.store.clone(), Arc::new(hook)));
            let runtime = log.bucket.runtime().clone();
            let slots = Slots::new(Arc::new(Bucket::new(faulty, runtime)), "p");
            let scan = slots.scan(&log.position(0), reach).await.unwrap();
            let found = sequence(&scan);
            assert_eq!(found, (1..=found.len() as u64).collect::<Vec<_>>(), "{last} {reach:?}");
            assert!(!found.is_empty(), "the first record was there before the first answer");
        }
    }
}
