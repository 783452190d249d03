//! Requests that every store refuses alike.

use wadi_store::{GetOptions, KEY_BYTES_MAX, ListRequest, NewObject, ObjectKey, PutCondition, StoreError};

use super::Fixture;

fn rejected<T>(answer: &Result<T, StoreError>) -> bool {
    matches!(answer, Err(StoreError::Rejected { status: 400, .. }))
}

pub async fn a_key_too_long_is_rejected(f: &Fixture) {
    for key in [ObjectKey::new("k".repeat(KEY_BYTES_MAX + 1)), ObjectKey::new("")] {
        assert!(rejected(&f.store.put(&key, NewObject::default(), PutCondition::Always).await));
        assert!(rejected(&f.store.get(&key, GetOptions::default()).await));
        assert!(rejected(&f.store.delete_many(&[key]).await));
    }
}

pub async fn a_range_of_nothing_is_rejected(f: &Fixture) {
    f.store("object", "x", PutCondition::IfAbsent).await;
    let options = GetOptions { range: Some(0..0), ..GetOptions::default() };
    assert!(rejected(&f.store.get(&f.key("object"), options).await));
}

pub async fn a_page_without_limit_is_rejected(f: &Fixture) {
    for limit in [0, 1001] {
        let request = ListRequest { prefix: f.prefix.clone(), start_after: None, limit };
        assert!(rejected(&f.store.list(request).await));
    }
}
