//! Objects written in parts: multipart uploads.

use aws_sdk_s3::{
    error::ProvideErrorMetadata,
    types::{CompletedMultipartUpload, CompletedPart},
};
use bytes::Bytes;
use wadi_protocol::Timestamp;

use super::{
    S3Store,
    date::AnswerDate,
    failure::classify,
    store::{no_tag, within, write_time_max},
};
use crate::{Attributes, ObjectKey, ObjectTag, StoreError, Upload, limits::S3_COMPLETE_TIME_MAX, rules};

impl S3Store {
    pub(super) async fn begin(&self, key: &ObjectKey, attributes: Attributes) -> Result<Upload, StoreError> {
        rules::check_key(key)?;
        let metadata = (!attributes.metadata.is_empty()).then(|| attributes.metadata.into_iter().collect());
        let date = AnswerDate::default();
        let call = self.clients.once.create_multipart_upload().bucket(&self.bucket).key(self.prefix.add(key)?);
        let call = call
            .set_content_type(attributes.content_type)
            .set_cache_control(attributes.cache_control)
            .set_metadata(metadata);
        let sent = within(write_time_max(0), call.customize().interceptor(date.clone()).send());
        let begun = sent.await?.map_err(|error| classify(&error))?;
        let id = begun.upload_id.ok_or_else(|| unavailable("its answer names no upload"))?;
        Ok(Upload { key: key.clone(), id, date: date.get()? })
    }

    pub(super) async fn part(&self, upload: &Upload, number: u32, body: Bytes) -> Result<ObjectTag, StoreError> {
        let number = part_number(number)?;
        // Larger ones would be no fault to the server, but to every other store.
        rules::check_part_body(body.len())?;
        let time = write_time_max(body.len());
        let call = self.clients.once.upload_part().bucket(&self.bucket).key(self.prefix.add(&upload.key)?);
        let sent = call.upload_id(&upload.id).part_number(number).body(body.into()).send();
        let stored = within(time, sent).await?.map_err(|error| classify(&error))?;
        stored.e_tag.map(ObjectTag).ok_or_else(no_tag)
    }

    pub(super) async fn complete(&self, upload: &Upload, parts: &[ObjectTag]) -> Result<Timestamp, StoreError> {
        let numbered = (1..).zip(parts);
        let parts = numbered.map(|(number, tag)| CompletedPart::builder().part_number(number).e_tag(&tag.0).build());
        let parts = CompletedMultipartUpload::builder().set_parts(Some(parts.collect())).build();
        let date = AnswerDate::default();
        let call = self.clients.once.complete_multipart_upload().bucket(&self.bucket);
        let call =
            call.key(self.prefix.add(&upload.key)?).upload_id(&upload.id).multipart_upload(parts).if_none_match("*");
        let sent = within(S3_COMPLETE_TIME_MAX, call.customize().interceptor(date.clone()).send());
        sent.await?.map_err(|error| classify(&error))?;
        date.get()
    }

    pub(super) async fn abort(&self, upload: &Upload) -> Result<(), StoreError> {
        let call = self.clients.repeating.abort_multipart_upload().bucket(&self.bucket);
        match call.key(self.prefix.add(&upload.key)?).upload_id(&upload.id).send().await {
            Ok(_) => Ok(()),
            Err(error) if error.code() == Some("NoSuchUpload") => Ok(()),
            Err(error) => Err(classify(&error)),
        }
    }
}

fn part_number(number: u32) -> Result<i32, StoreError> {
    // The server knows whether it comes in order; here only what it could not take is refused.
    let refused = |_| rules::refusal(400, "InvalidArgument", format!("no part can have the number {number}"));
    i32::try_from(number).map_err(refused)
}

fn unavailable(reason: &str) -> StoreError {
    StoreError::Unavailable { reason: reason.to_owned() }
}
