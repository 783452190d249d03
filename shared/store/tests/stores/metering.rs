//! The meters of tasks, and the decorator that notes requests on them.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use wadi_store::{
    Attributes, FaultScript, FaultyStore, GetOptions, ListRequest, MemoryStore, Meter, MeteredStore, NewObject,
    ObjectKey, ObjectStore, Operation, PutCondition, RequestCounts, SharedStore, current_meter, metered,
};

use crate::system_clock;

/// A meter whose time a test sets, in milliseconds.
fn meter() -> (Meter, Arc<AtomicU64>) {
    let hand = Arc::new(AtomicU64::new(0));
    let read = hand.clone();
    (Meter::new(move || Duration::from_millis(read.load(Ordering::Relaxed))), hand)
}

fn store() -> MeteredStore {
    MeteredStore::new(Arc::new(MemoryStore::new(system_clock())))
}

async fn get(store: &dyn ObjectStore) {
    store.get(&ObjectKey::from("a"), GetOptions::default()).await.unwrap();
}

#[tokio::test]
async fn every_kind_of_request_is_counted() {
    let (store, (meter, _)) = (store(), meter());
    let work = async {
        store.put(&ObjectKey::from("a"), NewObject::default(), PutCondition::IfAbsent).await.unwrap();
        get(&store).await;
        get(&store).await;
        store.list(ListRequest { prefix: String::new(), start_after: None, limit: 1 }).await.unwrap();
        store.delete_many(&[ObjectKey::from("a")]).await.unwrap();
    };
    metered(Some(meter.clone()), work).await;
    assert_eq!(meter.usage().requests, RequestCounts { get: 2, put: 1, delete: 1, list: 1 });
    get(&store).await;
    assert_eq!(meter.usage().requests.get, 2, "outside of the work nothing is noted");
}

#[tokio::test]
async fn work_counts_with_the_meter_that_it_is_given_and_a_task_with_none() {
    let (store, (outer, _), (inner, _)) = (Arc::new(store()), meter(), meter());
    let shared = store.clone();
    let work = async move {
        let tasks = [shared.clone(), shared.clone(), shared];
        let [alike, background, plain] = tasks.map(|store| async move { get(store.as_ref()).await });
        tokio::spawn(metered(current_meter(), alike)).await.unwrap();
        metered(None, background).await;
        tokio::spawn(plain).await.unwrap();
    };
    metered(Some(outer.clone()), metered(Some(inner.clone()), work)).await;
    assert_eq!((inner.usage().requests.get, outer.usage().requests.get), (1, 0));
    assert!(current_meter().is_none());
    get(store.as_ref()).await;
}

#[tokio::test]
async fn time_counts_once_however_many_requests_are_under_way() {
    let script = Arc::new(FaultScript::new());
    let memory: SharedStore = Arc::new(MemoryStore::new(system_clock()));
    let store = Arc::new(MeteredStore::new(Arc::new(FaultyStore::new(memory, script.clone()))));
    let (meter, hand) = meter();
    let mut hold = script.hold(Operation::Get, "");
    let work = async {
        let (one, two) = (store.clone(), store.clone());
        let one = tokio::spawn(metered(current_meter(), async move { get(one.as_ref()).await }));
        hold.arrived().await;
        hand.store(10, Ordering::Relaxed);
        let two = tokio::spawn(metered(current_meter(), async move { get(two.as_ref()).await }));
        two.await.unwrap();
        hand.store(30, Ordering::Relaxed);
        assert_eq!(meter.usage().waited, Duration::from_millis(30), "one is still under way");
        hold.release();
        one.await.unwrap();
        hand.store(1000, Ordering::Relaxed);
    };
    metered(Some(meter.clone()), work).await;
    assert_eq!(meter.usage().waited, Duration::from_millis(30));
}

#[tokio::test]
async fn an_upload_in_parts_is_noted_request_by_request() {
    let (store, (meter, _)) = (store(), meter());
    let work = async {
        let upload = store.begin_upload(&ObjectKey::from("a"), Attributes::default()).await.unwrap();
        let tag = store.put_part(&upload, 1, "x".into()).await.unwrap();
        store.complete_upload(&upload, &[tag]).await.unwrap();
        store.abort_upload(&upload).await.unwrap();
    };
    metered(Some(meter.clone()), work).await;
    assert_eq!(meter.usage().requests, RequestCounts { get: 0, put: 3, delete: 1, list: 0 });
}
