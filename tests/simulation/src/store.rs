//! The bucket as one instance sees it: through the network.

use std::{fmt, sync::Arc, time::Duration};

use async_trait::async_trait;
use bytes::Bytes;
use wadi_protocol::Timestamp;
use wadi_store::{
    Attributes, GetOptions, GetOutcome, ListRequest, Listing, NewObject, ObjectKey, ObjectStore, ObjectTag,
    PutCondition, PutOutcome, StoreError, Upload,
};

use crate::{
    executor::Group,
    network::Network,
    request::{Reply, Request},
};

/// The bucket as one instance sees it.
pub(crate) struct SimStore {
    pub(crate) network: Arc<Network>,
    pub(crate) group: Group,
    pub(crate) label: Arc<str>,
    /// Nothing happens to its requests.
    pub(crate) smooth: bool,
}

impl fmt::Debug for SimStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SimStore").field("instance", &self.label).finish_non_exhaustive()
    }
}

impl SimStore {
    async fn send(&self, request: Request) -> Result<Reply, StoreError> {
        match self.network.send(request, self).await {
            Reply::Failed(error) => Err(error),
            reply => Ok(reply),
        }
    }
}

/// No workload publishes a snapshot that takes more than one PUT.
fn nothing_large() -> StoreError {
    let message = "the simulated bucket takes no upload in parts".to_owned();
    StoreError::Rejected { status: 501, code: "NotImplemented".to_owned(), message }
}

fn odd() -> StoreError {
    StoreError::Unavailable { reason: "an answer to another request".to_owned() }
}

#[async_trait]
impl ObjectStore for SimStore {
    async fn get(&self, key: &ObjectKey, options: GetOptions) -> Result<GetOutcome, StoreError> {
        match self.send(Request::Get(key.clone(), options)).await? {
            Reply::Got(outcome) => Ok(outcome),
            _ => Err(odd()),
        }
    }

    async fn put(&self, key: &ObjectKey, object: NewObject, condition: PutCondition) -> Result<PutOutcome, StoreError> {
        match self.send(Request::Put(key.clone(), object, condition)).await? {
            Reply::Put(outcome) => Ok(outcome),
            _ => Err(odd()),
        }
    }

    async fn delete_many(&self, keys: &[ObjectKey]) -> Result<Timestamp, StoreError> {
        match self.send(Request::Delete(keys.to_vec())).await? {
            Reply::Deleted(date) => Ok(date),
            _ => Err(odd()),
        }
    }

    async fn list(&self, request: ListRequest) -> Result<Listing, StoreError> {
        match self.send(Request::List(request)).await? {
            Reply::Listed(listing) => Ok(listing),
            _ => Err(odd()),
        }
    }

    async fn begin_upload(&self, _: &ObjectKey, _: Attributes) -> Result<Upload, StoreError> {
        Err(nothing_large())
    }

    async fn put_part(&self, _: &Upload, _: u32, _: Bytes) -> Result<ObjectTag, StoreError> {
        Err(nothing_large())
    }

    async fn complete_upload(&self, _: &Upload, _: &[ObjectTag]) -> Result<Timestamp, StoreError> {
        Err(nothing_large())
    }

    async fn abort_upload(&self, _: &Upload) -> Result<(), StoreError> {
        Err(nothing_large())
    }

    async fn presign_get(&self, _key: &ObjectKey, _valid_for: Duration) -> Result<Option<String>, StoreError> {
        Ok(None)
    }

    fn date_resolution(&self) -> Duration {
        self.network.resolution()
    }
}
