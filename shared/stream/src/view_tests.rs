#![allow(clippy::unwrap_used, reason = "tests")]

use bytes::Bytes;
use proptest::prelude::*;
use wadi_protocol::{ContentType, Genesis, Incarnation, Lifetime, Timestamp, Write};
use wadi_store::ObjectTag;

use super::*;
use crate::{log::Draft, manifest::Manifest};

const START: Timestamp = Timestamp::from_millis(1_800_000_000_000);

fn born() -> View {
    let genesis = Genesis {
        incarnation: Incarnation::from_random(7),
        content_type: ContentType::parse("text/plain").unwrap(),
        lifetime: Lifetime::Forever,
        closed: false,
        has_initial_bytes: false,
        stream_seq: None,
        at: START,
    };
    let manifest = Manifest::of_new(genesis, None, "w".to_owned());
    {
        let state = manifest.state_at_checkpoint();
        View::at_checkpoint(
            Versioned { manifest, tag: ObjectTag("t".to_owned()), date: START, published: START },
            state,
        )
    }
}

/// The next record, of appends of these sizes.
fn draft(view: &View, sizes: &[u64]) -> Draft {
    let mut state = view.state.clone();
    let operations: Vec<Operation> = sizes
        .iter()
        .map(|size| {
            let end = state.tail.saturating_add(*size);
            let write = Write { start: state.tail, end, messages: 1, closes: false, stream_seq: None, producer: None };
            let operation = Operation::Append(write);
            state.apply(&operation, START).unwrap();
            operation
        })
        .collect();
    let content = Content { operations, state: state.summary() };
    Draft {
        seq: view.position.next(),
        id: RecordId::from_random(view.position.next(), 0),
        prev: view.position.id.clone(),
        at: START,
        content: serde_json::value::to_raw_value(&content).unwrap(),
        payload: Bytes::from(vec![0; usize::try_from(sizes.iter().sum::<u64>()).unwrap()]),
        object: None,
    }
}

fn folded(view: &View, sizes: &[u64]) -> View {
    let mut view = view.clone();
    let header = draft(&view, sizes).encode().unwrap().1;
    view.fold(&header).unwrap();
    view
}

#[test]
fn a_record_of_its_own_leads_a_process_where_it_leads_every_other() {
    let view = folded(&born(), &[3]);
    let header = draft(&view, &[2, 5]).encode().unwrap().1;
    let expected = folded(&view, &[2, 5]);
    let mut own = view.clone();
    own.land(&header, expected.state.clone(), START).unwrap();
    assert_eq!((&own.state, &own.position), (&expected.state, &expected.position));
    let spans =
        |view: &View| view.spans(Offset::ZERO, view.state.tail).map(|(_, span)| span.clone()).collect::<Vec<_>>();
    assert_eq!(spans(&own), spans(&expected));

    let before = own.clone();
    assert!(own.land(&header, expected.state, START).is_err(), "it does not follow itself");
    assert_eq!((own.state, own.position), (before.state, before.position));
}

#[test]
fn what_does_not_follow_leaves_the_view_as_it_was() {
    let view = folded(&born(), &[3]);
    let sound = draft(&view, &[2]);
    let summary_of = |sizes: &[u64]| serde_json::from_str::<Content>(draft(&view, sizes).content.get()).unwrap().state;
    let with_state = |sizes: &[u64]| {
        let mut content: Content = serde_json::from_str(sound.content.get()).unwrap();
        content.state = summary_of(sizes);
        serde_json::value::to_raw_value(&content).unwrap()
    };
    let copy = || draft(&view, &[2]);
    let broken = [
        Draft { seq: 3, ..copy() },
        Draft { seq: 1, ..copy() },
        Draft { prev: RecordId::root("other"), ..copy() },
        Draft { at: Timestamp::from_millis(START.as_millis() - 1), ..copy() },
        Draft { payload: Bytes::from_static(b"abc"), ..copy() },
        Draft { content: with_state(&[3]), ..copy() },
        Draft { content: serde_json::value::to_raw_value("text").unwrap(), ..copy() },
    ];
    for draft in broken {
        let mut tried = view.clone();
        let refused = tried.fold(&draft.encode().unwrap().1).unwrap_err();
        assert!(matches!(refused, LogError::Broken(_) | LogError::Damaged(_)), "{refused:?}");
        assert_eq!((&tried.position, &tried.state, &tried.spans), (&view.position, &view.state, &view.spans));
    }
    let mut tried = view.clone();
    tried.fold(&sound.encode().unwrap().1).unwrap();
    assert_eq!(tried.position.seq, 2);
    assert_eq!(tried.position.validated, view.position.validated, "a record found validates nothing");
}

#[test]
fn the_longer_of_two_views_and_the_newer_of_two_manifests_are_kept() {
    let later = |view: &View, seconds: u64| {
        let mut view = view.clone();
        view.position.validated = START.saturating_add(std::time::Duration::from_secs(seconds));
        view
    };
    let (short, long) = (later(&folded(&born(), &[3]), 9), later(&folded(&folded(&born(), &[3]), &[2]), 5));
    let mut merged = short.clone();
    merged.merge(long.clone());
    assert_eq!(merged.position, long.position, "with the validation it stands on itself");
    let mut merged = long.clone();
    merged.merge(short.clone());
    assert_eq!(merged.position, long.position);
    let mut merged = short.clone();
    merged.merge(later(&short, 12));
    assert_eq!(merged.position.validated, later(&short, 12).position.validated);
    let mut renewed = short.clone();
    let mut manifest = (*short.manifest).clone();
    manifest.manifest.revision += 1;
    renewed.manifest = Arc::new(manifest);
    for (mut left, right) in [(long.clone(), renewed.clone()), (renewed, long.clone())] {
        left.merge(right);
        assert_eq!((left.position.seq, left.manifest.manifest.revision), (2, 2));
    }
}

#[test]
fn a_view_at_a_checkpoint_knows_no_bytes_below_it() {
    let log = folded(&born(), &[3]);
    let mut manifest = (*log.manifest).clone();
    manifest.manifest.state = Some(log.state.clone());
    manifest.manifest.log.checkpoint.seq = 1;
    let state = manifest.manifest.state_at_checkpoint();
    let view = View::at_checkpoint(manifest, state);
    assert_eq!((view.spans_from().get(), view.position.seq, view.state.tail.get()), (3, 1, 3));
    assert_eq!(view.spans(Offset::ZERO, Offset::new(3)).count(), 0);
}

proptest! {
    #[test]
    fn spans_name_each_byte_once(
        records in prop::collection::vec(prop::collection::vec(0..4_u64, 0..3), 0..12),
        start in 0..20_u64,
        length in 0..20_u64,
    ) {
        let view = records.iter().fold(born(), |view, sizes| folded(&view, sizes));
        let mut owners = Vec::new();
        for (seq, sizes) in (1..).zip(&records) {
            owners.extend((0..sizes.iter().sum()).map(|_| seq));
        }
        let tail = owners.len() as u64;
        prop_assert_eq!(view.state.tail.get(), tail);
        let (start, end) = (start.min(tail), (start + length).min(tail));
        let mut named = Vec::new();
        for (from, span) in view.spans(Offset::new(start), Offset::new(end)) {
            prop_assert!(from < span.end, "no empty span");
            let range = from.get().max(start)..span.end.get().min(end);
            named.extend(range.map(|_| span.seq));
        }
        let range = usize::try_from(start).unwrap()..usize::try_from(end).unwrap();
        prop_assert_eq!(&named[..], &owners[range]);
        if start < tail {
            let owner = owners[usize::try_from(start).unwrap()];
            let after = owners.iter().rposition(|seq| *seq == owner).unwrap() as u64 + 1;
            prop_assert_eq!(view.holder_end(Offset::new(start)).get(), after);
        }
    }
}
