//! Deleting objects: many in one request, or one by one where the server knows no better.

use std::sync::atomic::Ordering;

use aws_sdk_s3::{
    error::BuildError,
    types::{Delete, ObjectIdentifier},
};
use futures::{StreamExt, TryStreamExt, stream};
use wadi_protocol::Timestamp;

use super::{
    S3Store,
    date::AnswerDate,
    failure::{classify, status},
};
use crate::{
    ListRequest, ObjectKey, StoreError,
    limits::{S3_DELETE_KEYS_MAX, S3_SINGLE_DELETES_AT_ONCE_MAX},
};

/// What came of one request for many keys.
enum Batch {
    Done(Timestamp),
    /// Some keys remain, each with a reason of its own: alone they may go, or tell why not.
    Remaining(Vec<String>),
    /// The server does not take this form of request.
    Unknown,
}

impl S3Store {
    pub(super) async fn delete_objects(&self, keys: &[ObjectKey]) -> Result<Timestamp, StoreError> {
        let keys = keys.iter().map(|key| self.prefix.add(key)).collect::<Result<Vec<_>, _>>()?;
        let mut newest = None;
        for keys in keys.chunks(S3_DELETE_KEYS_MAX) {
            newest = newest.max(Some(self.delete_batch(keys).await?));
        }
        match newest {
            Some(date) => Ok(date),
            None => self.date_now().await,
        }
    }

    async fn delete_batch(&self, keys: &[String]) -> Result<Timestamp, StoreError> {
        if self.single_deletes.load(Ordering::Relaxed) {
            return self.delete_singly(keys).await;
        }
        match self.delete_at_once(keys).await? {
            Batch::Done(date) => Ok(date),
            Batch::Remaining(keys) => self.delete_singly(&keys).await,
            Batch::Unknown => {
                tracing::info!(
                    bucket = self.bucket,
                    "the store takes no DeleteObjects; objects are deleted one by one"
                );
                self.single_deletes.store(true, Ordering::Relaxed);
                self.delete_singly(keys).await
            }
        }
    }

    async fn delete_at_once(&self, keys: &[String]) -> Result<Batch, StoreError> {
        let date = AnswerDate::default();
        let delete = delete_of(keys).map_err(|error| StoreError::NotSent { reason: error.to_string() })?;
        let call = self.clients.repeating.delete_objects().bucket(&self.bucket).delete(delete);
        match call.customize().interceptor(date.clone()).send().await {
            Ok(output) if output.errors().is_empty() => Ok(Batch::Done(date.get()?)),
            Ok(output) => Ok(Batch::Remaining(
                output.errors().iter().filter_map(|error| error.key().map(str::to_owned)).collect(),
            )),
            Err(error) if matches!(status(&error), Some(400 | 405 | 411 | 501)) => Ok(Batch::Unknown),
            Err(error) => Err(classify(&error)),
        }
    }

    async fn delete_singly(&self, keys: &[String]) -> Result<Timestamp, StoreError> {
        let deletes = keys.iter().cloned().map(|key| self.delete_one(key));
        let dates = stream::iter(deletes).buffer_unordered(S3_SINGLE_DELETES_AT_ONCE_MAX);
        dates.try_fold(Timestamp::EPOCH, |newest, date| async move { Ok(newest.max(date)) }).await
    }

    async fn delete_one(&self, key: String) -> Result<Timestamp, StoreError> {
        let date = AnswerDate::default();
        let call = self.clients.repeating.delete_object().bucket(&self.bucket).key(key);
        match call.customize().interceptor(date.clone()).send().await {
            Ok(_) => date.get(),
            Err(error) => Err(classify(&error)),
        }
    }

    /// The store's date, for an answer that needs no request.
    async fn date_now(&self) -> Result<Timestamp, StoreError> {
        let smallest = ListRequest { prefix: String::new(), start_after: None, limit: 1 };
        self.list_objects(smallest).await.map(|page| page.date)
    }
}

fn delete_of(keys: &[String]) -> Result<Delete, BuildError> {
    let objects = keys.iter().map(|key| ObjectIdentifier::builder().key(key).build()).collect::<Result<_, _>>()?;
    Delete::builder().set_objects(Some(objects)).quiet(true).build()
}
