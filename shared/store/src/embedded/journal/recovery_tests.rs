//! What a start makes of a journal that a crash left, or a disk damaged.

use wadi_protocol::Timestamp;

use super::*;
use crate::{
    Attributes, ObjectKey,
    embedded::{journal::changes::encode, object::Object, schema::Entry, tests::noise},
    limits::EMBEDDED_PAGE_BYTES,
};

const KEY: FrameKey = FrameKey([1; 32]);

fn object(version: u64, body: Bytes) -> Object {
    let modified = Timestamp::from_millis(version);
    let size = body.len() as u64;
    Object { entry: Entry { version, size, modified, file: None, attributes: Attributes::default() }, body }
}

/// Entry `sequence`: it puts the key of that number, with a body of `bytes` bytes, and deletes `gone`.
fn entry(sequence: u64, body: Bytes) -> Vec<u8> {
    let mark = Mark { sequence, versions: sequence, newest: Timestamp::from_millis(sequence) };
    let put = (ObjectKey::new(format!("k{sequence:03}")), Some(object(sequence, body)));
    let (mut entry, _) = encode(mark, &[put, ("gone".into(), None)].into()).unwrap().into_parts();
    KEY.seal(sequence, &mut entry);
    entry
}

/// Entries `first` to `last` one after another, each of `bytes` bytes of body.
fn entries(first: u64, last: u64, bytes: usize) -> Vec<u8> {
    (first..=last).flat_map(|sequence| entry(sequence, noise(sequence, bytes))).collect()
}

fn played(first: &[u8], second: &[u8], written: u64) -> Result<Option<(Mark, Rows)>, RecoveryError> {
    replay([Bytes::copy_from_slice(first), Bytes::copy_from_slice(second)], &KEY, written)
}

/// The number of the last entry and the keys that are there.
fn outcome(first: &[u8], second: &[u8], written: u64) -> Result<(u64, Vec<String>), String> {
    match played(first, second, written) {
        Ok(None) => Ok((written, Vec::new())),
        Ok(Some((mark, rows))) => {
            let there = rows.iter().filter(|(_, held)| held.is_some());
            Ok((mark.sequence, there.map(|(key, _)| key.to_string()).collect()))
        }
        Err(error) => Err(error.to_string()),
    }
}

fn keys(sequences: std::ops::RangeInclusive<u64>) -> (u64, Vec<String>) {
    (*sequences.end(), sequences.map(|sequence| format!("k{sequence:03}")).collect())
}

#[test]
fn all_entries_are_played_whichever_file_is_the_newer_one() {
    let (older, newer) = (entries(1, 3, 5000), entries(4, 5, 100));
    assert_eq!(outcome(&older, &newer, 0), Ok(keys(1..=5)));
    assert_eq!(outcome(&newer, &older, 0), Ok(keys(1..=5)));
    let (mark, rows) = played(&older, &newer, 0).unwrap().unwrap();
    assert_eq!((mark.versions, mark.newest), (5, Timestamp::from_millis(5)));
    assert_eq!(rows["k002"].as_ref().unwrap().body, noise(2, 5000));
    assert!(rows["gone"].is_none());
}

#[test]
fn what_the_database_has_is_left_out() {
    let (older, newer) = (entries(1, 3, 100), entries(4, 5, 100));
    assert_eq!(outcome(&older, &newer, 3), Ok(keys(4..=5)));
    assert!(played(&older, &newer, 5).unwrap().is_none());
    assert!(played(&[], &[], 9).unwrap().is_none());
}

#[test]
fn a_last_entry_cut_off_at_any_byte_is_left_out() {
    let (before, last) = (entries(1, 2, 100), entry(3, noise(3, 9000)));
    let used = last.iter().rposition(|byte| *byte != 0).unwrap() + 1;
    for cut in 0..used {
        let file = [&before[..], &last[..cut]].concat();
        assert_eq!(outcome(&file, &[], 0), Ok(keys(1..=2)), "{cut} bytes");
        let stays_zero = [&file[..], &vec![0; last.len() - cut]].concat();
        assert_eq!(outcome(&stays_zero, &[], 0), Ok(keys(1..=2)), "{cut} bytes and zeros");
    }
}

#[test]
fn a_last_entry_with_any_page_not_written_is_left_out() {
    let (before, last) = (entries(101, 102, 100), entry(103, noise(103, 20_000)));
    let stale = entries(1, 5, 4000);
    for page in 0..last.len() / EMBEDDED_PAGE_BYTES {
        let range = page * EMBEDDED_PAGE_BYTES..(page + 1) * EMBEDDED_PAGE_BYTES;
        let mut torn = last.clone();
        torn[range.clone()].fill(0);
        assert_eq!(outcome(&[&before[..], &torn].concat(), &[], 100), Ok(keys(101..=102)), "page {page} zeroed");
        torn[range.clone()].copy_from_slice(&stale[range]);
        assert_eq!(outcome(&[&before[..], &torn].concat(), &[], 100), Ok(keys(101..=102)), "page {page} as before");
    }
}

#[test]
fn a_first_entry_that_is_torn_leaves_what_the_database_and_the_other_file_have() {
    let stale = entries(1, 6, 100);
    let mut torn = entry(9, noise(9, 9000));
    torn[EMBEDDED_PAGE_BYTES..2 * EMBEDDED_PAGE_BYTES].fill(0);
    let reused = [&torn[..], &stale[torn.len()..]].concat();
    assert_eq!(outcome(&reused, &entries(7, 8, 100), 6), Ok(keys(7..=8)));
    assert_eq!(outcome(&reused, &entries(7, 8, 100), 8), Ok((8, Vec::new())));
}

#[test]
fn entries_of_a_turn_before_are_not_played() {
    let stale = entries(1, 6, 100);
    let newest = entries(9, 10, 100);
    let reused = [&newest[..], &stale[newest.len()..]].concat();
    assert_eq!(outcome(&reused, &entries(7, 8, 100), 6), Ok(keys(7..=10)));
}

#[test]
fn a_bit_that_flipped_before_the_last_entry_is_damage() {
    let file = entries(1, 3, 150);
    let second = EMBEDDED_PAGE_BYTES..2 * EMBEDDED_PAGE_BYTES;
    let used = second.start + file[second].iter().rposition(|byte| *byte != 0).unwrap();
    for byte in EMBEDDED_PAGE_BYTES..=used {
        for bit in 0..8 {
            let mut flipped = file.clone();
            flipped[byte] ^= 1 << bit;
            let told = outcome(&flipped, &[], 0).unwrap_err();
            assert_eq!(told, "entry 2 is not readable, and entry 3 follows it", "bit {bit} of byte {byte}");
        }
    }
}

#[test]
fn an_entry_missing_at_the_end_of_the_older_file_is_damage() {
    let (older, newer) = (entries(1, 2, 100), entries(4, 5, 100));
    assert_eq!(outcome(&older, &newer, 0), Err("entry 3 is not readable, and entry 4 follows it".to_owned()));
    assert_eq!(outcome(&newer, &[], 0), Err("entry 1 is not readable, and entry 4 follows it".to_owned()));
}

/// What a start says when the last entry is torn and has a body with an entry number 100 in it that was sealed with
/// `key`: one answer for each place where that may lie, one of which begins a page of the file.
fn with_a_forged_body(key: &FrameKey) -> Vec<Result<(u64, Vec<String>), String>> {
    let mut forged = vec![0; super::super::frame::HEADER_BYTES];
    key.seal(100, &mut forged);
    let places = EMBEDDED_PAGE_BYTES - 200..EMBEDDED_PAGE_BYTES;
    let start = |place| {
        let mut torn = entry(1, [&vec![0; place][..], &forged].concat().into());
        torn[0] ^= 1;
        outcome(&torn, &[], 0)
    };
    places.map(start).collect()
}

#[test]
fn a_body_that_looks_like_an_entry_is_a_body() {
    let nothing = Ok((0, Vec::new()));
    assert!(with_a_forged_body(&FrameKey([2; 32])).iter().all(|outcome| *outcome == nothing));
    // Whoever had the secret could do it.
    assert_eq!(with_a_forged_body(&KEY).iter().filter(|outcome| **outcome != nothing).count(), 1);
}
