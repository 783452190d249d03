//! Reading: which bytes a request may have.

use super::same_incarnation;
use crate::{End, Offset, ReadFrom, ReadRequest, Refusal, StreamState};

/// The bytes that a read may return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadPlan {
    /// Where they start.
    pub start: Offset,
    /// Where they end at the latest: the tail, or the size limit.
    pub limit: Offset,
}

impl ReadPlan {
    /// Where in the stream an answer that ends at `next` ends.
    pub fn end_at(state: &StreamState, next: Offset) -> End {
        match (next == state.tail, state.closed) {
            (false, _) => End::BelowTail,
            (true, false) => End::OpenTail,
            (true, true) => End::ClosedTail,
        }
    }
}

/// Which bytes a read of a stream gets. The stream's existence has been settled before.
///
/// Order: 410, 416, then the incarnation precondition (412).
pub fn decide_read(state: &StreamState, request: &ReadRequest) -> Result<ReadPlan, Refusal> {
    let start = match request.from {
        ReadFrom::Start => Offset::ZERO,
        ReadFrom::Now => state.tail,
        ReadFrom::At(offset) => offset,
    };
    if start < state.retained {
        return Err(Refusal::Gone { retained: state.retained, incarnation: state.incarnation });
    }
    if start > state.tail {
        return Err(Refusal::OffsetOutOfRange { tail: state.tail, incarnation: state.incarnation });
    }
    same_incarnation(state, request.incarnation)?;
    let limit = start.saturating_add(request.bytes_max).min(state.tail);
    Ok(ReadPlan { start, limit })
}

/// Whether the metadata of a stream may be told. The stream's existence has been settled before.
pub fn decide_head(state: &StreamState, incarnation: Option<crate::Incarnation>) -> Result<(), Refusal> {
    same_incarnation(state, incarnation)
}
