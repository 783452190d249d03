//! Operations: what a record of the log says happened.
//!
//! An operation carries its *results*. Whatever depended on a setting, a limit or the time was
//! settled by [`crate::decide`] before it was written, so that every process, of any release and
//! any settings, folds the same state out of the same log.
//!
//! Kinds still to come (`configure`, `fork`, `unref`, `ref_floor`,
//! `history`, `noop`) are new variants: a reader that does not know one stops, it never skips.

use serde::{Deserialize, Deserializer, Serialize};

use crate::{
    Digest, Epoch, Offset, ProducerId, ProducerSeq, StreamSeq, state::ClosedEpoch, state::Opened, state::Snapshot,
};

/// One operation of a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case", deny_unknown_fields)]
pub enum Operation {
    /// Bytes were added; the stream may have been closed with them.
    Append(Write),
    /// The stream was closed without adding bytes.
    Close(Write),
    /// A read renewed the sliding time-to-live.
    #[serde(deserialize_with = "without_fields")]
    Touch,
    /// A snapshot was published; it takes the place of the one before.
    Snapshot(Snapshot),
    /// The bytes before an offset are no longer served.
    Retention {
        /// The earliest readable offset from here on.
        retained: Offset,
    },
    /// The stream ended. Nothing follows in this log.
    Delete {
        /// Why.
        reason: DeleteReason,
    },
}

impl Operation {
    /// Where in the stream the bytes of this operation lie, if it has any.
    pub fn span(&self) -> Option<(Offset, Offset)> {
        match self {
            Self::Append(write) => Some((write.start, write.end)),
            Self::Close(_) | Self::Touch | Self::Snapshot(_) | Self::Retention { .. } | Self::Delete { .. } => None,
        }
    }
}

/// Why a stream ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeleteReason {
    /// Somebody deleted it.
    Requested,
    /// Its time-to-live or expiry date passed.
    Expired,
}

/// The results of an append or a close.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Write {
    /// Where its bytes start: the tail before it.
    pub start: Offset,
    /// Where they end: the tail after it.
    pub end: Offset,
    /// Messages added: on a JSON stream the number of values, elsewhere 1; 0 for a close.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub messages: u64,
    /// The stream is closed from here on.
    #[serde(default, skip_serializing_if = "is_false")]
    pub closes: bool,
    /// The `Stream-Seq` it was accepted with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stream_seq: Option<StreamSeq>,
    /// What it did to the producers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub producer: Option<ProducerUpdate>,
}

/// What a keyed write did to the table of producers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProducerUpdate {
    /// The writer.
    pub id: ProducerId,
    /// Its epoch.
    pub epoch: Epoch,
    /// The sequence number that applied.
    pub seq: ProducerSeq,
    /// The digest the write was sent with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<Digest>,
    /// Present when this write claimed its epoch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim: Option<Claim>,
    /// Producers removed before this one was recorded: idle ones, and those that made room.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forgotten: Vec<ProducerId>,
    /// The retired-epoch floor after those removals, when they raised it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub floor: Option<Epoch>,
}

/// How an epoch was claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// On which side of the floor the epoch was opened.
    pub opened: Opened,
    /// The epoch it closed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closed: Option<ClosedEpoch>,
}

/// Reads an operation that has no fields. Of a plain variant serde would skip fields it does not
/// know, here they are refused as everywhere else.
fn without_fields<'de, D: Deserializer<'de>>(deserializer: D) -> Result<(), D::Error> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Nothing {}
    Nothing::deserialize(deserializer).map(|Nothing {}| ())
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(value: &u64) -> bool {
    *value == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_false(value: &bool) -> bool {
    !*value
}
