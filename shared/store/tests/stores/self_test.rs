//! The proof of fitness: fit stores pass it, stores broken in one way each are found out.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use bytes::Bytes;
use wadi_protocol::Timestamp;
use wadi_store::{
    Attributes, Fault, FaultScript, FaultyStore, GetOptions, GetOutcome, ListRequest, Listing, MemoryStore, NewObject,
    ObjectKey, ObjectStore, ObjectTag, Operation, Probe, PutCondition, PutOutcome, StoreError, Unfit, Upload, prove,
};

use crate::system_clock;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flaw {
    IgnoresIfAbsent,
    IgnoresIfMatch,
    IfMatchCreates,
    ChecksThenWrites,
    RefusesIfMatch,
    IgnoresRange,
    KeepsDeleted,
}

/// A store with one flaw, as found in the wild.
#[derive(Debug)]
struct Flawed {
    inner: MemoryStore,
    flaw: Flaw,
}

impl Flawed {
    fn new(flaw: Flaw) -> Self {
        Self { inner: MemoryStore::new(system_clock()), flaw }
    }

    async fn check_then_write(&self, key: &ObjectKey, object: NewObject, condition: PutCondition) -> PutOutcome {
        let current = match self.inner.get(key, GetOptions::default()).await.unwrap() {
            GetOutcome::Found(object) => Some(object.tag),
            _ => None,
        };
        let holds = match &condition {
            PutCondition::IfAbsent => current.is_none(),
            PutCondition::IfMatch(tag) => current.as_ref() == Some(tag),
            PutCondition::Always => true,
        };
        tokio::task::yield_now().await;
        let condition = if holds { PutCondition::Always } else { condition };
        self.inner.put(key, object, condition).await.unwrap()
    }
}

#[async_trait]
impl ObjectStore for Flawed {
    async fn get(&self, key: &ObjectKey, mut options: GetOptions) -> Result<GetOutcome, StoreError> {
        if self.flaw == Flaw::IgnoresRange {
            options.range = None;
        }
        self.inner.get(key, options).await
    }

    async fn put(&self, key: &ObjectKey, object: NewObject, condition: PutCondition) -> Result<PutOutcome, StoreError> {
        let exists = matches!(self.inner.get(key, GetOptions::default()).await?, GetOutcome::Found(_));
        let condition = match (self.flaw, condition) {
            (Flaw::IgnoresIfAbsent, PutCondition::IfAbsent) | (Flaw::IgnoresIfMatch, PutCondition::IfMatch(_)) => {
                PutCondition::Always
            }
            (Flaw::IfMatchCreates, PutCondition::IfMatch(_)) if !exists => PutCondition::Always,
            (Flaw::RefusesIfMatch, PutCondition::IfMatch(_)) => {
                return Err(StoreError::Rejected {
                    status: 501,
                    code: "NotImplemented".into(),
                    message: "If-Match".into(),
                });
            }
            (Flaw::ChecksThenWrites, condition) => return Ok(self.check_then_write(key, object, condition).await),
            (_, condition) => condition,
        };
        self.inner.put(key, object, condition).await
    }

    async fn delete_many(&self, keys: &[ObjectKey]) -> Result<Timestamp, StoreError> {
        let keys = if self.flaw == Flaw::KeepsDeleted { &[] } else { keys };
        self.inner.delete_many(keys).await
    }

    async fn list(&self, request: ListRequest) -> Result<Listing, StoreError> {
        self.inner.list(request).await
    }

    async fn begin_upload(&self, key: &ObjectKey, attributes: Attributes) -> Result<Upload, StoreError> {
        self.inner.begin_upload(key, attributes).await
    }

    async fn put_part(&self, upload: &Upload, number: u32, body: Bytes) -> Result<ObjectTag, StoreError> {
        self.inner.put_part(upload, number, body).await
    }

    async fn complete_upload(&self, upload: &Upload, parts: &[ObjectTag]) -> Result<Timestamp, StoreError> {
        self.inner.complete_upload(upload, parts).await
    }

    async fn abort_upload(&self, upload: &Upload) -> Result<(), StoreError> {
        self.inner.abort_upload(upload).await
    }

    async fn presign_get(&self, key: &ObjectKey, valid_for: Duration) -> Result<Option<String>, StoreError> {
        self.inner.presign_get(key, valid_for).await
    }

    fn date_resolution(&self) -> Duration {
        self.inner.date_resolution()
    }
}

#[tokio::test]
async fn a_fit_store_is_proved_and_left_empty() {
    let store = MemoryStore::new(system_clock());
    assert_eq!(prove(&store, "id").await, Ok(()));
    assert_eq!(prove(&store, "id").await, Ok(()), "nothing was left behind");
    assert_eq!(store.object_count(), 0);
}

#[tokio::test]
async fn every_flaw_is_found() {
    let flaws = [
        (Flaw::IgnoresIfAbsent, Probe::CreateOnce),
        (Flaw::IgnoresIfMatch, Probe::StaleUpdate),
        (Flaw::IfMatchCreates, Probe::UpdateOfMissing),
        (Flaw::ChecksThenWrites, Probe::ConcurrentCreates),
        (Flaw::IgnoresRange, Probe::RangeRead),
        (Flaw::KeepsDeleted, Probe::Delete),
    ];
    for (flaw, expected) in flaws {
        let store = Flawed::new(flaw);
        let Err(Unfit::Broken { probe, .. }) = prove(&store, "id").await else { panic!("{flaw:?} was not found") };
        assert_eq!(probe, expected, "{flaw:?}");
        assert!(store.inner.object_count() == 0 || flaw == Flaw::KeepsDeleted, "{flaw:?} left objects behind");
    }
}

#[tokio::test]
async fn a_store_that_cannot_be_asked_is_not_called_unfit() {
    let refuses = prove(&Flawed::new(Flaw::RefusesIfMatch), "id").await;
    assert!(matches!(refuses, Err(Unfit::Unproved { probe: Probe::CurrentUpdate, .. })), "{refuses:?}");

    let script = Arc::new(FaultScript::new());
    script.always(Operation::Put, "selftest/id/", Fault::NotSent);
    let unreachable = FaultyStore::new(Arc::new(MemoryStore::new(system_clock())), script);
    let Err(Unfit::Unproved { source, .. }) = prove(&unreachable, "id").await else {
        panic!("proved without an answer")
    };
    assert!(source.proves_nothing_written());
}

#[tokio::test]
async fn the_message_says_what_it_means_and_what_to_do() {
    let text = prove(&Flawed::new(Flaw::ChecksThenWrites), "id").await.unwrap_err().to_string();
    assert!(text.contains("If-None-Match under concurrency") && text.contains("Use a store"), "{text}");
}
