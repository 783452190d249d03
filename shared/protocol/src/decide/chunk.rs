//! Reading a chunk: a piece of the stream that ends at the grid.

use super::{ReadPlan, same_incarnation};
use crate::{End, Immutable, Offset, Refusal, StreamState, limits::CHUNK_BYTES};

/// What a chunk is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkPlan {
    /// Where it starts.
    pub start: Offset,
    /// Where it ends: at the grid, or at the tail if that comes first.
    pub next: Offset,
    /// Where in the stream that is.
    pub end: End,
    /// No later answer with status 200 will be another.
    pub immutable: bool,
}

/// Which bytes a chunk has, and whether they are its last word. The stream's existence has been
/// settled before.
///
/// Order: 410, 416, then the token in the path (412). A chunk that ends at the tail of an open stream
/// is not marked, even when it is full: whether the stream is closed there is not decided yet
/// (wire contract, "Immutable URLs").
pub fn decide_chunk(state: &StreamState, chunk: Immutable) -> Result<ChunkPlan, Refusal> {
    let start = chunk.offset;
    if start < state.retained {
        return Err(Refusal::Gone { retained: state.retained, incarnation: state.incarnation });
    }
    if start > state.tail {
        return Err(Refusal::OffsetOutOfRange { tail: state.tail, incarnation: state.incarnation });
    }
    same_incarnation(state, Some(chunk.incarnation))?;
    let grid = start.saturating_add(CHUNK_BYTES - start.get() % CHUNK_BYTES);
    let next = grid.min(state.tail);
    let end = ReadPlan::end_at(state, next);
    Ok(ChunkPlan { start, next, end, immutable: end != End::OpenTail })
}
