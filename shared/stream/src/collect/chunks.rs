//! Chunks that retention let go of.

use wadi_protocol::Offset;
use wadi_store::ObjectKey;

use super::snapshots::offset_of;
use crate::{
    cell::Cell,
    defects::{self, Defect},
    limits::COLLECTED_PER_PASS_MAX,
    log::LogError,
    manifest::Manifest,
};

impl Cell {
    /// Removes the chunks that nobody has named for a grace period, as many as one pass may. Returns how many
    /// objects that were.
    ///
    /// They are listed although their keys could be computed: a sealer that slept may put one back long after it
    /// went, which nobody will ever name either. They are the first of all chunks, so a stream that has none of
    /// them costs one listing, and one that never let go of any costs nothing.
    pub(super) async fn collect_chunks(&self, manifest: &Manifest) -> Result<u64, LogError> {
        let below = released_below(manifest);
        if manifest.is_tombstone() || below == Offset::ZERO {
            return Ok(0);
        }
        let prefix = format!("{}/chunk/", self.prefix(manifest.incarnation()));
        let (mut removed, mut after) = (0, None);
        while removed < COLLECTED_PER_PASS_MAX {
            let listing = self.bucket().list(&prefix, after.take()).await?;
            let released = listing.objects.iter().filter(|object| offset_of(object).is_some_and(|start| start < below));
            let dead: Vec<ObjectKey> = released.map(|object| object.key.clone()).collect();
            self.bucket().delete(&dead).await?;
            removed += dead.len() as u64;
            after = dead.last().cloned();
            if !listing.more || dead.len() < listing.objects.len() {
                break;
            }
        }
        Ok(removed)
    }
}

/// Below here no chunk is needed, nor has been for a grace period.
fn released_below(manifest: &Manifest) -> Offset {
    if defects::active(Defect::ReleasedChunksCollectedAtOnce) {
        return manifest.sealed.chunks_start;
    }
    manifest.log.chunks_floor
}
