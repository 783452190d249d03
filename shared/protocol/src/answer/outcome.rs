//! What a request that succeeded has to tell.

use crate::{
    ContentType, Epoch, Incarnation, Lifetime, Offset, ProducerSeq, StreamState,
    state::{ClosedEpoch, Snapshot, SnapshotName},
};

/// A write that applied, now or before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WriteOutcome {
    /// An unkeyed append applied.
    Appended {
        /// The stream's token.
        incarnation: Incarnation,
        /// Where its bytes end.
        end: Offset,
        /// It closed the stream.
        closed: bool,
    },
    /// An unkeyed close applied, now or earlier.
    Closed {
        /// The stream's token.
        incarnation: Incarnation,
        /// The final offset.
        tail: Offset,
    },
    /// A keyed append applied now.
    Applied(KeyedReceipt),
    /// A keyed close applied now.
    KeyedClosed(KeyedReceipt),
    /// A keyed write applied earlier, and was the producer's newest.
    Repeat(KeyedReceipt),
    /// A keyed write applied earlier; its range is no longer kept.
    RepeatEvicted(KeyedAnswer),
}

/// What every successful answer to a keyed write says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyedAnswer {
    /// The producer's epoch.
    pub epoch: Epoch,
    /// The highest sequence number applied in it.
    pub highest_seq: ProducerSeq,
    /// The epoch this one closed: told on its claim and on repeats of it.
    pub closed_epoch: Option<ClosedEpoch>,
    /// The stream's token.
    pub incarnation: Incarnation,
}

/// The receipt of a keyed write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyedReceipt {
    /// Producer and stream.
    pub answer: KeyedAnswer,
    /// Where its bytes start.
    pub start: Offset,
    /// Where they end.
    pub end: Offset,
    /// This very write closed the stream.
    pub closed: bool,
}

/// What a stream is, as a create or HEAD tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreamDescription {
    /// The stream's token.
    pub incarnation: Incarnation,
    /// The stored type.
    pub content_type: ContentType,
    /// When it ends by itself.
    pub lifetime: Lifetime,
    /// Bytes ever appended.
    pub tail: Offset,
    /// The earliest readable offset.
    pub retained: Offset,
    /// Nothing more will be appended.
    pub closed: bool,
    /// The latest snapshot.
    pub snapshot: Option<SnapshotName>,
}

impl From<&StreamState> for StreamDescription {
    fn from(state: &StreamState) -> Self {
        Self {
            incarnation: state.incarnation,
            content_type: state.content_type.clone(),
            lifetime: state.lifetime,
            tail: state.tail,
            retained: state.retained,
            closed: state.closed,
            snapshot: state.snapshot.as_ref().map(Snapshot::name),
        }
    }
}
