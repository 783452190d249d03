//! The store in memory.

use std::{
    future::{Ready, ready},
    sync::{Arc, atomic::Ordering},
};

use wadi_protocol::Timestamp;
use wadi_store::{MemoryStore, NewObject, ObjectKey, ObjectStore, PutCondition, PutOutcome};

use crate::{contract::Fixture, manual_clock, system_clock};

fn fixture(_: &str) -> Ready<Option<Fixture>> {
    let store = Arc::new(MemoryStore::new(system_clock()));
    ready(Some(Fixture { store, prefix: String::new(), racers: 32, byte_order: true, any_key: true, _directory: None }))
}

crate::contract::contract_tests!(fixture);

#[tokio::test]
async fn the_clock_set_back_does_not_set_dates_back() {
    let (hand, clock) = manual_clock(5000);
    let store = MemoryStore::new(clock);
    let key = ObjectKey::from("k");
    store.put(&key, NewObject::default(), PutCondition::Always).await.unwrap();
    hand.store(1000, Ordering::SeqCst);
    assert_eq!(store.delete_many(&[]).await.unwrap(), Timestamp::from_millis(5000));
}

#[tokio::test]
async fn equal_bytes_written_twice_have_two_tags() {
    let store = MemoryStore::new(system_clock());
    let key = ObjectKey::from("k");
    let put = || store.put(&key, NewObject::default(), PutCondition::Always);
    let (PutOutcome::Stored { tag: first, .. }, PutOutcome::Stored { tag: second, .. }) =
        (put().await.unwrap(), put().await.unwrap())
    else {
        panic!("not stored")
    };
    assert_ne!(first, second);
}
