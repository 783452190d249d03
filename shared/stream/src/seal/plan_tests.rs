//! What a pass has to write.

use wadi_protocol::Digest;

use super::*;

const MIB: u64 = 1024 * 1024;

/// Where chunks end, the chunks, the ends of the segments that stay, and the segment.
type Pairs = (u64, Vec<(u64, u64)>, Vec<u64>, Option<(u64, u64)>);

fn sealed(chunks_start: u64, chunks_end: u64, ends: &[u64]) -> Sealed {
    let segment = |end: &u64| Segment { end: Offset::new(*end), blake3: Digest::of(b"") };
    let (chunks_start, chunks_end) = (Offset::new(chunks_start), Offset::new(chunks_end));
    Sealed { chunks_start, chunks_end, segments: ends.iter().map(segment).collect() }
}

fn plan(chunks_end: u64, ends: &[u64], tail: u64, closed: bool) -> Pairs {
    pairs(Plan::of(&sealed(0, chunks_end, ends), Offset::ZERO..Offset::new(tail), closed))
}

fn pairs(plan: Plan) -> Pairs {
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

/// Where the chunks begin, and the rest of the plan, on a stream that is served from `retained` on.
fn plan_from(sealed: &Sealed, retained: u64, tail: u64, closed: bool) -> (u64, Pairs) {
    let plan = Plan::of(sealed, Offset::new(retained)..Offset::new(tail), closed);
    (plan.chunks_start.get(), pairs(plan))
}

#[test]
fn cells_below_what_is_kept_are_let_go_of() {
    let cell = 4 * MIB;
    let full = sealed(0, 3 * cell, &[3 * cell + 9]);
    let nothing_to_write = (3 * cell, vec![], vec![3 * cell + 9], None);
    for (retained, chunks_start) in [
        (0, 0),
        (1, 0),
        (cell, 0),
        (cell + 1, cell),
        (2 * cell, cell),
        (3 * cell, 2 * cell),
        // All chunks, and a segment whose bytes are let go of, too.
        (3 * cell + 1, 3 * cell),
        (3 * cell + 9, 3 * cell),
    ] {
        let expected = (chunks_start, nothing_to_write.clone());
        assert_eq!(plan_from(&full, retained, 3 * cell + 9, false), expected, "{retained}");
    }
    // They never begin lower than they did.
    assert_eq!(plan_from(&sealed(2 * cell, 2 * cell, &[]), cell, 2 * cell, true).0, 2 * cell);
}

#[test]
fn a_cell_let_go_of_before_it_was_sealed_is_not_written() {
    let cell = 4 * MIB;
    let segments = sealed(0, cell, &[cell + 100]);
    let (tail, last) = (4 * cell + 5, Some((4 * cell, 4 * cell + 5)));
    for (retained, chunks_start, chunks) in [
        (cell, 0, vec![(cell, 2 * cell), (2 * cell, 3 * cell), (3 * cell, 4 * cell)]),
        (2 * cell + 1, 2 * cell, vec![(2 * cell, 3 * cell), (3 * cell, 4 * cell)]),
        (4 * cell, 3 * cell, vec![(3 * cell, 4 * cell)]),
        (tail, 4 * cell, vec![]),
    ] {
        let expected = (chunks_start, (4 * cell, chunks, vec![], last));
        assert_eq!(plan_from(&segments, retained, tail, false), expected, "{retained}");
    }
    // Of a closed stream that is let go of whole the last cell stays: it holds the byte before its end.
    let closed = (4 * cell, (tail, vec![(4 * cell, tail)], vec![], None));
    assert_eq!(plan_from(&segments, tail, tail, true), closed);
    let on_the_grid = (3 * cell, (4 * cell, vec![(3 * cell, 4 * cell)], vec![], None));
    assert_eq!(plan_from(&segments, 4 * cell, 4 * cell, true), on_the_grid);
}
