//! The store itself, and its writes.

use std::{collections::HashMap, sync::atomic::AtomicBool, time::Duration};

use async_trait::async_trait;
use aws_sdk_s3::{
    config::http::HttpResponse,
    error::{ProvideErrorMetadata, SdkError},
    operation::put_object::{PutObjectError, builders::PutObjectFluentBuilder},
    presigning::PresigningConfig,
};
use bytes::Bytes;
use wadi_protocol::Timestamp;

use super::{
    ConnectError, S3Settings,
    client::{self, Clients},
    date::AnswerDate,
    failure::{classify, status},
    keys::Prefix,
};
use crate::{
    Attributes, GetOptions, GetOutcome, ListRequest, Listing, NewObject, ObjectKey, ObjectStore, ObjectTag,
    PutCondition, PutOutcome, StoreError, Upload,
    limits::{S3_DATE_RESOLUTION, S3_WRITE_TIME_BASE, S3_WRITE_TIME_PER_MIB},
    rules,
};

/// An object store in a bucket.
///
/// An object written without a content type may come back with one that the server chose.
pub struct S3Store {
    pub(super) clients: Clients,
    pub(super) bucket: String,
    pub(super) prefix: Prefix,
    /// Set once the server has refused to delete many keys in one request.
    pub(super) single_deletes: AtomicBool,
}

impl S3Store {
    /// Sets up the store. Sends no request to the bucket: [`crate::prove`] does.
    pub async fn connect(settings: S3Settings) -> Result<Self, ConnectError> {
        settings.checked()?;
        let clients = client::connect(&settings).await?;
        let prefix = Prefix::new(settings.prefix.as_deref());
        Ok(Self { clients, bucket: settings.bucket, prefix, single_deletes: AtomicBool::new(false) })
    }

    fn put_request(&self, full_key: String, object: NewObject, condition: &PutCondition) -> PutObjectFluentBuilder {
        let NewObject { body, attributes } = object;
        let metadata: HashMap<_, _> = attributes.metadata.into_iter().collect();
        let request = self.clients.once.put_object().bucket(&self.bucket).key(full_key).body(body.into());
        let request = request
            .set_content_type(attributes.content_type)
            .set_cache_control(attributes.cache_control)
            .set_metadata((!metadata.is_empty()).then_some(metadata));
        match condition {
            PutCondition::Always => request,
            PutCondition::IfAbsent => request.if_none_match("*"),
            PutCondition::IfMatch(tag) => request.if_match(&tag.0),
        }
    }
}

#[async_trait]
impl ObjectStore for S3Store {
    async fn get(&self, key: &ObjectKey, options: GetOptions) -> Result<GetOutcome, StoreError> {
        self.get_object(key, options).await
    }

    async fn put(&self, key: &ObjectKey, object: NewObject, condition: PutCondition) -> Result<PutOutcome, StoreError> {
        rules::check_put(key, &object)?;
        let time = write_time_max(object.body.len());
        let request = self.put_request(self.prefix.add(key)?, object, &condition);
        let date = AnswerDate::default();
        let sent = request.customize().interceptor(date.clone()).send();
        match within(time, sent).await? {
            Ok(stored) => {
                let tag = stored.e_tag.map(ObjectTag).ok_or_else(no_tag)?;
                Ok(PutOutcome::Stored { tag, date: date.get()? })
            }
            Err(error) => refused(&error, &condition, &date),
        }
    }

    async fn delete_many(&self, keys: &[ObjectKey]) -> Result<Timestamp, StoreError> {
        self.delete_objects(keys).await
    }

    async fn list(&self, request: ListRequest) -> Result<Listing, StoreError> {
        self.list_objects(request).await
    }

    async fn begin_upload(&self, key: &ObjectKey, attributes: Attributes) -> Result<Upload, StoreError> {
        self.begin(key, attributes).await
    }

    async fn put_part(&self, upload: &Upload, number: u32, body: Bytes) -> Result<ObjectTag, StoreError> {
        self.part(upload, number, body).await
    }

    async fn complete_upload(&self, upload: &Upload, parts: &[ObjectTag]) -> Result<Timestamp, StoreError> {
        self.complete(upload, parts).await
    }

    async fn abort_upload(&self, upload: &Upload) -> Result<(), StoreError> {
        self.abort(upload).await
    }

    async fn presign_get(&self, key: &ObjectKey, valid_for: Duration) -> Result<Option<String>, StoreError> {
        let full_key = self.prefix.add(key)?;
        let refuse = |reason: String| rules::refusal(400, "InvalidArgument", reason);
        let validity = PresigningConfig::expires_in(valid_for).map_err(|error| refuse(error.to_string()))?;
        let request = self.clients.repeating.get_object().bucket(&self.bucket).key(full_key);
        let presigned = request.presigned(validity).await.map_err(|error| classify(&error))?;
        Ok(Some(presigned.uri().to_owned()))
    }

    fn date_resolution(&self) -> Duration {
        S3_DATE_RESOLUTION
    }
}

/// What an answer other than success says about a write.
fn refused(
    error: &SdkError<PutObjectError, HttpResponse>,
    condition: &PutCondition,
    date: &AnswerDate,
) -> Result<PutOutcome, StoreError> {
    let update = matches!(condition, PutCondition::IfMatch(_));
    match (status(error), error.code()) {
        (Some(412), _) => Ok(PutOutcome::PreconditionFailed { date: date.get()? }),
        // A missing key has no tag to match. A missing bucket is another matter.
        (Some(404), Some("NoSuchKey")) if update => Ok(PutOutcome::PreconditionFailed { date: date.get()? }),
        (Some(409), _) => Ok(PutOutcome::Conflict { date: date.get()? }),
        _ => Err(classify(error)),
    }
}

/// A write's answer, if it comes in time.
pub(super) async fn within<T>(time: Duration, sent: impl Future<Output = T>) -> Result<T, StoreError> {
    let late = |_| StoreError::Unavailable { reason: format!("no answer to a write within {time:?}") };
    tokio::time::timeout(time, sent).await.map_err(late)
}

pub(super) fn write_time_max(bytes: usize) -> Duration {
    let mebibytes = u32::try_from(bytes.div_ceil(1024 * 1024)).unwrap_or(u32::MAX);
    S3_WRITE_TIME_BASE + S3_WRITE_TIME_PER_MIB.saturating_mul(mebibytes)
}

pub(super) fn no_tag() -> StoreError {
    StoreError::Unavailable { reason: "its answer has no ETag".to_owned() }
}

impl std::fmt::Debug for S3Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("S3Store").field("bucket", &self.bucket).field("prefix", &self.prefix).finish_non_exhaustive()
    }
}
