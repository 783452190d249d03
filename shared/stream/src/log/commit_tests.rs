//! What became of a record: every answer of the store, and what it proves.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::time::Duration;

use wadi_protocol::Timestamp;
use wadi_store::{Fault, Operation, StoreError};

use super::{Commit, LogError, Position, RecordId, fixtures::*};

const PATIENCE: Duration = Duration::from_secs(20);

fn own() -> RecordId {
    RecordId::root("own")
}

async fn commit_at(log: &Log, position: &Position) -> Commit {
    let object = object(position.next(), &own());
    log.slots.commit(position, &own(), object, log.bucket.monotonic() + PATIENCE).await
}

async fn commit(log: &Log) -> Commit {
    commit_at(log, &log.position(0)).await
}

/// Whether the record is in its slot.
async fn is_there(log: &Log) -> bool {
    let slot = log.slots.read(&log.position(0), 1).await.unwrap();
    matches!(slot, super::Slot::Found(found) if found.record.header.id == own())
}

#[tokio::test(start_paused = true)]
async fn a_plain_commit_is_one_put() {
    let log = Log::new();
    assert!(matches!(commit(&log).await, Commit::Landed { date } if date == START));
    assert_eq!((log.counting.counts().put, log.counting.counts().get), (1, 0));
}

#[tokio::test(start_paused = true)]
async fn another_record_in_the_slot_is_a_loss_whatever_was_answered_before() {
    use Fault::{Conflict, LoseRequest, NotSent, Postpone, ServerError};
    for fault in [None, Some(NotSent), Some(LoseRequest), Some(ServerError), Some(Conflict), Some(Postpone)] {
        let log = Log::new();
        log.put(1).await;
        if let Some(fault) = fault.clone() {
            log.script.next(Operation::Put, "/log/", fault);
        }
        let outcome = commit(&log).await;
        assert!(matches!(&outcome, Commit::Lost(found) if found.record.header.id == id(1)), "{fault:?}: {outcome:?}");
        let puts = log.counting.counts().put;
        assert_eq!(puts, 1, "{fault:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_record_found_in_its_slot_has_landed_at_the_date_it_was_written() {
    let log = Log::new();
    log.script.next(Operation::Put, "/log/", Fault::LoseAnswer);
    log.script.next(Operation::Get, "/log/", Fault::ServerError);
    log.script.next(Operation::Put, "/log/", Fault::LoseRequest);
    let outcome = commit(&log).await;
    assert!(matches!(outcome, Commit::Landed { date } if date == START), "{outcome:?}");
    assert!(log.bucket.monotonic() > Duration::ZERO, "found a while later");
}

#[tokio::test(start_paused = true)]
async fn the_same_bytes_are_sent_until_they_land() {
    for fault in [Fault::LoseRequest, Fault::ServerError, Fault::Conflict, Fault::Postpone] {
        let log = Log::new();
        for _ in 0..4 {
            log.script.next(Operation::Put, "/log/", fault.clone());
        }
        assert!(matches!(commit(&log).await, Commit::Landed { .. }), "{fault:?}");
        assert!(is_there(&log).await);
        assert_eq!(log.counting.counts().put, 5);
    }
}

#[tokio::test(start_paused = true)]
async fn what_can_never_land_is_void_and_what_may_is_unknown() {
    use Fault::{Conflict, Denied, LoseRequest, NotSent, Postpone, ServerError};
    for (first, always, void) in [
        (None, Denied, true),
        (None, NotSent, true),
        (None, Conflict, true),
        (None, LoseRequest, false),
        (None, ServerError, false),
        (None, Postpone, false),
        // One that may land makes all that follows unknown.
        (Some(Postpone), Denied, false),
        (Some(ServerError), NotSent, false),
        (Some(LoseRequest), Conflict, false),
        (Some(NotSent), Denied, true),
        (Some(Conflict), NotSent, true),
    ] {
        let log = Log::new();
        if let Some(first) = first.clone() {
            log.script.next(Operation::Put, "/log/", first);
        }
        log.script.always(Operation::Put, "/log/", always.clone());
        let outcome = commit(&log).await;
        let proved = matches!(outcome, Commit::Void(_));
        assert!(proved || matches!(outcome, Commit::Unknown), "{outcome:?}");
        assert_eq!(proved, void, "{first:?} {always:?}: {outcome:?}");
        assert!(log.bucket.monotonic() < PATIENCE + Duration::from_secs(3), "{always:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn attempts_that_were_not_sent_end_soon() {
    let log = Log::new();
    log.script.always(Operation::Put, "/log/", Fault::NotSent);
    let outcome = commit(&log).await;
    assert!(matches!(outcome, Commit::Void(StoreError::NotSent { .. })), "{outcome:?}");
    assert!(log.bucket.monotonic() < Duration::from_secs(1), "a store that is not there is told at once");
}

/// Something on the way may have sent the PUT twice: then the first took the slot.
#[tokio::test(start_paused = true)]
async fn a_slot_that_is_taken_and_cannot_be_read_may_hold_this_record() {
    let log = Log::new();
    log.put_as(1, &own()).await;
    log.script.always(Operation::Get, "/log/", Fault::ServerError);
    let outcome = commit(&log).await;
    assert!(matches!(outcome, Commit::Unknown), "{outcome:?}");
    log.script.clear();
    assert!(matches!(commit(&log).await, Commit::Landed { .. }), "and so it did");
}

#[tokio::test(start_paused = true)]
async fn pauses_grow_while_the_store_fails() {
    let log = Log::new();
    log.script.always(Operation::Put, "/log/", Fault::ServerError);
    commit(&log).await;
    let attempts = log.counting.counts().put;
    assert!((8..40).contains(&attempts), "{attempts} attempts in {PATIENCE:?}");
}

#[tokio::test(start_paused = true)]
async fn a_success_beyond_the_lease_proves_nothing() {
    for (age_ms, landed) in [(60_000, true), (60_001, false)] {
        let log = Log::new();
        let old = Position { validated: Timestamp::from_millis(START.as_millis() - age_ms), ..log.position(0) };
        let outcome = commit_at(&log, &old).await;
        assert_eq!(matches!(outcome, Commit::Landed { .. }), landed, "{age_ms}: {outcome:?}");
        assert!(landed || matches!(outcome, Commit::Unknown), "{outcome:?}");
        assert_eq!((log.counting.counts().put, log.counting.counts().get), (1, 0), "neither repeated nor deleted");
        assert!(is_there(&log).await);
    }
}

#[tokio::test(start_paused = true)]
async fn neither_its_own_nor_another_record_found_beyond_the_lease_is_believed() {
    for record in [own(), id(1)] {
        let log = Log::new();
        log.put_as(1, &record).await;
        let old = Position { validated: Timestamp::from_millis(START.as_millis() - 60_001), ..log.position(0) };
        let outcome = commit_at(&log, &old).await;
        assert!(matches!(outcome, Commit::Unknown), "{outcome:?}");
    }
}

/// The slot was empty when it was read, but too late to tell whether it always had been.
#[tokio::test(start_paused = true)]
async fn a_slot_found_empty_beyond_the_lease_is_not_written_again() {
    let log = Log::new();
    log.script.next(Operation::Put, "/log/", Fault::Postpone);
    let old = Position { validated: Timestamp::from_millis(START.as_millis() - 60_001), ..log.position(0) };
    let outcome = commit_at(&log, &old).await;
    assert!(matches!(outcome, Commit::Unknown), "{outcome:?}");
    assert_eq!(log.counting.counts().put, 1);
}

#[tokio::test(start_paused = true)]
async fn a_damaged_record_in_the_slot_cannot_be_told_from_its_own() {
    let log = Log::new();
    log.put(1).await;
    let key = log.slots.key(1);
    let damaged = wadi_store::NewObject::from(bytes::Bytes::from_static(b"damaged"));
    wadi_store::ObjectStore::put(&*log.store, &key, damaged, wadi_store::PutCondition::Always).await.unwrap();
    assert!(matches!(commit(&log).await, Commit::Unknown));
    assert_eq!(log.counting.counts().put, 1);
    assert!(matches!(log.slots.read(&log.position(0), 1).await, Err(LogError::Damaged(_))));
}
