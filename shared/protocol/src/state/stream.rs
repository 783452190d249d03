//! The state of one incarnation of a stream.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Genesis, Producers, Snapshot, Usage};
use crate::{ContentType, DeleteReason, EndTag, Incarnation, Lifetime, Offset, StreamSeq, Timestamp};

/// Everything a decision needs to know of a stream.
///
/// Cloning is cheap, so that a batch can be decided on a copy. Names reserved for what is to
/// come: `lineage`, `forks`, `intents`; a state that holds a field unknown to this
/// release is refused, never read in part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StreamState {
    /// The token of this life of the stream.
    pub incarnation: Incarnation,
    /// The type of its bytes, in normal form.
    pub content_type: ContentType,
    /// When it ends by itself.
    pub lifetime: Lifetime,
    /// Bytes ever appended.
    pub tail: Offset,
    /// The earliest readable offset.
    pub retained: Offset,
    /// Nothing more will be appended.
    pub closed: bool,
    /// Set once it ended: nothing follows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deleted: Option<DeleteReason>,
    /// The last `Stream-Seq` accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stream_seq: Option<StreamSeq>,
    /// The latest snapshot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snapshot: Option<Snapshot>,
    /// When the sliding time-to-live last started anew.
    pub renewed_at: Timestamp,
    /// The date of the newest operation; operations never go back in time.
    pub last_at: Timestamp,
    /// The number of the stream's history; a restore starts another, which fences every epoch.
    #[serde(default)]
    pub history: u64,
    /// Who wrote.
    pub producers: Producers,
    /// What was written, by month.
    pub usage: Usage,
}

impl StreamState {
    /// The state right after the create operation.
    pub fn born(genesis: &Genesis) -> Self {
        let mut usage = Usage::default();
        if !genesis.has_initial_bytes {
            usage.count(genesis.at, 0, 0);
        }
        Self {
            incarnation: genesis.incarnation,
            content_type: genesis.content_type.clone(),
            lifetime: genesis.lifetime,
            tail: Offset::ZERO,
            retained: Offset::ZERO,
            closed: genesis.closed,
            deleted: None,
            stream_seq: genesis.stream_seq.clone(),
            snapshot: None,
            renewed_at: genesis.at,
            last_at: genesis.at,
            history: 0,
            producers: Producers::default(),
            usage,
        }
    }

    /// The instant it ends by itself, if it does.
    pub fn expires_at(&self) -> Option<Timestamp> {
        self.lifetime.expires_at(self.renewed_at)
    }

    /// True when the stream is past its expiry, by a clock whose dates are `resolution` coarse:
    /// never early, at most that much late.
    pub fn is_expired(&self, now: Timestamp, resolution: Duration) -> bool {
        self.expires_at().is_some_and(|at| now >= at.saturating_add(resolution))
    }

    /// The entity tag of the stream as it stands.
    pub fn end_tag(&self) -> EndTag {
        EndTag { incarnation: self.incarnation, end: self.tail, closed: self.closed }
    }

    /// What a tombstone keeps of the state of a stream that ended: everything but its producers.
    #[must_use]
    pub fn ended(&self) -> Self {
        Self { producers: Producers::default(), ..self.clone() }
    }

    /// The part of the state that every record repeats, so that a reader needs only the last one.
    pub fn summary(&self) -> Summary {
        Summary {
            tail: self.tail,
            retained: self.retained,
            closed: self.closed,
            deleted: self.deleted,
            stream_seq: self.stream_seq.clone(),
            snapshot: self.snapshot.as_ref().map(|snapshot| snapshot.offset),
            expires_at: self.expires_at(),
        }
    }
}

/// The small state that travels with each record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Summary {
    /// Bytes ever appended.
    pub tail: Offset,
    /// The earliest readable offset.
    pub retained: Offset,
    /// Nothing more will be appended.
    #[serde(default)]
    pub closed: bool,
    /// Set once the stream ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deleted: Option<DeleteReason>,
    /// The last `Stream-Seq` accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stream_seq: Option<StreamSeq>,
    /// Where its latest snapshot was taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snapshot: Option<Offset>,
    /// When it ends by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
}
