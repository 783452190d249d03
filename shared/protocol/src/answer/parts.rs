//! What requests about the parts of a snapshot are told.

use super::{Answer, Code, headers::name};
use crate::{
    Incarnation, PartId, Refusal,
    limits::{SNAPSHOT_BYTES_MAX, STAGED_BYTES_MAX, STAGED_PARTS_MAX},
};

/// A part that was staged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Staged {
    /// What a commit calls it.
    pub part: PartId,
}

/// All parts that were staged have been discarded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Discarded {
    /// The stream's token.
    pub incarnation: Incarnation,
}

/// Why a request about parts is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartsRefusal {
    /// As many parts as may be are staged and not used.
    TooMany {
        /// The stream's token.
        incarnation: Incarnation,
    },
    /// The parts that are staged and not used have as many bytes as they may.
    TooManyBytes {
        /// The stream's token.
        incarnation: Incarnation,
    },
    /// A part is not staged for this stream and incarnation.
    Unknown,
    /// Put together, the parts are larger than a snapshot may be.
    TooLarge,
    /// Put together, the parts have another digest.
    OtherDigest,
    /// Another commit or discard of this stream runs in this process.
    InProgress,
    /// As many commits as may be run in this process.
    Busy,
    /// Parts could not be removed.
    NotDiscarded,
}

impl From<PartsRefusal> for Refusal {
    fn from(refusal: PartsRefusal) -> Self {
        Self::Parts(refusal)
    }
}

impl PartsRefusal {
    pub(super) const fn code(self) -> Code {
        match self {
            Self::TooMany { .. } | Self::TooManyBytes { .. } => Code::StagedPartsLimit,
            Self::Unknown => Code::UnknownPart,
            Self::TooLarge => Code::SnapshotTooLarge,
            Self::OtherDigest => Code::SnapshotDigestMismatch,
            Self::InProgress => Code::SnapshotCommitInProgress,
            Self::Busy => Code::SnapshotCommitsBusy,
            Self::NotDiscarded => Code::ColdStoreFailed,
        }
    }
}

impl Answer {
    pub(super) fn parts_refusal(self, refusal: PartsRefusal) -> Self {
        match refusal {
            PartsRefusal::TooMany { incarnation } => {
                self.with(name::MAX_STAGED_PARTS, STAGED_PARTS_MAX).with(name::STREAM_INCARNATION, incarnation)
            }
            PartsRefusal::TooManyBytes { incarnation } => {
                self.with(name::MAX_STAGED_BYTES, STAGED_BYTES_MAX).with(name::STREAM_INCARNATION, incarnation)
            }
            PartsRefusal::TooLarge => self.with(name::MAX_SNAPSHOT_BYTES, SNAPSHOT_BYTES_MAX),
            PartsRefusal::Unknown
            | PartsRefusal::OtherDigest
            | PartsRefusal::InProgress
            | PartsRefusal::Busy
            | PartsRefusal::NotDiscarded => self,
        }
    }
}

impl From<&Staged> for Answer {
    fn from(staged: &Staged) -> Self {
        Self::new(201).with(name::STREAM_SNAPSHOT_PART, &staged.part)
    }
}

impl From<&Discarded> for Answer {
    fn from(discarded: &Discarded) -> Self {
        Self::new(204).with(name::STREAM_INCARNATION, discarded.incarnation)
    }
}
