//! The store, with its dates noted and every request bounded in time.

use std::{
    future::Future,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use bytes::Bytes;
use futures::future::{Either, select};
use wadi_protocol::{Timestamp, decide::Moment};
use wadi_store::{
    Attributes, GetOptions, GetOutcome, ListRequest, Listing, NewObject, ObjectKey, ObjectTag, PutCondition,
    PutOutcome, SharedStore, StoreError, Upload,
};

use super::dates::Dates;
use crate::{
    Runtime,
    limits::{
        BACKOFF_FAILING_MAX, BACKOFF_MAX, BACKOFF_MIN, BROKEN_OFF_ATTEMPTS_MAX, KEYS_AT_ONCE_MAX, LEASE,
        STORE_REQUEST_TIMEOUT,
    },
};

/// The bucket as the engine sees it.
#[derive(Debug)]
pub(crate) struct Bucket {
    store: SharedStore,
    runtime: Arc<dyn Runtime>,
    dates: Mutex<Dates>,
}

impl Bucket {
    pub(crate) fn new(store: SharedStore, runtime: Arc<dyn Runtime>) -> Self {
        Self { store, runtime, dates: Mutex::default() }
    }

    pub(crate) fn runtime(&self) -> &Arc<dyn Runtime> {
        &self.runtime
    }

    /// Reads an object; one that breaks off is asked for again at once.
    pub(crate) async fn get(&self, key: &ObjectKey, options: GetOptions) -> Result<GetOutcome, StoreError> {
        let mut outcome = self.bounded(self.store.get(key, options.clone())).await;
        for _ in 1..BROKEN_OFF_ATTEMPTS_MAX {
            let Err(error @ StoreError::BrokenOff { .. }) = &outcome else { break };
            tracing::debug!(%key, %error, "an object is asked for again");
            outcome = self.bounded(self.store.get(key, options.clone())).await;
        }
        let outcome = outcome?;
        self.observe(match &outcome {
            GetOutcome::Found(object) => object.date,
            GetOutcome::NotModified { date } | GetOutcome::OutOfRange { date } | GetOutcome::Missing { date } => *date,
        });
        Ok(outcome)
    }

    /// Writes an object.
    pub(crate) async fn put(
        &self,
        key: &ObjectKey,
        object: NewObject,
        condition: PutCondition,
    ) -> Result<PutOutcome, StoreError> {
        let outcome = self.bounded(self.store.put(key, object, condition)).await?;
        self.observe(match &outcome {
            PutOutcome::Stored { date, .. }
            | PutOutcome::PreconditionFailed { date }
            | PutOutcome::Conflict { date } => *date,
        });
        Ok(outcome)
    }

    /// Begins an object that is written in parts.
    pub(crate) async fn begin_upload(&self, key: &ObjectKey, attributes: Attributes) -> Result<Upload, StoreError> {
        let upload = self.bounded(self.store.begin_upload(key, attributes)).await?;
        self.observe(upload.date);
        Ok(upload)
    }

    /// Sends a part of an upload. It may be sent again.
    pub(crate) async fn put_part(&self, upload: &Upload, number: u32, body: Bytes) -> Result<ObjectTag, StoreError> {
        self.bounded(self.store.put_part(upload, number, body)).await
    }

    /// Makes the object of its parts.
    pub(crate) async fn complete_upload(&self, upload: &Upload, parts: &[ObjectTag]) -> Result<Timestamp, StoreError> {
        let date = self.bounded(self.store.complete_upload(upload, parts)).await?;
        self.observe(date);
        Ok(date)
    }

    /// Gives an upload up.
    pub(crate) async fn abort_upload(&self, upload: &Upload) -> Result<(), StoreError> {
        self.bounded(self.store.abort_upload(upload)).await
    }

    /// Removes objects; keys that hold none are no error.
    pub(crate) async fn delete(&self, keys: &[ObjectKey]) -> Result<(), StoreError> {
        for keys in keys.chunks(KEYS_AT_ONCE_MAX) {
            let date = self.bounded(self.store.delete_many(keys)).await?;
            self.observe(date);
        }
        Ok(())
    }

    /// A page of the keys that begin with `prefix`.
    pub(crate) async fn list(&self, prefix: &str, start_after: Option<ObjectKey>) -> Result<Listing, StoreError> {
        self.list_at_most(KEYS_AT_ONCE_MAX, prefix, start_after).await
    }

    /// The first key that begins with `prefix`.
    pub(crate) async fn list_one(&self, prefix: &str, start_after: Option<ObjectKey>) -> Result<Listing, StoreError> {
        self.list_at_most(1, prefix, start_after).await
    }

    async fn list_at_most(
        &self,
        limit: usize,
        prefix: &str,
        start_after: Option<ObjectKey>,
    ) -> Result<Listing, StoreError> {
        let request = ListRequest { prefix: prefix.to_owned(), start_after, limit };
        let listing = self.bounded(self.store.list(request)).await?;
        self.observe(listing.date);
        Ok(listing)
    }

    /// Now, by the store's clock; `None` until it has answered once.
    pub(crate) fn now(&self) -> Option<Timestamp> {
        self.dates().now(self.runtime.monotonic())
    }

    /// The moment of a decision.
    pub(crate) fn moment(&self) -> Moment {
        Moment { now: self.now().unwrap_or_default(), resolution: self.store.date_resolution() }
    }

    /// Whether [`Self::now`] can be trusted: not before the store has answered once, nor after the
    /// process was suspended until it answers again.
    pub(crate) fn knows_time(&self) -> bool {
        self.dates().is_current(self.runtime.monotonic(), self.runtime.wall())
    }

    /// True when a state validated at `validated` is young enough to start requests on, at a time
    /// that is known.
    pub(crate) fn is_warm(&self, validated: Timestamp) -> bool {
        let (monotonic, wall) = (self.runtime.monotonic(), self.runtime.wall());
        let mut dates = self.dates();
        let latest = dates.latest(monotonic, wall).filter(|_| dates.is_current(monotonic, wall));
        latest.is_some_and(|latest| latest.since(validated) <= LEASE / 2)
    }

    /// Local time from which deadlines are counted.
    pub(crate) fn monotonic(&self) -> Duration {
        self.runtime.monotonic()
    }

    /// A pause with full jitter, so that those who lost a race do not meet again.
    pub(crate) async fn back_off(&self) {
        let span = u64::try_from(BACKOFF_MAX.saturating_sub(BACKOFF_MIN).as_millis()).unwrap_or(u64::MAX);
        let jitter = Duration::from_millis(self.runtime.random() % span.max(1));
        self.runtime.sleep(BACKOFF_MIN + jitter).await;
    }

    /// A pause after the store has failed `failures` times in a row: longer each time, so that many
    /// writers do not keep a store in trouble down. With full jitter, too.
    pub(crate) async fn back_off_from_failure(&self, failures: u32) {
        let longest = BACKOFF_MAX.saturating_mul(2_u32.saturating_pow(failures)).min(BACKOFF_FAILING_MAX);
        let span = u64::try_from(longest.as_millis()).unwrap_or(u64::MAX);
        self.runtime.sleep(BACKOFF_MIN + Duration::from_millis(self.runtime.random() % span.max(1))).await;
    }

    async fn bounded<T>(&self, request: impl Future<Output = Result<T, StoreError>>) -> Result<T, StoreError> {
        let request = std::pin::pin!(request);
        match select(request, self.runtime.sleep(STORE_REQUEST_TIMEOUT)).await {
            Either::Left((answer, _)) => answer,
            Either::Right(_) => Err(StoreError::Unavailable { reason: "no answer in time".to_owned() }),
        }
    }

    fn observe(&self, date: Timestamp) {
        self.dates().observe(date, self.runtime.monotonic(), self.runtime.wall());
    }

    fn dates(&self) -> MutexGuard<'_, Dates> {
        self.dates.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
