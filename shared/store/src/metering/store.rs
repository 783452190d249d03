//! The decorator that notes requests on meters.

use std::time::Duration;

use async_trait::async_trait;
use wadi_protocol::Timestamp;

use super::task::current_meter;
use crate::{
    GetOptions, GetOutcome, ListRequest, Listing, NewObject, ObjectKey, ObjectStore, Operation, PutCondition,
    PutOutcome, SharedStore, StoreError,
};

/// Notes each request on the meter of the task that sends it.
#[derive(Debug)]
pub struct MeteredStore(SharedStore);

impl MeteredStore {
    /// Passes everything on to `inner`.
    pub fn new(inner: SharedStore) -> Self {
        Self(inner)
    }
}

#[async_trait]
impl ObjectStore for MeteredStore {
    async fn get(&self, key: &ObjectKey, options: GetOptions) -> Result<GetOutcome, StoreError> {
        let _under_way = current_meter().map(|meter| meter.start(Operation::Get));
        self.0.get(key, options).await
    }

    async fn put(&self, key: &ObjectKey, object: NewObject, condition: PutCondition) -> Result<PutOutcome, StoreError> {
        let _under_way = current_meter().map(|meter| meter.start(Operation::Put));
        self.0.put(key, object, condition).await
    }

    async fn delete_many(&self, keys: &[ObjectKey]) -> Result<Timestamp, StoreError> {
        let _under_way = current_meter().map(|meter| meter.start(Operation::Delete));
        self.0.delete_many(keys).await
    }

    async fn list(&self, request: ListRequest) -> Result<Listing, StoreError> {
        let _under_way = current_meter().map(|meter| meter.start(Operation::List));
        self.0.list(request).await
    }

    async fn presign_get(&self, key: &ObjectKey, valid_for: Duration) -> Result<Option<String>, StoreError> {
        self.0.presign_get(key, valid_for).await
    }

    fn date_resolution(&self) -> Duration {
        self.0.date_resolution()
    }
}
