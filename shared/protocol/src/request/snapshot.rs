//! Snapshots: publishing one, and reading it.

use crate::{ByteRange, ContentType, IfNoneMatch, Incarnation, Offset, SnapshotDigest, state::SnapshotName};

/// A request to publish a snapshot whose body is at hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublishRequest {
    /// `Stream-Incarnation`.
    pub incarnation: Option<Incarnation>,
    /// Offset and digest.
    pub name: SnapshotName,
    /// `Content-Type` in normal form, or `application/octet-stream`.
    pub content_type: ContentType,
    /// Length of the body.
    pub bytes: u64,
}

impl PublishRequest {
    /// Takes time linear in the body.
    pub fn of(incarnation: Option<Incarnation>, offset: Offset, content_type: ContentType, body: &[u8]) -> Self {
        let digest = SnapshotDigest::of(&content_type, body);
        Self { incarnation, name: SnapshotName { offset, digest }, content_type, bytes: body.len() as u64 }
    }
}

/// A request to read a snapshot, or a range of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SnapshotRequest {
    /// The snapshot's offset.
    pub offset: Offset,
    /// `Stream-Incarnation`, or the token of an immutable URL.
    pub incarnation: Option<Incarnation>,
    /// `Range`, unless it is to be ignored.
    pub range: Option<ByteRange>,
    /// `If-None-Match`.
    pub if_none_match: Option<IfNoneMatch>,
}
