//! The decorator that breaks requests.

use std::sync::Arc;

use wadi_store::{
    Attributes, Fault, FaultScript, FaultyStore, GetOptions, GetOutcome, MemoryStore, NewObject, ObjectKey,
    ObjectStore, Operation, PutCondition, PutOutcome, SharedStore, StoreError,
};

use crate::system_clock;

struct Faulty {
    inner: SharedStore,
    script: Arc<FaultScript>,
    store: Arc<FaultyStore>,
}

fn faulty() -> Faulty {
    let inner: SharedStore = Arc::new(MemoryStore::new(system_clock()));
    let script = Arc::new(FaultScript::new());
    let store = Arc::new(FaultyStore::new(Arc::clone(&inner), script.clone()));
    Faulty { inner, script, store }
}

impl Faulty {
    async fn put(&self, key: &str) -> Result<PutOutcome, StoreError> {
        self.store.put(&key.into(), NewObject::default(), PutCondition::IfAbsent).await
    }

    async fn holds(&self, key: &str) -> bool {
        matches!(self.inner.get(&key.into(), GetOptions::default()).await.unwrap(), GetOutcome::Found(_))
    }
}

fn unavailable<T>(answer: &Result<T, StoreError>) -> bool {
    matches!(answer, Err(StoreError::Unavailable { .. }))
}

#[tokio::test]
async fn a_lost_request_applies_nothing_and_a_lost_answer_applied() {
    let f = faulty();
    f.script.next(Operation::Put, "log/", Fault::LoseRequest);
    f.script.next(Operation::Put, "log/", Fault::LoseAnswer);
    assert!(f.put("other").await.is_ok());
    assert!(unavailable(&f.put("log/1").await) && !f.holds("log/1").await);
    assert!(unavailable(&f.put("log/1").await) && f.holds("log/1").await);
    assert!(matches!(f.put("log/1").await, Ok(PutOutcome::PreconditionFailed { .. })));
}

#[tokio::test]
async fn a_spared_request_keeps_the_order_of_the_rules() {
    let f = faulty();
    f.script.next(Operation::Put, "", Fault::Pass);
    f.script.next(Operation::Put, "", Fault::LoseAnswer);
    assert!(f.put("a").await.is_ok());
    assert!(unavailable(&f.put("b").await) && f.holds("b").await);
    assert!(f.put("c").await.is_ok());
}

#[tokio::test]
async fn refusals_prove_that_nothing_was_written() {
    let f = faulty();
    for fault in [Fault::NotSent, Fault::Denied] {
        f.script.next(Operation::Put, "k", fault);
        assert!(f.put("k").await.unwrap_err().proves_nothing_written());
    }
    f.script.next(Operation::Put, "k", Fault::Conflict);
    assert!(matches!(f.put("k").await, Ok(PutOutcome::Conflict { .. })));
    f.script.next(Operation::Get, "k", Fault::Conflict);
    assert!(unavailable(&f.store.get(&"k".into(), GetOptions::default()).await));
    assert!(!f.holds("k").await);
}

#[tokio::test]
async fn a_postponed_write_lands_when_told() {
    let f = faulty();
    f.script.next(Operation::Put, "k", Fault::Postpone);
    f.script.next(Operation::Put, "k", Fault::Postpone);
    assert!(unavailable(&f.put("k1").await) && unavailable(&f.put("k2").await));
    assert_eq!(f.store.postponed_count(), 2);
    assert!(f.put("k2").await.is_ok());
    assert_eq!(f.store.land_postponed(1).await, Ok(Some(false)), "its condition fails by now");
    assert_eq!(f.store.land_postponed(0).await, Ok(Some(true)));
    assert_eq!(f.store.land_postponed(0).await, Ok(None));
    assert!(f.holds("k1").await);
}

#[tokio::test]
async fn an_outage_lasts_until_it_is_cleared() {
    let f = faulty();
    f.script.always(Operation::Put, "", Fault::ServerError);
    assert!(unavailable(&f.put("k").await) && unavailable(&f.put("k").await));
    f.script.clear();
    assert!(f.put("k").await.is_ok());
}

#[tokio::test]
async fn a_held_request_waits_for_its_release() {
    let f = faulty();
    let mut hold = f.script.hold(Operation::Put, "log/");
    let store = Arc::clone(&f.store);
    let key = ObjectKey::from("log/1");
    let put = tokio::spawn(async move { store.put(&key, NewObject::default(), PutCondition::IfAbsent).await });
    hold.arrived().await;
    assert!(!f.holds("log/1").await && !put.is_finished());
    assert!(f.put("log/2").await.is_ok());
    hold.release();
    assert!(put.await.unwrap().is_ok() && f.holds("log/1").await);
}

#[tokio::test]
async fn a_held_answer_has_applied() {
    let f = faulty();
    let mut hold = f.script.hold_answer(Operation::Put, "k");
    let store = Arc::clone(&f.store);
    let put = tokio::spawn(async move { store.put(&"k".into(), NewObject::default(), PutCondition::IfAbsent).await });
    hold.arrived().await;
    assert!(f.holds("k").await && !put.is_finished());
    drop(hold);
    assert!(put.await.unwrap().is_ok());
}

#[tokio::test]
async fn every_request_of_an_upload_in_parts_can_be_broken() {
    let f = faulty();
    let key = ObjectKey::from("body/1");
    let begin = || f.store.begin_upload(&key, Attributes::default());
    f.script.next(Operation::BeginUpload, "body/", Fault::LoseRequest);
    assert!(unavailable(&begin().await));
    let upload = begin().await.unwrap();

    f.script.next(Operation::PutPart, "body/", Fault::LoseAnswer);
    assert!(unavailable(&f.store.put_part(&upload, 1, "x".into()).await));
    let tags = [f.store.put_part(&upload, 1, "y".into()).await.unwrap()];

    f.script.next(Operation::CompleteUpload, "body/", Fault::ServerError);
    assert!(unavailable(&f.store.complete_upload(&upload, &tags).await) && !f.holds("body/1").await);
    f.script.next(Operation::CompleteUpload, "body/", Fault::Postpone);
    assert!(unavailable(&f.store.complete_upload(&upload, &tags).await) && !f.holds("body/1").await);
    assert_eq!(f.store.land_postponed(0).await, Ok(Some(true)));
    assert!(f.holds("body/1").await);

    let upload = begin().await.unwrap();
    f.script.next(Operation::AbortUpload, "body/", Fault::Denied);
    assert!(f.store.abort_upload(&upload).await.unwrap_err().proves_nothing_written());
    assert_eq!(f.store.abort_upload(&upload).await, Ok(()));
}
