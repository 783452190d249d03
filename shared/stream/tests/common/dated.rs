//! A store whose dates are coarse, as those of S3 are, or not all by one clock.

use std::{fmt, sync::Arc, time::Duration};

use async_trait::async_trait;
use bytes::Bytes;
use wadi_protocol::Timestamp;
use wadi_store::{
    Attributes, GetOptions, GetOutcome, ListRequest, Listing, NewObject, ObjectKey, ObjectStore, ObjectTag,
    PutCondition, PutOutcome, SharedStore, StoreError, Upload,
};

type Change = Box<dyn Fn(Timestamp) -> Timestamp + Send + Sync>;

/// Changes the dates of a store.
pub struct DatedStore {
    inner: SharedStore,
    resolution: Duration,
    change: Change,
}

impl DatedStore {
    /// Whole seconds.
    pub fn coarse(inner: SharedStore) -> Arc<Self> {
        let change = |date: Timestamp| Timestamp::from_millis(date.as_millis() / 1000 * 1000);
        Arc::new(Self { inner, resolution: Duration::from_secs(1), change: Box::new(change) })
    }

    pub fn changed(inner: SharedStore, change: impl Fn(Timestamp) -> Timestamp + Send + Sync + 'static) -> Arc<Self> {
        let resolution = inner.date_resolution();
        Arc::new(Self { inner, resolution, change: Box::new(change) })
    }

    fn set(&self, date: &mut Timestamp) {
        *date = (self.change)(*date);
    }
}

impl fmt::Debug for DatedStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DatedStore").field("inner", &self.inner).finish_non_exhaustive()
    }
}

#[async_trait]
impl ObjectStore for DatedStore {
    async fn get(&self, key: &ObjectKey, options: GetOptions) -> Result<GetOutcome, StoreError> {
        let mut outcome = self.inner.get(key, options).await?;
        match &mut outcome {
            GetOutcome::Found(object) => {
                self.set(&mut object.date);
                self.set(&mut object.last_modified);
            }
            GetOutcome::NotModified { date } | GetOutcome::OutOfRange { date } | GetOutcome::Missing { date } => {
                self.set(date);
            }
        }
        Ok(outcome)
    }

    async fn put(&self, key: &ObjectKey, object: NewObject, condition: PutCondition) -> Result<PutOutcome, StoreError> {
        let mut outcome = self.inner.put(key, object, condition).await?;
        match &mut outcome {
            PutOutcome::Stored { date, .. }
            | PutOutcome::PreconditionFailed { date }
            | PutOutcome::Conflict { date } => self.set(date),
        }
        Ok(outcome)
    }

    async fn delete_many(&self, keys: &[ObjectKey]) -> Result<Timestamp, StoreError> {
        self.inner.delete_many(keys).await
    }

    async fn list(&self, request: ListRequest) -> Result<Listing, StoreError> {
        self.inner.list(request).await
    }

    async fn begin_upload(&self, key: &ObjectKey, attributes: Attributes) -> Result<Upload, StoreError> {
        let mut upload = self.inner.begin_upload(key, attributes).await?;
        self.set(&mut upload.date);
        Ok(upload)
    }

    async fn put_part(&self, upload: &Upload, number: u32, body: Bytes) -> Result<ObjectTag, StoreError> {
        self.inner.put_part(upload, number, body).await
    }

    async fn complete_upload(&self, upload: &Upload, parts: &[ObjectTag]) -> Result<Timestamp, StoreError> {
        let mut date = self.inner.complete_upload(upload, parts).await?;
        self.set(&mut date);
        Ok(date)
    }

    async fn abort_upload(&self, upload: &Upload) -> Result<(), StoreError> {
        self.inner.abort_upload(upload).await
    }

    async fn presign_get(&self, key: &ObjectKey, valid_for: Duration) -> Result<Option<String>, StoreError> {
        self.inner.presign_get(key, valid_for).await
    }

    fn date_resolution(&self) -> Duration {
        self.resolution
    }
}
