//! Chunks, by the table of the contract.
#![allow(clippy::unwrap_used, reason = "tests")]

use super::{chunk::*, fixtures::*};
use crate::{End, Immutable, Incarnation, Offset, Refusal, StreamState};

const CELL: u64 = 4 * 1024 * 1024;

fn ending_at(tail: u64, closed: bool) -> StreamState {
    StreamState { tail: Offset::new(tail), closed, ..stream() }
}

fn chunk(state: &StreamState, offset: u64) -> Result<ChunkPlan, Refusal> {
    decide_chunk(state, Immutable { incarnation: state.incarnation, offset: Offset::new(offset) })
}

#[test]
fn where_chunks_end_and_which_are_marked() {
    for (tail, closed, offset, next, end, immutable) in [
        // It reaches its grid end strictly below the tail.
        (CELL + 1, false, 0, CELL, End::BelowTail, true),
        (CELL + 1, true, 0, CELL, End::BelowTail, true),
        (CELL + 1, false, CELL - 1, CELL, End::BelowTail, true),
        (3 * CELL, false, CELL, 2 * CELL, End::BelowTail, true),
        // It reaches its grid end, and that is the open tail.
        (CELL, false, 0, CELL, End::OpenTail, false),
        // It ends at the open tail before the grid.
        (10, false, 0, 10, End::OpenTail, false),
        (10, false, 10, 10, End::OpenTail, false),
        (CELL, false, CELL, CELL, End::OpenTail, false),
        (0, false, 0, 0, End::OpenTail, false),
        // It ends at the tail of a closed stream.
        (CELL, true, 0, CELL, End::ClosedTail, true),
        (10, true, 3, 10, End::ClosedTail, true),
        (10, true, 10, 10, End::ClosedTail, true),
        (CELL, true, CELL, CELL, End::ClosedTail, true),
        (0, true, 0, 0, End::ClosedTail, true),
    ] {
        let expected = ChunkPlan { start: Offset::new(offset), next: Offset::new(next), end, immutable };
        assert_eq!(chunk(&ending_at(tail, closed), offset), Ok(expected), "{tail} {closed} {offset}");
    }
}

#[test]
fn order_of_checks() {
    let state = StreamState { retained: Offset::new(4), ..ending_at(10, false) };
    let other = Incarnation::new(state.incarnation.get() - 1).unwrap();
    let of = |offset| decide_chunk(&state, Immutable { incarnation: other, offset: Offset::new(offset) });
    let incarnation = state.incarnation;
    assert_eq!(of(3), Err(Refusal::Gone { retained: Offset::new(4), incarnation }));
    assert_eq!(of(11), Err(Refusal::OffsetOutOfRange { tail: Offset::new(10), incarnation }));
    assert_eq!(of(u64::MAX), Err(Refusal::OffsetOutOfRange { tail: Offset::new(10), incarnation }));
    assert_eq!(of(4), Err(Refusal::IncarnationMismatch { current: Some(incarnation) }));
}
