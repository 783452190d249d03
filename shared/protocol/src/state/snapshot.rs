//! The snapshot that a stream keeps: what its bytes up to an offset come to.

use serde::{Deserialize, Serialize};

use crate::{ContentType, Digest, Offset};

/// The latest snapshot of a stream. Its body is an object of its own in the bucket.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Snapshot {
    /// It stands for all bytes before this offset.
    pub offset: Offset,
    /// Of its content type and its body: [`crate::SnapshotDigest`].
    pub digest: Digest,
    /// The type of its body, in normal form.
    pub content_type: ContentType,
    /// Length of its body.
    pub bytes: u64,
    /// The object that its body was uploaded to.
    pub object: String,
}

/// What a snapshot is known by. No two snapshots of one incarnation have the same offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SnapshotName {
    /// It stands for all bytes before this offset.
    pub offset: Offset,
    /// Of its content type and its body.
    pub digest: Digest,
}

impl Snapshot {
    /// What it is known by.
    pub fn name(&self) -> SnapshotName {
        SnapshotName { offset: self.offset, digest: self.digest }
    }
}
