//! The targets, over their saved inputs and random changes of them.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use proptest::{
    prelude::*,
    sample::Index,
    test_runner::{Config, TestError, TestRunner},
};
use wadi_fuzz::{ALL, corpus, targets};

/// Random inputs a target.
const CASES: u32 = 256;
/// Changes of one input.
const CHANGES_MAX: usize = 8;

/// One change of an input.
#[derive(Clone, Debug)]
enum Change {
    Set(Index, u8),
    Insert(Index, Vec<u8>),
    Remove(Index, usize),
    /// A piece of another saved input is put in.
    Splice(Index, Index, Index, usize),
}

fn change() -> impl Strategy<Value = Change> {
    let telling = prop::sample::select(&b"\"\\{}[],:;=*/W-+.0129eE \t\r\n\x00\x7f\x80\xff%&?"[..]);
    let byte = prop_oneof![any::<u8>(), telling];
    let place = any::<Index>;
    prop_oneof![
        (place(), byte.clone()).prop_map(|(at, byte)| Change::Set(at, byte)),
        (place(), prop::collection::vec(byte, 1..8)).prop_map(|(at, bytes)| Change::Insert(at, bytes)),
        (place(), 1..32_usize).prop_map(|(at, count)| Change::Remove(at, count)),
        (place(), place(), place(), 1..64_usize)
            .prop_map(|(at, other, from, count)| Change::Splice(at, other, from, count)),
    ]
}

fn changed(saved: &[Vec<u8>], first: Index, changes: &[Change]) -> Vec<u8> {
    let mut input = first.get(saved).clone();
    for change in changes {
        let length = input.len();
        match change {
            Change::Set(at, byte) if length > 0 => input[at.index(length)] = *byte,
            Change::Set(..) => {}
            Change::Insert(at, bytes) => {
                let at = at.index(length + 1);
                input.splice(at..at, bytes.iter().copied());
            }
            Change::Remove(at, count) => {
                let at = at.index(length + 1);
                input.drain(at..(at + count).min(length));
            }
            Change::Splice(at, other, from, count) => {
                let other = other.get(saved);
                let from = from.index(other.len() + 1);
                let piece = &other[from..(from + count).min(other.len())];
                let at = at.index(length + 1);
                input.splice(at..at, piece.iter().copied());
            }
        }
    }
    input
}

/// Runs a target over what was saved, and over random changes of it.
fn holds(name: &str, run: fn(&[u8])) {
    let saved = corpus::saved(name);
    assert!(!saved.is_empty(), "{name} has no corpus");
    for input in &saved {
        run(input);
    }

    let config = Config { cases: CASES, failure_persistence: None, ..Config::default() };
    let inputs = (any::<Index>(), prop::collection::vec(change(), 1..=CHANGES_MAX))
        .prop_map(|(first, changes)| changed(&saved, first, &changes));
    let ended = TestRunner::new(config).run(&inputs, |input| {
        run(&input);
        Ok(())
    });
    if let Err(TestError::Fail(reason, input)) = ended {
        panic!("{name}: {reason}\nsave this in fuzz/corpus/{name}: {}", input.escape_ascii());
    }
    ended.expect("the inputs can be made");
}

macro_rules! target {
    ($name:ident) => {
        #[test]
        fn $name() {
            holds(stringify!($name), targets::$name);
        }
    };
}

target!(fold);
target!(manifest);
target!(messages);
target!(names);
target!(record);
target!(request);
target!(values);

#[test]
fn every_target_has_a_folder_and_every_folder_a_target() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/corpus");
    let mut folders: Vec<String> = std::fs::read_dir(folder)
        .expect("a corpus")
        .map(|entry| entry.expect("a readable folder").file_name().to_string_lossy().into_owned())
        .collect();
    folders.sort();
    assert_eq!(folders, ALL.map(|target| target.name));
}
