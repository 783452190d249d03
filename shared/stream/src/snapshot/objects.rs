//! The objects in the bucket that hold snapshots.

use std::{collections::BTreeMap, ops::Range, sync::Arc};

use bytes::Bytes;
use futures::{StreamExt, stream};
use wadi_protocol::{Incarnation, Timestamp, name, state::Snapshot};
use wadi_store::{Attributes, GetOptions, GetOutcome, NewObject, ObjectKey, PutCondition, PutOutcome, StoreError};

use super::parts::Parts;
use super::pieces::{self, Expected, Pieces, Stop};
use crate::{
    cell::Cell,
    layout::{body_key, snapshot_key},
    limits::SNAPSHOT_PIECE_BYTES,
    log::{Bucket, LogError, Slots},
    objects::CACHE_FOR_EVER,
};

#[allow(clippy::cast_possible_truncation, reason = "8 MiB")]
const PIECE_STEP: usize = SNAPSHOT_PIECE_BYTES as usize;

/// The snapshots of one incarnation.
#[derive(Clone, Debug)]
pub(super) struct Objects {
    pub(super) bucket: Arc<Bucket>,
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

    /// The same for a body that is put together from parts, if they come to what `snapshot` says.
    pub(super) async fn assemble(&self, snapshot: &Snapshot, parts: &Parts) -> Result<Timestamp, Stop> {
        let (pieces, expected) = (parts.pieces(self.bucket.clone()), Expected::of(snapshot));
        if parts.bytes() <= SNAPSHOT_PIECE_BYTES {
            let body = pieces::collect(pieces, expected).await?;
            return Ok(self.upload(&snapshot.object, body).await?);
        }
        let key = body_key(&self.prefix, &snapshot.object);
        pieces::write(&self.bucket, &key, Attributes::default(), pieces, expected).await
    }

    /// Copies the body of a snapshot that was committed to its canonical key, with the headers that it is
    /// served with. A failure is left to the next who comes by: it is read where it was uploaded to.
    pub(super) async fn copy(&self, snapshot: &Snapshot, body: Bytes) -> bool {
        let key = snapshot_key(&self.prefix, snapshot.offset);
        let object = NewObject { body, attributes: attributes(snapshot, self.incarnation) };
        match self.bucket.put(&key, object, PutCondition::IfAbsent).await {
            Ok(PutOutcome::Stored { .. }) => return true,
            Ok(PutOutcome::PreconditionFailed { .. }) => return self.is_copied(snapshot).await,
            Ok(PutOutcome::Conflict { .. }) => tracing::debug!(%key, "somebody else copies this snapshot"),
            Err(error) => tracing::warn!(%key, %error, "a snapshot was not copied to its own key"),
        }
        false
    }

    /// The same from where the body was uploaded to, whatever its length. True once the copy is in place.
    ///
    /// Not every server lets only one of several uploads to a key win. Here it does not matter: what is
    /// committed at an offset is one body, so that whoever else copies it at the same time copies the same bytes.
    pub(super) async fn copy_upload(&self, snapshot: &Snapshot) -> bool {
        if self.is_copied(snapshot).await {
            return true;
        }
        let (pieces, expected) = (self.uploaded(snapshot), Expected::of(snapshot));
        let copied = if snapshot.bytes <= SNAPSHOT_PIECE_BYTES {
            match pieces::collect(pieces, expected).await {
                Ok(body) => return self.copy(snapshot, body).await,
                Err(stop) => Err(stop),
            }
        } else {
            let key = snapshot_key(&self.prefix, snapshot.offset);
            pieces::write(&self.bucket, &key, attributes(snapshot, self.incarnation), pieces, expected).await
        };
        let Err(stop) = copied else { return true };
        // Another may have been faster.
        let there = self.is_copied(snapshot).await;
        if !there {
            let (prefix, offset) = (&self.prefix, snapshot.offset);
            tracing::warn!(prefix, %offset, ?stop, "a snapshot was not copied to its own key");
        }
        there
    }

    /// A body where it was uploaded to, piece by piece.
    fn uploaded<'a>(&'a self, snapshot: &'a Snapshot) -> Pieces<'a> {
        let starts = (0..snapshot.bytes).step_by(PIECE_STEP);
        let read = move |start: u64| async move {
            let range = start..snapshot.bytes.min(start + SNAPSHOT_PIECE_BYTES);
            match self.read(snapshot, Source::Upload, range).await {
                Ok(Some(bytes)) => Ok(bytes),
                Err(LogError::Store(error)) => Err(Stop::Store(error)),
                Ok(None) | Err(_) => Err(Stop::Gone),
            }
        };
        stream::iter(starts).then(read).boxed()
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

    pub(super) fn key(&self, snapshot: &Snapshot, source: Source) -> ObjectKey {
        match source {
            Source::Canonical => snapshot_key(&self.prefix, snapshot.offset),
            Source::Upload => body_key(&self.prefix, &snapshot.object),
        }
    }

    /// Reads a range, not empty, of a snapshot's body. `None`: it is not there, or not what it should be.
    pub(super) async fn read(
        &self,
        snapshot: &Snapshot,
        source: Source,
        range: Range<u64>,
    ) -> Result<Option<Bytes>, LogError> {
        let key = self.key(snapshot, source);
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
