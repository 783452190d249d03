//! The manifest: one small object per name that says which incarnation lives and from where its
//! log is read.

use serde::{Deserialize, Serialize};
use wadi_protocol::{
    ContentType, DeleteReason, Digest, Genesis, Incarnation, Lifetime, Offset, StreamState, Timestamp,
    limits::INTEGER_MAX,
};

use crate::{
    defects::{self, Defect},
    log::RecordId,
    log_part::{Checkpoint, Cover, LogPart},
    sealed::Sealed,
};

/// The manifest format of this release.
const FORMAT: u32 = 1;

/// A manifest. Every change is a compare-and-set that raises `revision` by one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    format: u32,
    /// Changes of this name's manifest so far, over all its incarnations.
    pub revision: u64,
    /// Random mark of the change, by which its author knows it again.
    pub writer: String,
    /// What the log needs.
    pub log: LogPart,
    /// The create operation.
    pub genesis: Genesis,
    /// The state at the checkpoint; absent at slot 0, where it follows from `genesis`, and where it
    /// is too large to be here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<StreamState>,
    /// The state at the checkpoint, when it lies in an object of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state_object: Option<StateObject>,
    /// Where the bytes below the checkpoint are.
    #[serde(default, skip_serializing_if = "is_default")]
    pub sealed: Sealed,
    /// Incarnations that ended and whose objects may not all be collected yet.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dropped: Vec<Dropped>,
    /// Incarnations found in the bucket that no manifest named. None of them lives or ever will.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub orphans: Vec<Dropped>,
}

/// A state in an object of its own, at the slot of the checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StateObject {
    /// BLAKE3-256 of its JSON text.
    pub blake3: Digest,
}

/// What a manifest says of the stream up to its checkpoint.
#[derive(Clone, Debug)]
pub(crate) struct Covered {
    pub(crate) state: Option<StreamState>,
    pub(crate) state_object: Option<StateObject>,
    pub(crate) sealed: Sealed,
}

/// An incarnation that ended.
///
/// A tombstone's author dates its entry before the tombstone is in place, and may have slept in
/// between. So whoever replaces the tombstone dates the entry anew, by when the tombstone was put
/// in place; while it still stands, that is the date that counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dropped {
    /// Its token.
    pub incarnation: Incarnation,
    /// When, by the store's clock.
    pub date: Timestamp,
}

/// Why a manifest cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ManifestError {
    /// Not a manifest.
    #[error("a manifest is damaged: {0}")]
    Damaged(String),
    /// Written by a release that this one does not know.
    #[error("a manifest has format {0}, which this release does not know; run a newer release")]
    UnknownFormat(u32),
}

impl Manifest {
    /// The manifest of a new incarnation, in place of a tombstone if there is one, which comes with
    /// the store's date of its publication.
    pub fn of_new(genesis: Genesis, tombstone: Option<(&Self, Timestamp)>, writer: String) -> Self {
        let checkpoint = Checkpoint { seq: 0, id: RecordId::root(genesis.incarnation), at: genesis.at };
        Self {
            format: FORMAT,
            revision: tombstone.map_or(1, |(tombstone, _)| tombstone.revision + 1),
            writer,
            log: LogPart { checkpoint, covers: Vec::new(), floor: 0, collected: 0, chunks_floor: Offset::ZERO },
            genesis,
            state: None,
            state_object: None,
            sealed: Sealed::default(),
            dropped: tombstone.map(|(tombstone, published)| tombstone.dropped_as_of(published)).unwrap_or_default(),
            orphans: tombstone.map(|(tombstone, _)| tombstone.orphans.clone()).unwrap_or_default(),
        }
    }

    /// The tombstone of a name that has objects and no manifest: what a create left that never ended.
    pub(crate) fn of_orphans(first: Incarnation, orphans: Vec<Dropped>, date: Timestamp, writer: String) -> Self {
        let genesis = Genesis {
            incarnation: first,
            content_type: ContentType::octet_stream(),
            lifetime: Lifetime::Forever,
            closed: false,
            has_initial_bytes: false,
            stream_seq: None,
            at: date,
        };
        let state = StreamState { deleted: Some(DeleteReason::Requested), ..StreamState::born(&genesis) };
        Self { state: Some(state), orphans, ..Self::of_new(genesis, None, writer) }
    }

    /// The manifest that follows this one, which was `published`, with orphans listed.
    #[must_use]
    pub(crate) fn with_orphans(&self, found: Vec<Dropped>, published: Timestamp, writer: String) -> Self {
        let log = self.log.followed_by(self.log.checkpoint.clone(), self.cover(published));
        let orphans = self.orphans.iter().copied().chain(found).collect();
        self.tidied(log, self.dropped_as_of(published), orphans, writer)
    }

    /// What this manifest, which was `published`, covers.
    pub fn cover(&self, published: Timestamp) -> Cover {
        let checkpoint = &self.log.checkpoint;
        let date = if defects::active(Defect::CoverDatedByItsRecord) { checkpoint.at } else { published };
        Cover { seq: checkpoint.seq, date, chunks_start: self.sealed.chunks_start }
    }

    /// The incarnations that ended, the last of them when this tombstone was put in place.
    pub(crate) fn dropped_as_of(&self, published: Timestamp) -> Vec<Dropped> {
        let mut dropped = self.dropped.clone();
        if let Some(last) = dropped.iter_mut().find(|dropped| dropped.incarnation == self.incarnation()) {
            last.date = last.date.max(published);
        }
        dropped
    }

    /// The tombstone that replaces this manifest, once its log ended with the record `end`.
    #[must_use]
    pub fn tombstone(&self, end: Checkpoint, state: &StreamState, date: Timestamp, writer: String) -> Self {
        let mut dropped = self.dropped.clone();
        dropped.push(Dropped { incarnation: self.genesis.incarnation, date });
        Self {
            revision: self.revision + 1,
            writer,
            log: LogPart { checkpoint: end, ..self.log.clone() },
            state: Some(state.ended()),
            state_object: None,
            sealed: Sealed::default(),
            dropped,
            ..self.clone()
        }
    }

    /// The manifest that follows this one with a later checkpoint.
    #[must_use]
    pub(crate) fn advanced(&self, log: LogPart, covered: Covered, writer: String) -> Self {
        let Covered { state, state_object, sealed } = covered;
        Self { revision: self.revision + 1, writer, log, state, state_object, sealed, ..self.clone() }
    }

    /// The manifest that follows this one, which was `published`, once something was collected.
    #[must_use]
    pub(crate) fn tidied(&self, log: LogPart, dropped: Vec<Dropped>, orphans: Vec<Dropped>, writer: String) -> Self {
        Self { revision: self.revision + 1, writer, log, dropped, orphans, ..self.clone() }
    }

    /// The living incarnation's token; of a tombstone, that of the last one.
    pub fn incarnation(&self) -> Incarnation {
        self.genesis.incarnation
    }

    /// True when nothing lives under this name.
    pub fn is_tombstone(&self) -> bool {
        self.state.as_ref().is_some_and(|state| state.deleted.is_some())
    }

    /// True when an incarnation lives or lived under this name.
    pub fn knows(&self, incarnation: Incarnation) -> bool {
        self.incarnation() == incarnation || self.dropped.iter().any(|dropped| dropped.incarnation == incarnation)
    }

    /// True when the manifest names an incarnation, whatever became of it.
    pub(crate) fn names(&self, incarnation: Incarnation) -> bool {
        self.knows(incarnation) || self.orphans.iter().any(|orphan| orphan.incarnation == incarnation)
    }

    /// The state at the checkpoint, unless it lies in an object of its own.
    pub fn state_at_checkpoint(&self) -> StreamState {
        self.state.clone().unwrap_or_else(|| StreamState::born(&self.genesis))
    }

    /// As stored.
    pub fn to_json(&self) -> Result<Vec<u8>, ManifestError> {
        serde_json::to_vec(self).map_err(|error| ManifestError::Damaged(error.to_string()))
    }

    /// As read.
    pub fn from_json(bytes: &[u8]) -> Result<Self, ManifestError> {
        #[derive(Deserialize)]
        struct Versioned {
            format: u32,
        }
        let damaged = |error: serde_json::Error| ManifestError::Damaged(error.to_string());
        let Versioned { format } = serde_json::from_slice(bytes).map_err(damaged)?;
        if format != FORMAT {
            return Err(ManifestError::UnknownFormat(format));
        }
        let manifest: Self = serde_json::from_slice(bytes).map_err(damaged)?;
        manifest.contradiction().map_or(Ok(manifest), |what| Err(ManifestError::Damaged(what.to_owned())))
    }

    /// What cannot be true of a manifest. Numbers are exact in a double, so that one may be added.
    fn contradiction(&self) -> Option<&'static str> {
        let state_of = self.state.as_ref().map(|state| state.incarnation);
        if self.state.is_some() && self.state_object.is_some() {
            return Some("it has two states");
        }
        if let Some(what) = self.sealed.contradiction().or_else(|| self.log.contradiction()) {
            return Some(what);
        }
        // A tombstone names no chunks.
        if !self.is_tombstone() && !self.log.lets_go_before_collecting(self.sealed.chunks_start) {
            return Some("chunks may be collected that it names");
        }
        if self.revision > INTEGER_MAX || self.log.checkpoint.seq > INTEGER_MAX {
            return Some("a number in it is too large");
        }
        match state_of {
            None if self.log.checkpoint.seq > 0 && self.state_object.is_none() => {
                Some("it has a checkpoint without a state")
            }
            Some(incarnation) if incarnation != self.genesis.incarnation => Some("its state is of another incarnation"),
            _ => None,
        }
    }
}

pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

#[cfg(test)]
#[path = "manifest_tests.rs"]
mod tests;
