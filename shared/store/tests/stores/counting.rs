//! The counting decorator.

use std::sync::Arc;

use wadi_store::{
    Attributes, CountingStore, GetOptions, ListRequest, MemoryStore, NewObject, ObjectKey, ObjectStore, Operation,
    PutCondition, RequestCounts,
};

use crate::system_clock;

#[tokio::test]
async fn requests_are_counted_and_recorded() {
    let store = CountingStore::new(Arc::new(MemoryStore::new(system_clock())));
    let (a, b) = (ObjectKey::from("a"), ObjectKey::from("b"));
    store.put(&a, NewObject::default(), PutCondition::IfAbsent).await.unwrap();
    let before = store.counts();
    assert_eq!(store.recorded(), []);

    store.start_recording();
    store.put(&b, NewObject::default(), PutCondition::IfAbsent).await.unwrap();
    store.get(&a, GetOptions::default()).await.unwrap();
    store.get(&a, GetOptions::default()).await.unwrap();
    store.list(ListRequest { prefix: "p/".to_owned(), start_after: None, limit: 1 }).await.unwrap();
    store.delete_many(&[a.clone(), b.clone()]).await.unwrap();

    let sent = store.counts() - before;
    assert_eq!(sent, RequestCounts { get: 2, put: 1, delete: 1, list: 1 });
    assert_eq!(sent.total(), 5);
    let expected = [
        (Operation::Put, b.clone()),
        (Operation::Get, a.clone()),
        (Operation::Get, a.clone()),
        (Operation::List, ObjectKey::from("p/")),
        (Operation::Delete, a),
        (Operation::Delete, b),
    ];
    assert_eq!(store.recorded(), expected);
}

#[tokio::test]
async fn a_new_recording_forgets_the_old_one() {
    let store = CountingStore::new(Arc::new(MemoryStore::new(system_clock())));
    store.start_recording();
    store.get(&ObjectKey::from("a"), GetOptions::default()).await.unwrap();
    store.start_recording();
    assert_eq!(store.recorded(), []);
    assert_eq!(store.counts().total(), 1);
}

#[tokio::test]
async fn an_upload_in_parts_counts_as_what_it_costs() {
    let store = CountingStore::new(Arc::new(MemoryStore::new(system_clock())));
    let key = ObjectKey::from("large");
    store.start_recording();
    let upload = store.begin_upload(&key, Attributes::default()).await.unwrap();
    let tag = store.put_part(&upload, 1, "x".into()).await.unwrap();
    store.complete_upload(&upload, &[tag]).await.unwrap();
    let other = store.begin_upload(&key, Attributes::default()).await.unwrap();
    store.abort_upload(&other).await.unwrap();
    assert_eq!(store.counts(), RequestCounts { put: 4, delete: 1, ..RequestCounts::default() });
    let operations: Vec<Operation> = store.recorded().into_iter().map(|(operation, _)| operation).collect();
    let expected = [
        Operation::BeginUpload,
        Operation::PutPart,
        Operation::CompleteUpload,
        Operation::BeginUpload,
        Operation::AbortUpload,
    ];
    assert_eq!(operations, expected);
}
