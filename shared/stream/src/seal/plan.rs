//! What a pass of sealing has to write: a function of what is sealed already and of the tail.

use std::ops::Range;

use wadi_protocol::Offset;

use super::merge::merge;
use crate::{
    defects::{self, Defect},
    sealed::{Sealed, Segment, cell_end, cell_start, cells, chunks_needed_from},
};

/// The objects to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Plan {
    /// Where the chunks will begin.
    pub(super) chunks_start: Offset,
    /// Where the chunks will end.
    pub(super) chunks_end: Offset,
    /// The chunks to write.
    pub(super) chunks: Vec<Range<Offset>>,
    /// The segments that stay.
    pub(super) kept: Vec<Segment>,
    /// The segment to write.
    pub(super) segment: Option<Range<Offset>>,
}

impl Plan {
    /// What there is to do on a stream that is `served` from what it keeps up to its tail.
    ///
    /// A cell that is let go of before it was sealed is not written.
    pub(super) fn of(sealed: &Sealed, served: Range<Offset>, closed: bool) -> Self {
        let Range { start: retained, end: tail } = served;
        let chunks_end = chunks_end(tail, closed).max(sealed.chunks_end);
        let chunks_start = chunks_start(retained).min(cell_start(chunks_end)).max(sealed.chunks_start);
        let unsealed = cells(sealed.chunks_end.max(chunks_start), chunks_end);
        let chunks = unsealed.map(|cell| cell..cell_end(cell).min(tail)).collect();
        // All segments lie within one cell, the first that has no chunk yet.
        let mut kept = if chunks_end == sealed.chunks_end { sealed.segments.clone() } else { Vec::new() };
        let segment = merge(&mut kept, chunks_end, tail);
        Self { chunks_start, chunks_end, chunks, kept, segment }
    }
}

/// From where on a stream's chunks are kept.
fn chunks_start(retained: Offset) -> Offset {
    if retained > Offset::ZERO && defects::active(Defect::ChunksReleasedAboveRetention) {
        return cell_end(retained);
    }
    chunks_needed_from(retained)
}

/// Up to where a stream's bytes belong into chunks. A cell that ends at the tail of an open stream is
/// left for later: whether the stream is closed there is not decided yet, and its chunk tells.
fn chunks_end(tail: Offset, closed: bool) -> Offset {
    if closed {
        return tail;
    }
    let below = if defects::active(Defect::CellAtOpenTailSealed) { tail.get() } else { tail.get().saturating_sub(1) };
    cell_start(Offset::new(below))
}

#[cfg(test)]
#[path = "plan_tests.rs"]
mod tests;
