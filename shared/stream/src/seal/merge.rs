//! Which segments new bytes are merged with, so that both the number of segments and the bytes that
//! are written again stay small: as in a binary counter, each is merged with one as long as itself.

use std::ops::Range;

use wadi_protocol::Offset;

use crate::{
    limits::{SEGMENT_RATIO, SEGMENTS_MAX},
    sealed::Segment,
};

/// The segment to write so that the segments reach `tail`; those that it replaces leave `kept`. The
/// first of them starts at `first`. `None` when they reach it already.
pub(super) fn merge(kept: &mut Vec<Segment>, first: Offset, tail: Offset) -> Option<Range<Offset>> {
    let end_of = |kept: &[Segment]| kept.last().map_or(first, |segment| segment.end);
    let mut start = end_of(kept);
    if start >= tail {
        return None;
    }
    while let Some(last) = kept.pop() {
        let last_start = end_of(kept);
        let last_bytes = last.end.get() - last_start.get();
        if last_bytes > SEGMENT_RATIO * (tail.get() - start.get()) && kept.len() + 1 < SEGMENTS_MAX {
            kept.push(last);
            break;
        }
        start = last_start;
    }
    Some(start..tail)
}

#[cfg(test)]
#[path = "merge_tests.rs"]
mod tests;
