//! What requests about snapshots are told.

use super::{Answer, Code, headers::name};
use crate::{Incarnation, Offset, Refusal, decide::SnapshotPlan, state::SnapshotName};

/// A snapshot that was published, now or before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Published {
    /// The stream's token.
    pub incarnation: Incarnation,
    /// The snapshot.
    pub snapshot: SnapshotName,
}

/// How far a stream is let go of, now or before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retained {
    /// The stream's token.
    pub incarnation: Incarnation,
    /// The earliest readable offset.
    pub retained: Offset,
}

/// Why a request about snapshots is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SnapshotRefusal {
    /// No snapshot is kept at this offset: only the latest one is.
    NotFound {
        /// The stream's token.
        incarnation: Incarnation,
    },
    /// A snapshot of what the stream no longer keeps.
    BelowRetained {
        /// The earliest readable offset.
        retained: Offset,
    },
    /// Beyond the tail; of retention also beyond the latest snapshot, or where there is none.
    BeyondTail {
        /// The tail.
        tail: Offset,
    },
    /// A later snapshot, or another one at this offset, was published.
    Conflict {
        /// The latest one.
        latest: SnapshotName,
        /// The tail, where it is told.
        tail: Option<Offset>,
    },
    /// The offset lies inside a message of a JSON stream.
    InsideMessage {
        /// The tail.
        tail: Offset,
    },
    /// The range asked for holds no byte of the snapshot.
    RangeNotSatisfiable {
        /// The snapshot.
        snapshot: SnapshotName,
        /// Length of its body.
        bytes: u64,
        /// The stream's token.
        incarnation: Incarnation,
    },
}

impl From<SnapshotRefusal> for Refusal {
    fn from(refusal: SnapshotRefusal) -> Self {
        Self::Snapshot(refusal)
    }
}

impl SnapshotRefusal {
    pub(super) const fn code(self) -> Code {
        match self {
            Self::NotFound { .. } => Code::SnapshotNotFound,
            Self::BelowRetained { .. } => Code::StreamGone,
            Self::BeyondTail { .. } | Self::Conflict { .. } => Code::SnapshotConflict,
            Self::InsideMessage { .. } => Code::InvalidSnapshot,
            Self::RangeNotSatisfiable { .. } => Code::RangeNotSatisfiable,
        }
    }
}

impl Answer {
    fn snapshot(self, snapshot: SnapshotName) -> Self {
        self.with(name::STREAM_SNAPSHOT_OFFSET, snapshot.offset).with(name::STREAM_SNAPSHOT_DIGEST, snapshot.digest)
    }

    fn snapshot_tag(self, snapshot: SnapshotName) -> Self {
        self.with(name::ETAG, format_args!("\"{}\"", snapshot.digest)).with(name::ACCEPT_RANGES, "bytes")
    }

    /// Says which snapshot a stream keeps, if it keeps one.
    #[must_use]
    pub fn latest_snapshot(self, snapshot: Option<SnapshotName>) -> Self {
        match snapshot {
            Some(snapshot) => self.snapshot(snapshot),
            None => self,
        }
    }

    pub(super) fn snapshot_refusal(self, refusal: SnapshotRefusal) -> Self {
        match refusal {
            SnapshotRefusal::NotFound { incarnation } => self.with(name::STREAM_INCARNATION, incarnation),
            SnapshotRefusal::BelowRetained { retained: at }
            | SnapshotRefusal::BeyondTail { tail: at }
            | SnapshotRefusal::InsideMessage { tail: at } => self.with(name::STREAM_NEXT_OFFSET, at),
            SnapshotRefusal::Conflict { latest, tail } => {
                let answer = self.snapshot(latest);
                tail.into_iter().fold(answer, |answer, tail| answer.with(name::STREAM_NEXT_OFFSET, tail))
            }
            SnapshotRefusal::RangeNotSatisfiable { snapshot, bytes, incarnation } => self
                .snapshot(snapshot)
                .with(name::STREAM_INCARNATION, incarnation)
                .snapshot_tag(snapshot)
                .with(name::CONTENT_RANGE, format_args!("bytes */{bytes}")),
        }
    }
}

impl From<&Published> for Answer {
    fn from(published: &Published) -> Self {
        Self::new(204).snapshot(published.snapshot).with(name::STREAM_INCARNATION, published.incarnation)
    }
}

impl From<&Retained> for Answer {
    fn from(kept: &Retained) -> Self {
        Self::new(204)
            .with(name::STREAM_RETAINED_OFFSET, kept.retained)
            .with(name::STREAM_INCARNATION, kept.incarnation)
    }
}

/// Status and headers of a snapshot that is read; its length is told for HEAD, too.
///
/// `immutable`: it was asked for by a URL that never means another one. Such an answer must be as true
/// later as now, so it does not say whether the snapshot is up to date.
pub fn describe_snapshot(plan: &SnapshotPlan, incarnation: Incarnation, immutable: bool) -> Answer {
    let (snapshot, total) = (&plan.snapshot, plan.snapshot.bytes);
    let status = match &plan.part {
        _ if plan.not_modified => 304,
        Some(_) => 206,
        None => 200,
    };
    let answer = Answer::new(status)
        .with(name::CONTENT_TYPE, &snapshot.content_type)
        .snapshot(snapshot.name())
        .with(name::STREAM_NEXT_OFFSET, snapshot.offset)
        .with(name::STREAM_INCARNATION, incarnation)
        .flag(name::STREAM_UP_TO_DATE, plan.at_tail && !immutable)
        .flag(name::STREAM_IMMUTABLE, immutable)
        .snapshot_tag(snapshot.name());
    match &plan.part {
        _ if plan.not_modified => answer,
        None => answer.with(name::CONTENT_LENGTH, total),
        Some(part) => {
            let last = part.end.saturating_sub(1);
            answer
                .with(name::CONTENT_LENGTH, part.end - part.start)
                .with(name::CONTENT_RANGE, format_args!("bytes {}-{last}/{total}", part.start))
        }
    }
}
