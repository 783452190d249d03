//! A decorator that counts requests: the cost of anything, asserted by tests and printed by benchmarks.

use std::{
    ops::{Add, Sub},
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use bytes::Bytes;
use wadi_protocol::Timestamp;

use crate::{
    Attributes, GetOptions, GetOutcome, ListRequest, Listing, NewObject, ObjectKey, ObjectStore, ObjectTag, Operation,
    PutCondition, PutOutcome, SharedStore, StoreError, Upload, limits::RECORDED_REQUESTS_MAX,
};

/// Counts the requests that pass through it, by operation, when they are sent (answered or not).
#[derive(Debug)]
pub struct CountingStore {
    inner: SharedStore,
    gets: AtomicU64,
    puts: AtomicU64,
    deletes: AtomicU64,
    lists: AtomicU64,
    /// `None` while recording is off, which is the cheap default.
    recorded: Mutex<Option<Vec<(Operation, ObjectKey)>>>,
}

/// Numbers of requests sent, by operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RequestCounts {
    /// GETs.
    pub get: u64,
    /// PUTs, the requests of an upload in parts included.
    pub put: u64,
    /// Calls of `delete_many`, each of many keys, and uploads aborted.
    pub delete: u64,
    /// LISTs: pages asked for.
    pub list: u64,
}

impl RequestCounts {
    /// All of them together.
    pub const fn total(self) -> u64 {
        self.get + self.put + self.delete + self.list
    }
}

impl Add for RequestCounts {
    type Output = Self;

    /// What was sent in both.
    fn add(self, other: Self) -> Self {
        Self {
            get: self.get + other.get,
            put: self.put + other.put,
            delete: self.delete + other.delete,
            list: self.list + other.list,
        }
    }
}

impl Sub for RequestCounts {
    type Output = Self;

    /// What was sent between two snapshots: `later - earlier`.
    fn sub(self, earlier: Self) -> Self {
        Self {
            get: self.get.saturating_sub(earlier.get),
            put: self.put.saturating_sub(earlier.put),
            delete: self.delete.saturating_sub(earlier.delete),
            list: self.list.saturating_sub(earlier.list),
        }
    }
}

impl CountingStore {
    /// Counts what goes to `inner`, starting from zero.
    pub fn new(inner: SharedStore) -> Self {
        Self {
            inner,
            gets: AtomicU64::new(0),
            puts: AtomicU64::new(0),
            deletes: AtomicU64::new(0),
            lists: AtomicU64::new(0),
            recorded: Mutex::new(None),
        }
    }

    /// The numbers so far. Subtract an earlier snapshot to get what was sent in between.
    pub fn counts(&self) -> RequestCounts {
        RequestCounts {
            get: self.gets.load(Ordering::Relaxed),
            put: self.puts.load(Ordering::Relaxed),
            delete: self.deletes.load(Ordering::Relaxed),
            list: self.lists.load(Ordering::Relaxed),
        }
    }

    /// Records every request from now on, and forgets those recorded before.
    ///
    /// At most [`RECORDED_REQUESTS_MAX`] are kept; later ones are only counted.
    pub fn start_recording(&self) {
        *self.recording() = Some(Vec::new());
    }

    /// What was sent since [`Self::start_recording`], in order; empty when recording was never started.
    ///
    /// A delete gives one line for each key, a listing gives its prefix as the key.
    pub fn recorded(&self) -> Vec<(Operation, ObjectKey)> {
        self.recording().clone().unwrap_or_default()
    }

    fn recording(&self) -> MutexGuard<'_, Option<Vec<(Operation, ObjectKey)>>> {
        self.recorded.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note<'a>(&self, operation: Operation, keys: impl Iterator<Item = &'a str>) {
        let counter = match operation {
            Operation::Get => &self.gets,
            Operation::Put | Operation::BeginUpload | Operation::PutPart | Operation::CompleteUpload => &self.puts,
            Operation::Delete | Operation::AbortUpload => &self.deletes,
            Operation::List => &self.lists,
        };
        counter.fetch_add(1, Ordering::Relaxed);
        if let Some(lines) = self.recording().as_mut() {
            let room = RECORDED_REQUESTS_MAX.saturating_sub(lines.len());
            lines.extend(keys.take(room).map(|key| (operation, ObjectKey::from(key))));
        }
    }
}

#[async_trait]
impl ObjectStore for CountingStore {
    async fn get(&self, key: &ObjectKey, options: GetOptions) -> Result<GetOutcome, StoreError> {
        self.note(Operation::Get, [key.as_str()].into_iter());
        self.inner.get(key, options).await
    }

    async fn put(&self, key: &ObjectKey, object: NewObject, condition: PutCondition) -> Result<PutOutcome, StoreError> {
        self.note(Operation::Put, [key.as_str()].into_iter());
        self.inner.put(key, object, condition).await
    }

    async fn delete_many(&self, keys: &[ObjectKey]) -> Result<Timestamp, StoreError> {
        self.note(Operation::Delete, keys.iter().map(ObjectKey::as_str));
        self.inner.delete_many(keys).await
    }

    async fn list(&self, request: ListRequest) -> Result<Listing, StoreError> {
        self.note(Operation::List, [request.prefix.as_str()].into_iter());
        self.inner.list(request).await
    }

    async fn begin_upload(&self, key: &ObjectKey, attributes: Attributes) -> Result<Upload, StoreError> {
        self.note(Operation::BeginUpload, [key.as_str()].into_iter());
        self.inner.begin_upload(key, attributes).await
    }

    async fn put_part(&self, upload: &Upload, number: u32, body: Bytes) -> Result<ObjectTag, StoreError> {
        self.note(Operation::PutPart, [upload.key.as_str()].into_iter());
        self.inner.put_part(upload, number, body).await
    }

    async fn complete_upload(&self, upload: &Upload, parts: &[ObjectTag]) -> Result<Timestamp, StoreError> {
        self.note(Operation::CompleteUpload, [upload.key.as_str()].into_iter());
        self.inner.complete_upload(upload, parts).await
    }

    async fn abort_upload(&self, upload: &Upload) -> Result<(), StoreError> {
        self.note(Operation::AbortUpload, [upload.key.as_str()].into_iter());
        self.inner.abort_upload(upload).await
    }

    async fn presign_get(&self, key: &ObjectKey, valid_for: Duration) -> Result<Option<String>, StoreError> {
        self.inner.presign_get(key, valid_for).await
    }

    fn date_resolution(&self) -> Duration {
        self.inner.date_resolution()
    }
}
