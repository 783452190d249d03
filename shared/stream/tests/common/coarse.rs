//! A store whose dates have whole seconds, as those of S3 have.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use wadi_protocol::Timestamp;
use wadi_store::{
    GetOptions, GetOutcome, ListRequest, Listing, NewObject, ObjectKey, ObjectStore, PutCondition, PutOutcome,
    SharedStore, StoreError,
};

/// Cuts the dates of a store to whole seconds.
#[derive(Debug)]
pub struct CoarseStore(SharedStore);

impl CoarseStore {
    pub fn over(store: SharedStore) -> Arc<Self> {
        Arc::new(Self(store))
    }
}

fn cut(date: &mut Timestamp) {
    *date = Timestamp::from_millis(date.as_millis() / 1000 * 1000);
}

#[async_trait]
impl ObjectStore for CoarseStore {
    async fn get(&self, key: &ObjectKey, options: GetOptions) -> Result<GetOutcome, StoreError> {
        let mut outcome = self.0.get(key, options).await?;
        match &mut outcome {
            GetOutcome::Found(object) => {
                cut(&mut object.date);
                cut(&mut object.last_modified);
            }
            GetOutcome::NotModified { date } | GetOutcome::OutOfRange { date } | GetOutcome::Missing { date } => {
                cut(date);
            }
        }
        Ok(outcome)
    }

    async fn put(&self, key: &ObjectKey, object: NewObject, condition: PutCondition) -> Result<PutOutcome, StoreError> {
        let mut outcome = self.0.put(key, object, condition).await?;
        match &mut outcome {
            PutOutcome::Stored { date, .. }
            | PutOutcome::PreconditionFailed { date }
            | PutOutcome::Conflict { date } => cut(date),
        }
        Ok(outcome)
    }

    async fn delete_many(&self, keys: &[ObjectKey]) -> Result<Timestamp, StoreError> {
        self.0.delete_many(keys).await
    }

    async fn list(&self, request: ListRequest) -> Result<Listing, StoreError> {
        self.0.list(request).await
    }

    async fn presign_get(&self, key: &ObjectKey, valid_for: Duration) -> Result<Option<String>, StoreError> {
        self.0.presign_get(key, valid_for).await
    }

    fn date_resolution(&self) -> Duration {
        Duration::from_secs(1)
    }
}
