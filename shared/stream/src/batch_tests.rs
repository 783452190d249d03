#![allow(clippy::unwrap_used, reason = "tests")]

use std::{sync::mpsc, time::Duration};

use wadi_protocol::{ContentType, Genesis, Incarnation, Lifetime, Offset, Operation, StreamSeq, Timestamp, Write};
use wadi_store::ObjectTag;

use super::*;
use crate::{manifest::Manifest, manifests::Versioned, proposal::Proposal};

const START: Timestamp = Timestamp::from_millis(1_800_000_000_000);

/// An append of some bytes, or a request that commits nothing.
struct Fake {
    name: usize,
    bytes: usize,
    header_bytes: usize,
    seen: Vec<(Offset, Timestamp)>,
    told: mpsc::Sender<(usize, Result<Offset, Refusal>)>,
}

impl Proposal for Fake {
    fn decide(&mut self, state: &StreamState, moment: Moment) -> Option<Operation> {
        self.seen.push((state.tail, moment.now));
        let end = state.tail.saturating_add(self.bytes as u64);
        let stream_seq = StreamSeq::parse(&"s".repeat(self.header_bytes)).unwrap();
        let write = Write { start: state.tail, end, messages: 1, closes: false, stream_seq, producer: None };
        (self.bytes > 0).then_some(Operation::Append(write))
    }

    fn payload(&self) -> Bytes {
        vec![0; self.bytes].into()
    }

    fn needs_proof(&self) -> bool {
        self.bytes == 0
    }

    fn answer(self: Box<Self>) {
        self.told.send((self.name, Ok(self.seen.last().unwrap().0))).unwrap();
    }

    fn refuse(self: Box<Self>, refusal: Refusal) {
        self.told.send((self.name, Err(refusal))).unwrap();
    }
}

type Told = mpsc::Receiver<(usize, Result<Offset, Refusal>)>;

fn batch(sizes: &[usize]) -> (Batch, Told) {
    let (told, hears) = mpsc::channel();
    let waiting = sizes.iter().enumerate().map(|(name, bytes)| Waiting {
        proposal: Box::new(Fake { name, bytes: *bytes, header_bytes: 0, seen: Vec::new(), told: told.clone() }),
        deadline: Duration::from_secs(name as u64),
        meter: None,
    });
    (Batch { waiting: waiting.collect() }, hears)
}

fn view() -> Arc<View> {
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
    Arc::new({
        let state = manifest.state_at_checkpoint();
        View::at_checkpoint(
            Versioned { manifest, tag: ObjectTag("t".to_owned()), date: START, published: START },
            state,
        )
    })
}

fn at(millis: u64) -> Moment {
    Moment { now: Timestamp::from_millis(millis), resolution: Duration::from_millis(1) }
}

fn later() -> Moment {
    at(START.as_millis() + 1)
}

fn names(told: &Told) -> Vec<usize> {
    told.try_iter().map(|(name, _)| name).collect()
}

#[test]
fn each_request_is_decided_on_the_state_that_the_one_before_leaves() {
    let (mut batch, told) = batch(&[3, 0, 4, 0]);
    let (decided, leftover) = batch.decide(view(), later()).unwrap();
    assert!(leftover.is_empty() && batch.needs_proof());
    assert_eq!((decided.operations.len(), decided.payload.len(), decided.after.tail.get()), (2, 7, 7));
    assert_eq!(decided.view.state.tail.get(), 0, "the view itself is as it was");
    batch.answer();
    let tails: Vec<u64> = told.try_iter().map(|(_, tail)| tail.unwrap().get()).collect();
    assert_eq!(tails, [0, 3, 3, 7]);
}

#[test]
fn what_does_not_fit_is_left_in_order() {
    let mib = 1 << 20;
    for (sizes, taken) in [
        (vec![8 * mib, 1, 1], 1),
        (vec![8 * mib + 1, 1], 1),
        (vec![1, 8 * mib], 1),
        (vec![1, 8 * mib - 1, 0, 0, 1], 4),
        (vec![3 * mib, 3 * mib, 3 * mib], 2),
        (vec![0; 3000], 3000),
        (vec![1; 3000], RECORD_OPERATIONS_MAX),
    ] {
        let (mut batch, told) = batch(&sizes);
        let (decided, leftover) = batch.decide(view(), later()).unwrap();
        assert_eq!(batch.waiting.len(), taken);
        assert!(decided.operations.len() <= RECORD_OPERATIONS_MAX);
        batch.answer();
        Batch { waiting: leftover }.refuse(&Refusal::StreamBusy);
        assert_eq!(names(&told), (0..sizes.len()).collect::<Vec<_>>());
    }
}

#[test]
fn a_header_stays_within_its_bound() {
    let (told, hears) = mpsc::channel();
    let waiting = (0..RECORD_OPERATIONS_MAX).map(|name| Waiting {
        proposal: Box::new(Fake { name, bytes: 1, header_bytes: 256, seen: Vec::new(), told: told.clone() }),
        deadline: Duration::ZERO,
        meter: None,
    });
    let mut batch = Batch { waiting: waiting.collect() };
    let (decided, leftover) = batch.decide(view(), later()).unwrap();
    let header = decided.content().unwrap().get().len();
    assert!(header <= RECORD_HEADER_BYTES_MAX && header > RECORD_HEADER_BYTES_MAX * 9 / 10, "{header}");
    assert_eq!(batch.waiting.len() + leftover.len(), RECORD_OPERATIONS_MAX);
    drop(hears);
}

#[test]
fn a_record_is_never_dated_before_the_one_before() {
    let mut ahead = (*view()).clone();
    ahead.position.at = Timestamp::from_millis(START.as_millis() + 500);
    let (mut batch, _told) = batch(&[1]);
    let (decided, _) = batch.decide(Arc::new(ahead), at(5)).unwrap();
    assert_eq!(decided.moment.now.as_millis(), START.as_millis() + 500);
}

#[test]
fn those_whose_time_is_over_are_refused_and_the_others_wait_on() {
    let (mut batch, told) = batch(&[1, 1, 1, 1]);
    batch.waiting.reverse();
    batch.refuse_overdue(Duration::from_secs(1), &Refusal::StreamBusy);
    assert_eq!(told.try_iter().collect::<Vec<_>>(), [(1, Err(Refusal::StreamBusy)), (0, Err(Refusal::StreamBusy))]);
    batch.refuse(&Refusal::OutcomeUnknown);
    assert_eq!(names(&told), [3, 2]);
}
