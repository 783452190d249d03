//! How many segments there are, and how often bytes are written again.
#![allow(clippy::print_stdout, reason = "prints what it measures")]

use wadi_protocol::{Digest, limits::CHUNK_BYTES};

use super::*;

fn at(end: u64) -> Segment {
    Segment { end: Offset::new(end), blake3: Digest::of(b"") }
}

fn merged(kept: &[u64], tail: u64) -> (Vec<u64>, Option<(u64, u64)>) {
    let mut kept: Vec<Segment> = kept.iter().map(|end| at(*end)).collect();
    let range = merge(&mut kept, Offset::new(0), Offset::new(tail));
    (kept.iter().map(|segment| segment.end.get()).collect(), range.map(|range| (range.start.get(), range.end.get())))
}

#[test]
fn table() {
    for (kept, tail, left, written) in [
        (&[][..], 0, vec![], None),
        (&[], 5, vec![], Some((0, 5))),
        (&[5], 5, vec![5], None),
        (&[5], 6, vec![5], Some((5, 6))),
        (&[5], 10, vec![], Some((0, 10))),
        (&[8, 12], 14, vec![8, 12], Some((12, 14))),
        (&[8, 12, 14], 16, vec![], Some((0, 16))),
        (&[8, 12, 14], 15, vec![8, 12, 14], Some((14, 15))),
    ] {
        assert_eq!(merged(kept, tail), (left, written), "{kept:?} to {tail}");
    }
}

#[test]
fn one_more_than_the_most_is_merged() {
    let mut ends = Vec::new();
    let (mut end, mut bytes) = (0, 1 << 30);
    while ends.len() < SEGMENTS_MAX {
        end += bytes;
        bytes /= 2;
        ends.push(end);
    }
    let (kept, _) = merged(&ends, end + 1);
    assert_eq!(kept.len(), SEGMENTS_MAX - 1);
}

/// What the ratio was chosen by: 50 records of 100 bytes at a time, until a cell is full.
#[test]
fn segments_are_few_and_bytes_are_seldom_written_again() {
    let (mut kept, mut tail, mut written, mut most, mut rounds) = (Vec::new(), 0, 0, 0, 0);
    while tail + 5000 < CHUNK_BYTES {
        tail += 5000;
        if let Some(range) = merge(&mut kept, Offset::new(0), Offset::new(tail)) {
            written += range.end.get() - range.start.get();
            kept.push(at(tail));
        }
        most = most.max(kept.len());
        rounds += 1;
    }
    println!("{rounds} rounds: each byte written {} times, {most} segments at most", written / tail);
    assert!(most <= SEGMENTS_MAX && written <= 11 * tail);
}
