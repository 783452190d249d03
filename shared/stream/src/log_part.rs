//! The log's half of a manifest: from where the log is read, and what of it, and of the chunks made from
//! it, may be collected.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use wadi_protocol::{Offset, Timestamp};

use crate::{
    defects::{self, Defect},
    limits::COVERS_APART_MIN,
    log::RecordId,
    manifest::is_default,
};

/// The log's half of a manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogPart {
    /// The record up to which the state is folded.
    pub checkpoint: Checkpoint,
    /// Earlier checkpoints, with the store date of their publication: some of them, far enough apart
    /// that the list stays short.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub covers: Vec<Cover>,
    /// Slots up to here may be collected.
    #[serde(default)]
    pub floor: u64,
    /// Slots up to here are collected.
    #[serde(default)]
    pub collected: u64,
    /// Chunks below may be collected: no manifest of the last grace period names one of them.
    #[serde(default, skip_serializing_if = "is_default")]
    pub chunks_floor: Offset,
}

/// A record named by its slot, id and date.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checkpoint {
    /// Its slot; 0 before the first record.
    pub seq: u64,
    /// Its id; at slot 0 the token.
    pub id: RecordId,
    /// Its date.
    pub at: Timestamp,
}

/// A checkpoint that was published, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cover {
    /// Its slot.
    pub seq: u64,
    /// The store's date of its publication.
    pub date: Timestamp,
    /// Where the chunks begin that its manifest names.
    #[serde(default, skip_serializing_if = "is_default")]
    pub chunks_start: Offset,
}

impl LogPart {
    /// The log's half of the next manifest.
    ///
    /// The checkpoint that is `replaced` was covered from when its manifest was published. Its own
    /// author could not say when that would be, so this is left to who replaces it.
    #[must_use]
    pub fn followed_by(&self, checkpoint: Checkpoint, replaced: Cover) -> Self {
        let mut next = self.clone();
        let last = self.covers.last().map_or(Timestamp::default(), |cover| cover.date);
        if replaced.seq > self.floor
            && self.covers.last().is_none_or(|cover| cover.seq < replaced.seq)
            && replaced.date.since(last) >= COVERS_APART_MIN
        {
            next.covers.push(replaced);
        }
        next.checkpoint = checkpoint;
        next
    }

    /// The same, with the floors raised to what has been covered for `grace` at the date `now`, by the
    /// covers listed or by its `own`.
    #[must_use]
    pub fn with_floor_raised(&self, own: Cover, now: Timestamp, grace: Duration) -> Self {
        self.raised(self.covers.iter().copied().chain([own]), now, grace)
    }

    /// The same, by the covers alone: of a checkpoint that is not yet published.
    #[must_use]
    pub fn with_floor_raised_by_covers(&self, now: Timestamp, grace: Duration) -> Self {
        self.raised(self.covers.iter().copied(), now, grace)
    }

    fn raised(&self, covers: impl Iterator<Item = Cover>, now: Timestamp, grace: Duration) -> Self {
        let grace = if defects::active(Defect::CollectedBeforeGrace) { Duration::ZERO } else { grace };
        let mut next = self.clone();
        for old in covers.filter(|cover| cover.date.saturating_add(grace) <= now) {
            next.floor = next.floor.max(old.seq);
            next.chunks_floor = next.chunks_floor.max(old.chunks_start);
        }
        let floor = next.floor;
        next.covers.retain(|cover| cover.seq > floor);
        next
    }

    /// Whether chunks were let go of before they may be collected, in a manifest whose chunks begin at
    /// `chunks_start` and where its covers were published.
    pub(crate) fn lets_go_before_collecting(&self, chunks_start: Offset) -> bool {
        let starts = self.covers.iter().map(|cover| cover.chunks_start);
        starts.chain([chunks_start]).all(|start| (self.chunks_floor..=chunks_start).contains(&start))
    }

    /// What cannot be true.
    pub(crate) fn contradiction(&self) -> Option<&'static str> {
        let ordered = self.collected <= self.floor && self.floor <= self.checkpoint.seq;
        let covered = self.covers.iter().all(|cover| (self.floor..=self.checkpoint.seq).contains(&cover.seq));
        (!ordered || !covered).then_some("its floor lies above its checkpoint")
    }
}

#[cfg(test)]
#[path = "log_part_tests.rs"]
mod tests;
