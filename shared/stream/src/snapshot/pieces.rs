//! An object of more than one PUT, written from pieces that come one after another.

use bytes::{Bytes, BytesMut};
use futures::{StreamExt, future::join, stream::BoxStream};
use wadi_protocol::{Digest, SnapshotDigest, Timestamp, state::Snapshot};
use wadi_store::{Attributes, ObjectKey, ObjectTag, StoreError, Upload};

use crate::{
    limits::{SNAPSHOT_PIECE_BYTES, UPLOAD_PART_ATTEMPTS_MAX, UPLOAD_TIME_MAX},
    log::Bucket,
};

/// The bytes of a body in order, none of them much larger than [`SNAPSHOT_PIECE_BYTES`].
pub(super) type Pieces<'a> = BoxStream<'a, Result<Bytes, Stop>>;

/// Why an object was not written.
#[derive(Debug)]
pub(super) enum Stop {
    /// The store does not answer usably.
    Store(StoreError),
    /// A piece is not there.
    Gone,
    /// The pieces are not the body that was named.
    OtherDigest,
}

impl From<StoreError> for Stop {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// What the bytes of a body must come to.
pub(super) struct Expected {
    so_far: SnapshotDigest,
    whole: Digest,
}

impl Expected {
    pub(super) fn of(snapshot: &Snapshot) -> Self {
        Self { so_far: SnapshotDigest::new(&snapshot.content_type), whole: snapshot.digest }
    }

    pub(super) fn update(&mut self, bytes: &[u8]) {
        self.so_far.update(bytes);
    }

    pub(super) fn compare(&self) -> Result<(), Stop> {
        if self.so_far.finish() == self.whole { Ok(()) } else { Err(Stop::OtherDigest) }
    }
}

/// Collects pieces that fit into one PUT, and compares their digest.
pub(super) async fn collect(mut pieces: Pieces<'_>, mut expected: Expected) -> Result<Bytes, Stop> {
    let mut whole = BytesMut::new();
    while let Some(piece) = pieces.next().await {
        whole.extend_from_slice(&piece?);
    }
    expected.update(&whole);
    expected.compare().map(|()| whole.freeze())
}

/// Writes an object of all pieces, unless they are not what is expected: then nothing has the key. Holds a
/// few pieces at a time. Returns the store's date.
///
/// Whether another can win the key does not matter: nobody else writes it, or whoever does writes the same
/// bytes.
pub(super) async fn write(
    bucket: &Bucket,
    key: &ObjectKey,
    attributes: Attributes,
    pieces: Pieces<'_>,
    expected: Expected,
) -> Result<Timestamp, Stop> {
    let upload = bucket.begin_upload(key, attributes).await?;
    let mut writing = Writing { bucket, upload, tags: Vec::new(), rest: BytesMut::new() };
    let written = match writing.take(pieces, expected).await {
        Ok(()) => writing.complete().await,
        Err(stop) => Err(stop),
    };
    if written.is_err()
        && let Err(error) = bucket.abort_upload(&writing.upload).await
    {
        tracing::warn!(%key, %error, "an upload could not be aborted; what was sent of it takes space");
    }
    written
}

struct Writing<'a> {
    bucket: &'a Bucket,
    upload: Upload,
    tags: Vec<ObjectTag>,
    /// What is too short for a part so far.
    rest: BytesMut,
}

impl Writing<'_> {
    async fn take(&mut self, mut pieces: Pieces<'_>, mut expected: Expected) -> Result<(), Stop> {
        let mut next = pieces.next().await;
        while let Some(piece) = next {
            let piece = piece?;
            expected.update(&piece);
            // The next piece is fetched while this one is sent.
            let (sent, following) = join(self.add(piece), pieces.next()).await;
            sent?;
            next = following;
        }
        expected.compare()?;
        let rest = self.rest.split().freeze();
        if rest.is_empty() { Ok(()) } else { self.send(rest).await }
    }

    async fn add(&mut self, piece: Bytes) -> Result<(), Stop> {
        if self.rest.is_empty() && piece.len() == PART_BYTES {
            return self.send(piece).await;
        }
        self.rest.extend_from_slice(&piece);
        drop(piece);
        while self.rest.len() >= PART_BYTES {
            let part = self.rest.split_to(PART_BYTES).freeze();
            self.send(part).await?;
        }
        Ok(())
    }

    async fn send(&mut self, part: Bytes) -> Result<(), Stop> {
        let number = u32::try_from(self.tags.len()).unwrap_or(u32::MAX).saturating_add(1);
        let mut failures = 0;
        loop {
            match self.bucket.put_part(&self.upload, number, part.clone()).await {
                Ok(tag) => {
                    self.tags.push(tag);
                    return Ok(());
                }
                Err(StoreError::Unavailable { .. } | StoreError::NotSent { .. })
                    if failures + 1 < UPLOAD_PART_ATTEMPTS_MAX =>
                {
                    failures += 1;
                    self.bucket.back_off_from_failure(failures).await;
                }
                Err(error) => return Err(error.into()),
            }
        }
    }

    async fn complete(&self) -> Result<Timestamp, Stop> {
        let date = self.bucket.complete_upload(&self.upload, &self.tags).await?;
        if date.since(self.upload.date) > UPLOAD_TIME_MAX {
            let reason = "the upload took so long that its object may be taken for an old one".to_owned();
            return Err(StoreError::Unavailable { reason }.into());
        }
        Ok(date)
    }
}

#[allow(clippy::cast_possible_truncation, reason = "8 MiB")]
const PART_BYTES: usize = SNAPSHOT_PIECE_BYTES as usize;
const _: () = assert!(PART_BYTES >= wadi_store::limits::UPLOAD_PART_BYTES_MIN);
const _: () = assert!(PART_BYTES <= wadi_store::limits::OBJECT_BYTES_MAX);
const _: () = assert!(
    wadi_protocol::limits::SNAPSHOT_BYTES_MAX / SNAPSHOT_PIECE_BYTES < wadi_store::limits::UPLOAD_PARTS_MAX as u64
);
