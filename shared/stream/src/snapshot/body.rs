//! The body of a snapshot, read piece by piece.

use std::ops::Range;

use bytes::Bytes;
use wadi_protocol::{Refusal, SnapshotDigest, state::Snapshot};

use super::objects::{Objects, Source};
use crate::{limits::SNAPSHOT_PIECE_BYTES, log::LogError};

/// The body of a snapshot, or a range of it. It holds one piece at a time.
#[derive(Debug)]
pub struct SnapshotBody {
    objects: Objects,
    snapshot: Snapshot,
    source: Source,
    /// What is asked for and was not fetched yet.
    rest: Range<u64>,
    fetched: Option<Bytes>,
    /// Of what was fetched; none for a range, which has no digest of its own.
    digest: Option<SnapshotDigest>,
}

impl SnapshotBody {
    /// Opens `range` of a body and fetches its first piece. `None`: the body is nowhere, so what named it
    /// is out of date.
    pub(super) async fn open(
        objects: Objects,
        snapshot: Snapshot,
        range: Range<u64>,
    ) -> Result<Option<Self>, LogError> {
        for source in [Source::Canonical, Source::Upload] {
            let mut body = Self::at(objects.clone(), snapshot.clone(), source, range.clone());
            if body.rest.is_empty() || body.fetch().await? {
                return Ok(Some(body));
            }
        }
        Ok(None)
    }

    /// Whether the whole body is where it is looked for, and has the digest that was committed.
    pub(super) async fn is_whole(objects: Objects, snapshot: Snapshot, source: Source) -> Result<bool, LogError> {
        let range = 0..snapshot.bytes;
        let mut body = Self::at(objects, snapshot, source, range);
        while !body.rest.is_empty() {
            if !body.fetch().await? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn at(objects: Objects, snapshot: Snapshot, source: Source, range: Range<u64>) -> Self {
        let whole = range == (0..snapshot.bytes);
        let digest = whole.then(|| SnapshotDigest::new(&snapshot.content_type));
        Self { objects, snapshot, source, rest: range, fetched: None, digest }
    }

    /// Whether it is this range of this snapshot.
    pub(super) fn is(&self, objects: &Objects, snapshot: &Snapshot, range: &Range<u64>) -> bool {
        let unread = self.fetched.as_ref().map_or(0, |piece| piece.len() as u64);
        let start = self.rest.start.saturating_sub(unread);
        self.objects.incarnation == objects.incarnation
            && self.snapshot == *snapshot
            && (start..self.rest.end) == *range
    }

    /// The next piece, never empty; `None` at the end. After an error nothing follows: what came is not
    /// the whole body. The last piece of a whole body is given only once its digest was compared.
    pub async fn next(&mut self) -> Option<Result<Bytes, Refusal>> {
        if let Some(piece) = self.fetched.take() {
            return Some(Ok(piece));
        }
        if self.rest.is_empty() {
            return None;
        }
        let fetched = self.fetch().await;
        if let (Ok(true), Some(piece)) = (&fetched, self.fetched.take()) {
            return Some(Ok(piece));
        }
        self.rest = 0..0;
        tracing::error!(offset = %self.snapshot.offset, ?fetched, "a snapshot could not be read to its end");
        Some(Err(Refusal::StoreUnavailable))
    }

    /// Fetches the next piece. False: it is not there, or the body is not the one that was published.
    async fn fetch(&mut self) -> Result<bool, LogError> {
        let piece = self.rest.start..self.rest.end.min(self.rest.start.saturating_add(SNAPSHOT_PIECE_BYTES));
        let end = piece.end;
        let Some(bytes) = self.objects.read(&self.snapshot, self.source, piece).await? else { return Ok(false) };
        if let Some(digest) = &mut self.digest {
            digest.update(&bytes);
            if end == self.rest.end && digest.finish() != self.snapshot.digest {
                tracing::error!(offset = %self.snapshot.offset, source = ?self.source, "the body of a snapshot is damaged");
                return Ok(false);
            }
        }
        self.rest.start = end;
        self.fetched = Some(bytes);
        Ok(true)
    }
}
