//! Which object holds which bytes.

use super::*;

const MIB: u64 = 1024 * 1024;

fn sealed(chunks_end: u64, ends: &[u64]) -> Sealed {
    let segment = |end: &u64| Segment { end: Offset::new(*end), blake3: Digest::of(b"") };
    let segments = ends.iter().map(segment).collect();
    Sealed { chunks_start: Offset::ZERO, chunks_end: Offset::new(chunks_end), segments }
}

fn released(chunks_start: u64, sealed: Sealed) -> Sealed {
    Sealed { chunks_start: Offset::new(chunks_start), ..sealed }
}

fn held(sealed: &Sealed, start: u64, end: u64) -> Vec<(u64, u64)> {
    let objects = sealed.objects(Offset::new(start), Offset::new(end));
    objects.map(|object| (object.range().start.get(), object.range().end.get())).collect()
}

#[test]
fn objects_of_a_range() {
    let open = sealed(8 * MIB, &[8 * MIB + 10, 8 * MIB + 15]);
    let first = (0, 4 * MIB);
    let second = (4 * MIB, 8 * MIB);
    let third = (8 * MIB, 8 * MIB + 10);
    let fourth = (8 * MIB + 10, 8 * MIB + 15);
    for (start, end, expected) in [
        (0, 0, vec![]),
        (0, 1, vec![first]),
        (0, 4 * MIB, vec![first]),
        (4 * MIB - 1, 4 * MIB + 1, vec![first, second]),
        (4 * MIB, 8 * MIB, vec![second]),
        (8 * MIB - 1, 8 * MIB + 10, vec![second, third]),
        (8 * MIB + 9, 8 * MIB + 11, vec![third, fourth]),
        (8 * MIB + 14, 9 * MIB, vec![fourth]),
        (8 * MIB + 15, 9 * MIB, vec![]),
    ] {
        assert_eq!(held(&open, start, end), expected, "[{start}, {end})");
    }
    assert_eq!(open.end().get(), 8 * MIB + 15);
}

#[test]
fn what_is_let_go_of_is_held_by_nothing() {
    let kept = released(4 * MIB, sealed(8 * MIB, &[8 * MIB + 10]));
    for (start, end, expected) in [
        (0, 4 * MIB, vec![]),
        (0, 4 * MIB + 1, vec![(4 * MIB, 8 * MIB)]),
        (4 * MIB, 9 * MIB, vec![(4 * MIB, 8 * MIB), (8 * MIB, 8 * MIB + 10)]),
    ] {
        assert_eq!(held(&kept, start, end), expected, "[{start}, {end})");
    }
    let emptied = released(8 * MIB, sealed(8 * MIB, &[8 * MIB + 10]));
    assert_eq!(held(&emptied, 0, u64::MAX), [(8 * MIB, 8 * MIB + 10)]);
    assert_eq!(emptied.end().get(), 8 * MIB + 10);
}

#[test]
fn the_byte_before_what_is_kept_is_needed() {
    let from = |retained| chunks_needed_from(Offset::new(retained)).get();
    for (retained, expected) in
        [(0, 0), (1, 0), (4 * MIB - 1, 0), (4 * MIB, 0), (4 * MIB + 1, 4 * MIB), (8 * MIB, 4 * MIB), (9 * MIB, 8 * MIB)]
    {
        assert_eq!(from(retained), expected, "{retained}");
    }
}

#[test]
fn the_last_chunk_of_a_closed_stream_is_short() {
    let closed = sealed(5 * MIB, &[]);
    assert_eq!(held(&closed, 0, u64::MAX), [(0, 4 * MIB), (4 * MIB, 5 * MIB)]);
    assert_eq!(closed.end().get(), 5 * MIB);
}

#[test]
fn contradictions() {
    assert_eq!(sealed(0, &[]).contradiction(), None);
    assert_eq!(sealed(4 * MIB, &[5 * MIB]).contradiction(), None);
    assert_eq!(sealed(5 * MIB, &[]).contradiction(), None);
    assert!(sealed(5 * MIB, &[6 * MIB]).contradiction().is_some());
    assert!(sealed(4 * MIB, &[4 * MIB]).contradiction().is_some());
    assert!(sealed(0, &[9, 8]).contradiction().is_some());
    assert_eq!(released(4 * MIB, sealed(5 * MIB, &[])).contradiction(), None);
    assert_eq!(released(4 * MIB, sealed(4 * MIB, &[5 * MIB])).contradiction(), None);
    assert!(released(3 * MIB, sealed(4 * MIB, &[])).contradiction().is_some());
    assert!(released(8 * MIB, sealed(4 * MIB, &[5 * MIB])).contradiction().is_some());
    assert!(released(8 * MIB, sealed(5 * MIB, &[])).contradiction().is_some());
}

#[test]
fn cells_of_a_range() {
    let starts = |start, end| cells(Offset::new(start), Offset::new(end)).map(Offset::get).collect::<Vec<_>>();
    assert_eq!(starts(0, 0), [0; 0]);
    assert_eq!(starts(5, 5), [0; 0]);
    assert_eq!(starts(1, 2), [0]);
    assert_eq!(starts(0, 8 * MIB), [0, 4 * MIB]);
    assert_eq!(starts(4 * MIB, 4 * MIB + 1), [4 * MIB]);
}
