//! The format of a manifest. A change that these tests do not accept is a new format.
#![allow(clippy::unwrap_used, reason = "tests")]

use proptest::prelude::*;
use wadi_protocol::{ContentType, DeleteReason, Digest, Lifetime, Offset, Operation, StreamSeq, Write};

use super::*;
use crate::{log_part::Cover, sealed::Segment};

const START: Timestamp = Timestamp::from_millis(1_800_000_000_000);

fn genesis(token: u64) -> Genesis {
    Genesis {
        incarnation: Incarnation::from_random(token),
        content_type: ContentType::parse("application/json").unwrap(),
        lifetime: Lifetime::Ttl { seconds: 3600 },
        closed: false,
        has_initial_bytes: false,
        stream_seq: StreamSeq::parse("0001").unwrap(),
        at: START,
    }
}

fn new() -> Manifest {
    Manifest::of_new(genesis(1), None, "a-random-mark".to_owned())
}

fn ended(manifest: &Manifest) -> Manifest {
    let mut state = manifest.state_at_checkpoint();
    state.apply(&Operation::Delete { reason: DeleteReason::Requested }, START).unwrap();
    let end = Checkpoint { seq: 1, id: RecordId::from_random(2, 3), at: START };
    manifest.tombstone(end, &state, START, "another-mark".to_owned())
}

/// With a line for each field.
fn readable(manifest: &Manifest) -> String {
    String::from_utf8(manifest.to_json().unwrap()).unwrap().replace(",\"", ",\n\"")
}

#[test]
fn a_new_manifest() {
    insta::assert_snapshot!(readable(&new()), @r#"
    {"format":1,
    "revision":1,
    "writer":"a-random-mark",
    "log":{"checkpoint":{"seq":0,
    "id":"4503599627370497",
    "at":1800000000000},
    "floor":0,
    "collected":0},
    "genesis":{"incarnation":4503599627370497,
    "content_type":"application/json",
    "lifetime":{"ttl":{"seconds":3600}},
    "closed":false,
    "has_initial_bytes":false,
    "stream_seq":"0001",
    "at":1800000000000}}
    "#);
}

#[test]
fn a_tombstone() {
    insta::assert_snapshot!(readable(&ended(&new())), @r#"
    {"format":1,
    "revision":2,
    "writer":"another-mark",
    "log":{"checkpoint":{"seq":1,
    "id":"00000000000000020000000000000003",
    "at":1800000000000},
    "floor":0,
    "collected":0},
    "genesis":{"incarnation":4503599627370497,
    "content_type":"application/json",
    "lifetime":{"ttl":{"seconds":3600}},
    "closed":false,
    "has_initial_bytes":false,
    "stream_seq":"0001",
    "at":1800000000000},
    "state":{"incarnation":4503599627370497,
    "content_type":"application/json",
    "lifetime":{"ttl":{"seconds":3600}},
    "tail":0,
    "retained":0,
    "closed":false,
    "deleted":"requested",
    "stream_seq":"0001",
    "renewed_at":1800000000000,
    "last_at":1800000000000,
    "history":0,
    "producers":{"records":{}},
    "usage":{"24324":{"writes":1,
    "messages":0,
    "write_units":1,
    "bytes":0}}},
    "dropped":[{"incarnation":4503599627370497,
    "date":1800000000000}]}
    "#);
}

#[test]
fn a_manifest_with_a_checkpoint() {
    let mut manifest = new();
    let mut state = manifest.state_at_checkpoint();
    let (start, end) = (state.tail, state.tail.saturating_add(5));
    let write = Write { start, end, messages: 1, closes: true, stream_seq: None, producer: None };
    state.apply(&Operation::Append(write), START).unwrap();
    manifest.log = LogPart {
        checkpoint: Checkpoint { seq: 9, id: RecordId::from_random(2, 3), at: START },
        covers: vec![Cover { seq: 9, date: START, chunks_start: Offset::ZERO }],
        floor: 4,
        collected: 2,
        chunks_floor: Offset::ZERO,
    };
    manifest.state = Some(state);
    assert_eq!(Manifest::from_json(&manifest.to_json().unwrap()), Ok(manifest.clone()));
    insta::assert_snapshot!(readable(&manifest), @r#"
    {"format":1,
    "revision":1,
    "writer":"a-random-mark",
    "log":{"checkpoint":{"seq":9,
    "id":"00000000000000020000000000000003",
    "at":1800000000000},
    "covers":[{"seq":9,
    "date":1800000000000}],
    "floor":4,
    "collected":2},
    "genesis":{"incarnation":4503599627370497,
    "content_type":"application/json",
    "lifetime":{"ttl":{"seconds":3600}},
    "closed":false,
    "has_initial_bytes":false,
    "stream_seq":"0001",
    "at":1800000000000},
    "state":{"incarnation":4503599627370497,
    "content_type":"application/json",
    "lifetime":{"ttl":{"seconds":3600}},
    "tail":5,
    "retained":0,
    "closed":true,
    "stream_seq":"0001",
    "renewed_at":1800000000000,
    "last_at":1800000000000,
    "history":0,
    "producers":{"records":{}},
    "usage":{"24324":{"writes":2,
    "messages":1,
    "write_units":2,
    "bytes":5}}}}
    "#);
}

#[test]
fn lives_follow_each_other_and_none_is_forgotten() {
    let first = new();
    let grave = ended(&first);
    assert!(!first.is_tombstone() && grave.is_tombstone());
    let second = Manifest::of_new(genesis(2), Some((&grave, START)), "m".to_owned());
    assert!(!second.is_tombstone());
    assert_eq!((first.revision, grave.revision, second.revision), (1, 2, 3));
    assert!(second.knows(first.incarnation()) && second.knows(second.incarnation()));
    assert!(!first.knows(second.incarnation()));
    assert_eq!(ended(&second).dropped.len(), 2);
    assert_eq!(second.log.checkpoint.id.as_str(), second.incarnation().to_string());
}

#[test]
fn contradictions_and_later_formats_are_refused() {
    let sound = String::from_utf8(ended(&new()).to_json().unwrap()).unwrap();
    for (from, to) in [
        ("\"format\":1", "\"format\":2"),
        ("\"revision\":2", "\"revision\":9007199254740992"),
        ("\"seq\":1", "\"seq\":9007199254740992"),
        ("\"seq\":1", "\"seq\":-1"),
        ("\"state\":{\"incarnation\":4503599627370497", "\"state\":{\"incarnation\":4503599627370498"),
        ("\"writer\"", "\"lineage\":[],\"writer\""),
        ("\"floor\"", "\"flor\""),
    ] {
        let changed = sound.replace(from, to);
        assert_ne!(changed, sound, "{from}");
        assert!(Manifest::from_json(changed.as_bytes()).is_err(), "{to}");
    }
    let later = sound.replace("\"format\":1", "\"new\":1,\"format\":7");
    assert_eq!(Manifest::from_json(later.as_bytes()), Err(ManifestError::UnknownFormat(7)));
    let without_state = String::from_utf8(new().to_json().unwrap()).unwrap().replace("\"seq\":0", "\"seq\":1");
    assert!(matches!(Manifest::from_json(without_state.as_bytes()), Err(ManifestError::Damaged(_))));
}

prop_compose! {
    fn manifests()(
        token: u64,
        revision in 0..=INTEGER_MAX - 1,
        writer in "[0-9a-f]{0,32}",
        seq in 0..=INTEGER_MAX,
        numbers: [u64; 4],
        covers in prop::collection::vec((any::<u64>(), any::<u64>()), 0..4),
        dropped in prop::collection::vec(any::<u64>(), 0..4),
        appends in prop::collection::vec((0..9_u64, any::<bool>()), 0..6),
    ) -> Manifest {
        let mut manifest = Manifest::of_new(genesis(token), None, writer);
        let mut state = manifest.state_at_checkpoint();
        for (bytes, closes) in appends {
            let (start, end) = (state.tail, state.tail.saturating_add(bytes));
            let write = Write { start, end, messages: 1, closes, stream_seq: None, producer: None };
            state.apply(&Operation::Append(write), Timestamp::from_millis(numbers[0])).unwrap();
        }
        manifest.revision = revision;
        let tail = state.tail;
        manifest.state = Some(state);
        let floor = numbers[1] % (seq + 1);
        manifest.sealed = Sealed {
            chunks_start: Offset::ZERO,
            chunks_end: Offset::ZERO,
            segments: if tail > Offset::ZERO { vec![Segment { end: tail, blake3: Digest::of(b"") }] } else { Vec::new() },
        };
        manifest.log = LogPart {
            checkpoint: Checkpoint {
                seq,
                id: RecordId::from_random(numbers[0], numbers[1]),
                at: Timestamp::from_millis(numbers[2]),
            },
            covers: covers
                .into_iter()
                .map(|(above, date)| Cover {
                    seq: floor + above % (seq - floor + 1),
                    date: Timestamp::from_millis(date),
                    chunks_start: Offset::ZERO,
                })
                .collect(),
            floor,
            collected: numbers[3] % (floor + 1),
            chunks_floor: Offset::ZERO,
        };
        manifest.dropped = dropped
            .into_iter()
            .map(|token| Dropped { incarnation: Incarnation::from_random(token), date: START })
            .collect();
        manifest
    }
}

proptest! {
    #[test]
    fn a_manifest_is_read_as_it_was_written(manifest in manifests()) {
        prop_assert_eq!(Manifest::from_json(&manifest.to_json().unwrap()), Ok(manifest));
    }

    #[test]
    fn reading_never_panics(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = Manifest::from_json(&bytes);
    }

    #[test]
    fn reading_a_changed_manifest_never_panics(manifest in manifests(), at: prop::sample::Index, byte: u8) {
        let mut json = manifest.to_json().unwrap();
        let at = at.index(json.len());
        json[at] = byte;
        if let Ok(read) = Manifest::from_json(&json) {
            let _ = (read.is_tombstone(), read.state_at_checkpoint(), read.to_json().unwrap());
        }
    }
}

/// A process may sleep between dating a tombstone and putting it in place.
#[test]
fn the_end_of_an_incarnation_counts_from_when_its_tombstone_was_put_in_place() {
    let grave = ended(&new());
    let published = START.saturating_add(std::time::Duration::from_hours(30));
    let next = Manifest::of_new(genesis(7), Some((&grave, published)), "next".to_owned());
    assert_eq!(next.dropped, [Dropped { incarnation: grave.incarnation(), date: published }]);
    assert_eq!(next.revision, grave.revision + 1);
}

#[cfg(test)]
#[path = "manifest_released_tests.rs"]
mod released;
