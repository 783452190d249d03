//! Reading objects.

use std::ops::Range;

use aws_sdk_s3::{operation::get_object::GetObjectOutput, primitives::ByteStream};
use bytes::{Bytes, BytesMut};

use super::{
    S3Store,
    date::{AnswerDate, timestamp},
    failure::{classify, status},
};
use crate::{
    Attributes, GetOptions, GetOutcome, ObjectKey, ObjectTag, StoreError, StoredObject,
    limits::{OBJECT_BYTES_MAX, S3_READ_TIME_MAX},
    rules,
};

impl S3Store {
    pub(super) async fn get_object(&self, key: &ObjectKey, options: GetOptions) -> Result<GetOutcome, StoreError> {
        rules::check_get(key, &options)?;
        // The client's own time-outs end with the head of the answer; this one covers the body too.
        let read = tokio::time::timeout(S3_READ_TIME_MAX, self.read(key, options)).await;
        read.map_err(|_| unavailable(format!("no whole object within {S3_READ_TIME_MAX:?}")))?
    }

    async fn read(&self, key: &ObjectKey, options: GetOptions) -> Result<GetOutcome, StoreError> {
        let date = AnswerDate::default();
        let request = self.clients.repeating.get_object().bucket(&self.bucket).key(self.prefix.add(key)?);
        let request = request
            .set_range(options.range.as_ref().map(range_header))
            .set_if_none_match(options.if_none_match.map(|tag| tag.0));
        let output = match request.customize().interceptor(date.clone()).send().await {
            Ok(output) => output,
            Err(error) => {
                return match (status(&error), error.as_service_error()) {
                    (Some(304), _) => Ok(GetOutcome::NotModified { date: date.get()? }),
                    (Some(416), _) => Ok(GetOutcome::OutOfRange { date: date.get()? }),
                    (Some(404), Some(missing)) if missing.is_no_such_key() => {
                        Ok(GetOutcome::Missing { date: date.get()? })
                    }
                    _ => Err(classify(&error)),
                };
            }
        };
        found(output, options.range.as_ref(), &date).await
    }
}

async fn found(
    mut output: GetObjectOutput,
    range: Option<&Range<u64>>,
    date: &AnswerDate,
) -> Result<GetOutcome, StoreError> {
    let date = date.get()?;
    let whole_size = output.content_range().and_then(size_in_content_range);
    let mut body = collected(std::mem::take(&mut output.body), output.content_length()).await?;
    let size = whole_size.unwrap_or(body.len() as u64);
    if whole_size.is_none() {
        // The server sent all: nothing else was asked for, or it does not know ranges of this object.
        match rules::clamp(range, body.len()) {
            Some(part) => body = body.slice(part),
            None => return Ok(GetOutcome::OutOfRange { date }),
        }
    }
    Ok(GetOutcome::Found(StoredObject {
        body,
        size,
        tag: output.e_tag.map(ObjectTag).ok_or_else(|| unavailable("its answer has no ETag".to_owned()))?,
        attributes: Attributes {
            content_type: output.content_type,
            cache_control: output.cache_control,
            metadata: output.metadata.unwrap_or_default().into_iter().collect(),
        },
        last_modified: output.last_modified.as_ref().map(timestamp).unwrap_or_default(),
        date,
    }))
}

/// The bytes of a body, put together as they come: they are in memory once.
async fn collected(mut body: ByteStream, length: Option<i64>) -> Result<Bytes, StoreError> {
    let length = length.and_then(|length| usize::try_from(length).ok()).unwrap_or_default();
    let mut bytes = BytesMut::with_capacity(length.min(OBJECT_BYTES_MAX));
    while let Some(piece) = body.next().await {
        bytes.extend_from_slice(&piece.map_err(|error| StoreError::BrokenOff { reason: error.to_string() })?);
    }
    Ok(bytes.freeze())
}

/// `bytes=first-last`. Servers count in signed 64 bits.
fn range_header(range: &Range<u64>) -> String {
    let most = i64::MAX.unsigned_abs();
    format!("bytes={}-{}", range.start.min(most), (range.end - 1).min(most))
}

/// The whole size in `bytes first-last/size`.
fn size_in_content_range(text: &str) -> Option<u64> {
    text.rsplit_once('/')?.1.trim().parse().ok()
}

fn unavailable(reason: String) -> StoreError {
    StoreError::Unavailable { reason }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_written_and_read() {
        assert_eq!(range_header(&(0..1)), "bytes=0-0");
        assert_eq!(range_header(&(5..u64::MAX)), "bytes=5-9223372036854775807");
        assert_eq!(size_in_content_range("bytes 0-0/10"), Some(10));
        assert_eq!(size_in_content_range("bytes 0-0/*"), None);
    }
}
