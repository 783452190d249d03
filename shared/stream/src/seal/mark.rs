//! What tells a sealer that a stream may be due, where sealing is driven by the bucket's events.
//!
//! Events are filtered by the end of a key, which shows every fiftieth record, but neither bytes nor a close.
//! For those the writer leaves a mark before it answers. Whoever seals the stream removes the mark: not before,
//! so that a sealer that stops half way leaves it to the next one.

use std::sync::Arc;

use bytes::Bytes;
use futures::future::select;
use wadi_protocol::{Offset, StreamKey, StreamState};
use wadi_store::{GetOptions, GetOutcome, NewObject, ObjectKey, PutCondition, StoreError};

use super::Sealing;
use crate::{
    cell::Cell,
    layout::{SEAL_MARKS, incarnation_of, incarnation_prefix},
    limits::{SEAL_BYTES, SEAL_MARK_ATTEMPTS_MAX, SEAL_MARK_BYTES_MAX, SIDE_WORK_WAIT_MAX},
    log::{Bucket, LogError},
};

/// What the key of an object that was just written says of sealing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SealSign {
    /// A record of this stream, one of those that may make it due.
    Record(StreamKey),
    /// The mark with this key; its body names the stream.
    Mark(ObjectKey),
}

impl SealSign {
    /// What a key says; `None` for a key that says nothing of sealing.
    pub fn of(key: &ObjectKey) -> Option<Self> {
        if key.as_str().starts_with(SEAL_MARKS) {
            return Some(Self::Mark(key.clone()));
        }
        let (stream, incarnation) = incarnation_of(key)?;
        let within = key.as_str().strip_prefix(&incarnation_prefix(&stream, incarnation))?;
        let is_record = within.starts_with("/log/") && SUFFIXES.iter().any(|end| within.ends_with(end));
        is_record.then_some(Self::Record(stream))
    }
}

/// How the keys of every fiftieth record end.
const SUFFIXES: [&str; 2] = ["00.rec", "50.rec"];

/// Whether a write of this process that leads from `before` to `after` makes a mark necessary: it crosses a
/// boundary of [`SEAL_BYTES`], or closes the stream.
fn calls_for_a_mark(before: Option<&StreamState>, after: &StreamState) -> bool {
    let cell = |offset: Offset| offset.get() / SEAL_BYTES;
    let (tail, closed) = before.map_or((Offset::ZERO, false), |before| (before.tail, before.closed));
    after.deleted.is_none() && (cell(tail) != cell(after.tail) || (after.closed && !closed))
}

impl Cell {
    /// Whether a write of this process that leads from `before` to `after` calls for a mark: only where events
    /// drive sealing.
    pub(crate) fn calls_for_a_mark(&self, before: Option<&StreamState>, after: &StreamState) -> bool {
        self.shared.sealing == Sealing::Events && calls_for_a_mark(before, after)
    }

    /// Leaves a mark of a write that calls for one. The write stands whatever becomes
    /// of the mark: one that is missing is made up for by the next, and by the records that are told by their keys.
    /// Nobody makes up for the mark of a last write or a close: the stream is then read from its records for good.
    pub(crate) async fn mark_for_sealing(self: &Arc<Self>) {
        let put = std::pin::pin!(self.put_mark());
        select(put, self.bucket().runtime().sleep(SIDE_WORK_WAIT_MAX)).await;
    }

    async fn put_mark(&self) {
        let key = ObjectKey::new(format!("{SEAL_MARKS}{}", self.writer_mark()));
        let object = NewObject::from(Bytes::from(self.key.key_text()));
        for failures in 1.. {
            match self.bucket().put(&key, object.clone(), PutCondition::IfAbsent).await {
                // Nobody else writes this key: if it is there, an attempt before was not lost after all.
                Ok(_) => return,
                Err(error) if failures >= SEAL_MARK_ATTEMPTS_MAX || matches!(error, StoreError::Rejected { .. }) => {
                    tracing::warn!(stream = self.key.key_text(), %error, "no mark tells that the stream is due");
                    return;
                }
                Err(_) => self.bucket().back_off_from_failure(failures).await,
            }
        }
    }
}

/// The stream that a mark names. `None`: the mark is gone, or none that a writer left.
pub(crate) async fn read_mark(bucket: &Bucket, key: &ObjectKey) -> Result<Option<StreamKey>, LogError> {
    let options = GetOptions { range: Some(0..SEAL_MARK_BYTES_MAX), if_none_match: None };
    let GetOutcome::Found(mark) = bucket.get(key, options).await? else { return Ok(None) };
    let stream = std::str::from_utf8(&mark.body).ok().and_then(|text| StreamKey::parse_key_text(text).ok());
    if stream.is_none() {
        tracing::warn!(%key, "a mark names no stream");
    }
    Ok(stream)
}

#[cfg(test)]
#[path = "mark_tests.rs"]
mod tests;
