//! The embedded store as its parts make it: what only shows from inside.

mod faults;
mod format;
mod layers;
mod recovery;
mod restarts;

use std::{path::Path, sync::Arc};

use bytes::Bytes;
use wadi_protocol::Timestamp;

use super::{EmbeddedStore, options::Options};
use crate::{Clock, GetOptions, GetOutcome, ListRequest, NewObject, ObjectStore, PutCondition, PutOutcome, StoreError};

/// Options of a store that ends as if it crashed: what is in its journal stays there.
fn crashing() -> Options {
    Options { flush_at_end: false, ..Options::default() }
}

fn open(directory: &Path, options: &Options) -> EmbeddedStore {
    EmbeddedStore::open_with(directory, clock(), options).unwrap()
}

fn clock() -> Clock {
    Arc::new(|| Timestamp::from_millis(5_000_000))
}

/// Bytes that do not repeat, so that no page of them is like another, or zero.
pub(super) fn noise(seed: u64, bytes: usize) -> Bytes {
    let mut state = seed.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()[7]
    };
    (0..bytes).map(|_| next()).collect()
}

async fn try_put(store: &EmbeddedStore, key: &str, body: Bytes) -> Result<PutOutcome, StoreError> {
    store.put(&key.into(), NewObject::from(body), PutCondition::Always).await
}

async fn put(store: &EmbeddedStore, key: &str, body: Bytes) {
    assert!(matches!(try_put(store, key, body).await, Ok(PutOutcome::Stored { .. })), "{key}");
}

/// The body of a key.
async fn body(store: &EmbeddedStore, key: &str) -> Option<Bytes> {
    match store.get(&key.into(), GetOptions::default()).await.unwrap() {
        GetOutcome::Found(object) => Some(object.body),
        _ => None,
    }
}

async fn keys(store: &EmbeddedStore) -> Vec<String> {
    let page = store.list(ListRequest { limit: 1000, ..ListRequest::default() }).await.unwrap();
    assert!(!page.more);
    page.objects.into_iter().map(|object| object.key.into_string()).collect()
}
