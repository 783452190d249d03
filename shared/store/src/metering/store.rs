//! The decorator that notes requests on meters.

use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use wadi_protocol::Timestamp;

use super::task::current_meter;
use crate::{
    Attributes, GetOptions, GetOutcome, ListRequest, Listing, NewObject, ObjectKey, ObjectStore, ObjectTag, Operation,
    PutCondition, PutOutcome, SharedStore, StoreError, Upload,
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

    async fn begin_upload(&self, key: &ObjectKey, attributes: Attributes) -> Result<Upload, StoreError> {
        let _under_way = current_meter().map(|meter| meter.start(Operation::BeginUpload));
        self.0.begin_upload(key, attributes).await
    }

    async fn put_part(&self, upload: &Upload, number: u32, body: Bytes) -> Result<ObjectTag, StoreError> {
        let _under_way = current_meter().map(|meter| meter.start(Operation::PutPart));
        self.0.put_part(upload, number, body).await
    }

    async fn complete_upload(&self, upload: &Upload, parts: &[ObjectTag]) -> Result<Timestamp, StoreError> {
        let _under_way = current_meter().map(|meter| meter.start(Operation::CompleteUpload));
        self.0.complete_upload(upload, parts).await
    }

    async fn abort_upload(&self, upload: &Upload) -> Result<(), StoreError> {
        let _under_way = current_meter().map(|meter| meter.start(Operation::AbortUpload));
        self.0.abort_upload(upload).await
    }

    async fn presign_get(&self, key: &ObjectKey, valid_for: Duration) -> Result<Option<String>, StoreError> {
        self.0.presign_get(key, valid_for).await
    }

    fn date_resolution(&self) -> Duration {
        self.0.date_resolution()
    }
}
