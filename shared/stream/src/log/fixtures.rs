//! A log on a store in memory, in virtual time, for the tests of this floor.
#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "tests")]

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use bytes::Bytes;
use futures::{FutureExt, future::BoxFuture};
use tokio::time::Instant;
use wadi_protocol::Timestamp;
use wadi_store::{CountingStore, FaultScript, FaultyStore, MemoryStore, NewObject, ObjectStore, PutCondition};

use super::{Bucket, Draft, Position, RecordId, Slots};
use crate::Runtime;

#[derive(Debug)]
pub(crate) struct TestRuntime {
    started: Instant,
    random: AtomicU64,
}

impl Runtime for TestRuntime {
    fn spawn(&self, task: BoxFuture<'static, ()>) {
        drop(tokio::spawn(task));
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'static, ()> {
        tokio::time::sleep(duration).boxed()
    }

    fn monotonic(&self) -> Duration {
        self.started.elapsed()
    }

    fn wall(&self) -> Timestamp {
        START.saturating_add(self.started.elapsed())
    }

    fn random(&self) -> u64 {
        self.random.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::Relaxed)
    }
}

pub(crate) const START: Timestamp = Timestamp::from_millis(1_800_000_000_000);

/// One log, and a process's slots on it.
pub(crate) struct Log {
    pub(crate) slots: Slots,
    pub(crate) script: Arc<FaultScript>,
    pub(crate) store: Arc<MemoryStore>,
    pub(crate) counting: Arc<CountingStore>,
    pub(crate) bucket: Arc<Bucket>,
}

impl Log {
    pub(crate) fn new() -> Self {
        let started = Instant::now();
        let store = Arc::new(MemoryStore::new(Arc::new(move || START.saturating_add(started.elapsed()))));
        let script = Arc::new(FaultScript::new());
        let faulty = Arc::new(FaultyStore::new(store.clone(), script.clone()));
        let counting = Arc::new(CountingStore::new(faulty));
        let runtime = Arc::new(TestRuntime { started, random: AtomicU64::new(1) });
        let bucket = Arc::new(Bucket::new(counting.clone(), runtime));
        Self { slots: Slots::new(bucket.clone(), "p"), script, store, counting, bucket }
    }

    /// The position of a state that has folded `seq` records and was validated now.
    pub(crate) fn position(&self, seq: u64) -> Position {
        Position { seq, id: id(seq), at: START, validated: START.saturating_add(self.bucket.monotonic()) }
    }

    /// Puts a record into its slot, past all faults.
    pub(crate) async fn put(&self, seq: u64) {
        self.put_as(seq, &id(seq)).await;
    }

    pub(crate) async fn put_as(&self, seq: u64, id: &RecordId) {
        let object = NewObject::from(object(seq, id));
        self.store.put(&self.slots.key(seq), object, PutCondition::Always).await.unwrap();
    }

    pub(crate) async fn fill(&self, records: u64) {
        for seq in 1..=records {
            self.put(seq).await;
        }
    }

    pub(crate) async fn remove(&self, seq: u64) {
        self.store.delete_many(&[self.slots.key(seq)]).await.unwrap();
    }
}

/// The id of the record in a slot.
pub(crate) fn id(seq: u64) -> RecordId {
    RecordId::root(format_args!("id-{seq}"))
}

pub(crate) fn draft(seq: u64, own: &RecordId) -> Draft {
    Draft {
        seq,
        id: own.clone(),
        prev: id(seq - 1),
        at: START,
        content: serde_json::value::to_raw_value(&serde_json::json!({"n": seq})).unwrap(),
        payload: Bytes::from(format!("payload {seq}")),
        object: None,
    }
}

/// A record as it lies in its slot.
pub(crate) fn object(seq: u64, own: &RecordId) -> Bytes {
    draft(seq, own).encode().unwrap().0
}
