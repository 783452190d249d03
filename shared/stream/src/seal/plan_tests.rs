//! What a pass has to write.

use wadi_protocol::Digest;

use super::*;

const MIB: u64 = 1024 * 1024;

/// Where chunks end, the chunks, the ends of the segments that stay, and the segment.
type Pairs = (u64, Vec<(u64, u64)>, Vec<u64>, Option<(u64, u64)>);

fn plan(chunks_end: u64, ends: &[u64], tail: u64, closed: bool) -> Pairs {
    let segment = |end: &u64| Segment { end: Offset::new(*end), blake3: Digest::of(b"") };
    let sealed = Sealed { chunks_end: Offset::new(chunks_end), segments: ends.iter().map(segment).collect() };
    let plan = Plan::of(&sealed, Offset::new(tail), closed);
    let pair = |range: Range<Offset>| (range.start.get(), range.end.get());
    let kept = plan.kept.iter().map(|segment| segment.end.get()).collect();
    (plan.chunks_end.get(), plan.chunks.into_iter().map(pair).collect(), kept, plan.segment.map(pair))
}

#[test]
fn open_streams() {
    let cell = 4 * MIB;
    assert_eq!(plan(0, &[], 0, false), (0, vec![], vec![], None));
    assert_eq!(plan(0, &[], 100, false), (0, vec![], vec![], Some((0, 100))));
    assert_eq!(plan(0, &[100], 130, false), (0, vec![], vec![100], Some((100, 130))));
    // A cell that ends at the open tail stays a segment.
    assert_eq!(plan(0, &[], cell, false), (0, vec![], vec![], Some((0, cell))));
    assert_eq!(plan(0, &[], cell + 1, false), (cell, vec![(0, cell)], vec![], Some((cell, cell + 1))));
    // The segments of a cell that is full now are not needed any more.
    let full = (2 * cell, vec![(0, cell), (cell, 2 * cell)], vec![], Some((2 * cell, 2 * cell + 5)));
    assert_eq!(plan(0, &[100, 130], 2 * cell + 5, false), full);
    // Only a touch came.
    assert_eq!(plan(cell, &[cell + 9], cell + 9, false), (cell, vec![], vec![cell + 9], None));
}

#[test]
fn closed_streams() {
    let cell = 4 * MIB;
    assert_eq!(plan(0, &[], 0, true), (0, vec![], vec![], None));
    assert_eq!(plan(0, &[100], 100, true), (100, vec![(0, 100)], vec![], None));
    assert_eq!(plan(0, &[cell], cell, true), (cell, vec![(0, cell)], vec![], None));
    assert_eq!(plan(cell, &[cell + 4], cell + 7, true), (cell + 7, vec![(cell, cell + 7)], vec![], None));
    // A touch after all was sealed.
    assert_eq!(plan(cell + 7, &[], cell + 7, true), (cell + 7, vec![], vec![], None));
}
