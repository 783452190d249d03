//! The objects in the bucket that hold snapshots.

use std::{collections::BTreeMap, ops::Range, sync::Arc};

use bytes::Bytes;
use wadi_protocol::{Incarnation, Timestamp, name, state::Snapshot};
use wadi_store::{Attributes, GetOptions, GetOutcome, NewObject, PutCondition, PutOutcome, StoreError};

use crate::{
    cell::Cell,
    layout::{body_key, snapshot_key},
    log::{Bucket, LogError, Slots},
    objects::CACHE_FOR_EVER,
};

/// The snapshots of one incarnation.
#[derive(Clone, Debug)]
pub(super) struct Objects {
    bucket: Arc<Bucket>,
    prefix: String,
    pub(super) incarnation: Incarnation,
}

/// Where a body is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// At the key that the snapshot's offset names.
    Canonical,
    /// Where it was uploaded to.
    Upload,
}

impl Objects {
    pub(super) fn new(cell: &Cell, incarnation: Incarnation) -> Self {
        let prefix = cell.prefix(incarnation);
        Self { bucket: cell.bucket().clone(), prefix, incarnation }
    }

    /// Uploads a body for a record to name. Returns the store's date.
    pub(super) async fn upload(&self, object: &str, body: Bytes) -> Result<Timestamp, StoreError> {
        Slots::new(self.bucket.clone(), &self.prefix).put_body(object, body).await
    }

    /// Copies the body of a snapshot that was committed to its canonical key, with the headers that it is
    /// served with. A failure is left to the next who comes by: it is read where it was uploaded to.
    pub(super) async fn copy(&self, snapshot: &Snapshot, body: Bytes) {
        let key = snapshot_key(&self.prefix, snapshot.offset);
        let object = NewObject { body, attributes: attributes(snapshot, self.incarnation) };
        match self.bucket.put(&key, object, PutCondition::IfAbsent).await {
            Ok(PutOutcome::Stored { .. }) => {}
            Ok(PutOutcome::PreconditionFailed { .. }) => {
                self.is_copied(snapshot).await;
            }
            Ok(PutOutcome::Conflict { .. }) => tracing::debug!(%key, "somebody else copies this snapshot"),
            Err(error) => tracing::warn!(%key, %error, "a snapshot was not copied to its own key"),
        }
    }

    /// Whether the canonical copy is there. Another object at its key is told loudly: it cannot be.
    pub(super) async fn is_copied(&self, snapshot: &Snapshot) -> bool {
        let key = snapshot_key(&self.prefix, snapshot.offset);
        let first = GetOptions { range: Some(0..1), if_none_match: None };
        match self.bucket.get(&key, first).await {
            Ok(GetOutcome::Found(object)) => {
                if object.size != snapshot.bytes || !names(&object.attributes, snapshot) {
                    tracing::error!(%key, "another object has the key of a snapshot");
                }
                true
            }
            Ok(GetOutcome::Missing { .. }) | Err(_) => false,
            // It has no first byte.
            Ok(GetOutcome::OutOfRange { .. } | GetOutcome::NotModified { .. }) => true,
        }
    }

    /// Reads a range, not empty, of a snapshot's body. `None`: it is not there, or not what it should be.
    pub(super) async fn read(
        &self,
        snapshot: &Snapshot,
        source: Source,
        range: Range<u64>,
    ) -> Result<Option<Bytes>, LogError> {
        let key = match source {
            Source::Canonical => snapshot_key(&self.prefix, snapshot.offset),
            Source::Upload => body_key(&self.prefix, &snapshot.object),
        };
        let length = range.end - range.start;
        match self.bucket.get(&key, GetOptions { range: Some(range), if_none_match: None }).await? {
            GetOutcome::Found(object)
                if object.size == snapshot.bytes
                    && object.body.len() as u64 == length
                    && (source == Source::Upload || names(&object.attributes, snapshot)) =>
            {
                Ok(Some(object.body))
            }
            GetOutcome::Missing { .. } => Ok(None),
            _ => {
                tracing::error!(%key, "an object is not the body of the snapshot that names it");
                Ok(None)
            }
        }
    }
}

/// The headers that a snapshot is served with, by whoever serves the bucket.
fn attributes(snapshot: &Snapshot, incarnation: Incarnation) -> Attributes {
    let metadata: BTreeMap<String, String> = [
        (name::STREAM_SNAPSHOT_OFFSET, snapshot.offset.to_string()),
        (name::STREAM_SNAPSHOT_DIGEST, snapshot.digest.to_string()),
        (name::STREAM_NEXT_OFFSET, snapshot.offset.to_string()),
        (name::STREAM_INCARNATION, incarnation.to_string()),
        (name::STREAM_IMMUTABLE, "true".to_owned()),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into();
    Attributes {
        content_type: Some(snapshot.content_type.to_string()),
        cache_control: Some(CACHE_FOR_EVER.to_owned()),
        metadata,
    }
}

fn names(attributes: &Attributes, snapshot: &Snapshot) -> bool {
    attributes.metadata.get(name::STREAM_SNAPSHOT_DIGEST).is_some_and(|digest| *digest == snapshot.digest.to_string())
}
