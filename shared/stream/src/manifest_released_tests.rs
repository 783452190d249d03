//! What a manifest says of chunks that retention let go of.
#![allow(clippy::unwrap_used, reason = "tests")]

use super::*;

/// A manifest of a stream that let go of two cells of three, the first of which may be collected.
fn released() -> Manifest {
    let cell = wadi_protocol::limits::CHUNK_BYTES;
    let mut manifest = new();
    let mut state = manifest.state_at_checkpoint();
    state.tail = Offset::new(3 * cell);
    state.retained = Offset::new(2 * cell + 1);
    let cover = Cover { seq: 8, date: START, chunks_start: Offset::new(cell) };
    let checkpoint = Checkpoint { seq: 9, id: RecordId::from_random(2, 3), at: START };
    manifest.log = LogPart { checkpoint, covers: vec![cover], floor: 7, collected: 7, chunks_floor: Offset::new(cell) };
    manifest.state = Some(state);
    manifest.sealed =
        Sealed { chunks_start: Offset::new(2 * cell), chunks_end: Offset::new(3 * cell), segments: Vec::new() };
    manifest
}

#[test]
fn what_was_let_go_of_is_written_and_read() {
    let manifest = released();
    let json = String::from_utf8(manifest.to_json().unwrap()).unwrap();
    assert_eq!(Manifest::from_json(json.as_bytes()), Ok(manifest.clone()));
    let cover = manifest.cover(START);
    assert_eq!((cover.seq, cover.date, cover.chunks_start), (9, START, manifest.sealed.chunks_start));
    for (part, count) in [
        (r#""covers":[{"seq":8,"date":1800000000000,"chunks_start":4194304}]"#, 1),
        (r#""chunks_floor":4194304"#, 1),
        (r#""sealed":{"chunks_start":8388608,"chunks_end":12582912}"#, 1),
    ] {
        assert_eq!(json.matches(part).count(), count, "{part} in {json}");
    }
    // A tombstone names no chunks at all, and what is listed of its log stays as it was.
    let end = Checkpoint { seq: 10, id: RecordId::from_random(4, 5), at: START };
    let mut state = manifest.state_at_checkpoint();
    state.apply(&Operation::Delete { reason: DeleteReason::Requested }, START).unwrap();
    let grave = manifest.tombstone(end, &state, START, "a-grave".to_owned());
    assert!(grave.is_tombstone() && grave.log.chunks_floor > Offset::ZERO);
    assert_eq!(Manifest::from_json(&grave.to_json().unwrap()), Ok(grave.clone()));
    let listed = grave.with_orphans(Vec::new(), START, "next".to_owned());
    assert_eq!(Manifest::from_json(&listed.to_json().unwrap()), Ok(listed));
    let next = Manifest::of_new(genesis(2), Some((&grave, START)), "next".to_owned());
    assert_eq!((next.log.chunks_floor, next.sealed.chunks_start), (Offset::ZERO, Offset::ZERO));
}

#[test]
fn a_manifest_that_names_what_may_be_collected_is_refused() {
    let sound = released();
    let cell = sound.log.chunks_floor;
    for (what, change) in [
        (
            "the floor lies above what is let go of",
            Box::new(|manifest: &mut Manifest| {
                manifest.log.chunks_floor = cell.saturating_add(3 * cell.get());
            }) as Box<dyn Fn(&mut Manifest)>,
        ),
        ("a cover lies below the floor", Box::new(|manifest| manifest.log.covers[0].chunks_start = Offset::ZERO)),
        (
            "a cover lies above what is let go of",
            Box::new(|manifest| {
                manifest.log.covers[0].chunks_start = manifest.sealed.chunks_end;
            }),
        ),
    ] {
        let mut manifest = sound.clone();
        change(&mut manifest);
        let read = Manifest::from_json(&manifest.to_json().unwrap());
        assert!(matches!(read, Err(ManifestError::Damaged(_))), "{what}: {read:?}");
    }
}
