//! Random requests and states, and that no decision panics on any of them.

use std::time::Duration;

use proptest::{prelude::*, sample::select};

use super::{
    Decision, Moment, decide_create_over, decide_delete, decide_expiry, decide_head, decide_read, decide_touch,
    decide_write, fixtures::*,
};
use crate::{
    ContentFault, DeleteReason, DeleteRequest, Incarnation, Lifetime, Operation, ReadForm, ReadFrom, ReadRequest,
    StreamState, WriteRequest,
    limits::INTEGER_MAX,
    state::{ProducerRecord, Receipt},
};

/// One thing that happens to a stream.
#[derive(Clone, Debug)]
pub(super) enum Step {
    Write(Box<Draft>),
    Touch,
    Delete,
    Wait(u64),
}

/// A write whose key and tag are still relative to what the stream is by then.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    by: Option<(&'static str, Key, &'static str)>,
    base: WriteRequest,
    tag: Tag,
}

/// A key, by what is known of its producer.
#[derive(Clone, Debug)]
enum Key {
    Next,
    Again,
    Older(u64),
    Claim(u64),
    Any(u64, u64),
}

#[derive(Clone, Debug)]
enum Tag {
    None,
    Any,
    Current,
    Other,
}

impl Draft {
    /// The request, on a stream as it is.
    pub(super) fn on(&self, state: &StreamState) -> WriteRequest {
        let request = match &self.by {
            None => self.base.clone(),
            Some((who, key, hashed)) => {
                let known = state.producers.get(&id(who)).map(|record| (record.epoch.get(), record.last_seq.get()));
                let (epoch, seq) = key.on(known);
                let (epoch, seq) = (epoch.min(INTEGER_MAX), seq.min(INTEGER_MAX));
                self.base.clone().by(&format!("{who}/{epoch}/{seq}{hashed}"))
            }
        };
        match self.tag {
            Tag::None => request,
            Tag::Any => request.matching("*"),
            Tag::Current => request.matching(&state.end_tag().to_string()),
            Tag::Other => request.matching("\"E:1\""),
        }
    }
}

impl Key {
    fn on(&self, known: Option<(u64, u64)>) -> (u64, u64) {
        let (epoch, newest) = known.unwrap_or_default();
        match *self {
            Self::Next => (epoch, known.map_or(0, |_| newest + 1)),
            Self::Again => (epoch, newest),
            Self::Older(n) => (epoch, n % (newest + 1)),
            Self::Claim(n) => (known.map_or(n, |_| epoch + 1 + n), 0),
            Self::Any(epoch, seq) => (epoch, seq),
        }
    }
}

fn keys() -> impl Strategy<Value = Key> {
    prop_oneof![
        6 => Just(Key::Next),
        2 => Just(Key::Again),
        2 => (0..9_u64).prop_map(Key::Older),
        2 => (0..3_u64).prop_map(Key::Claim),
        3 => (0..5_u64, 0..5_u64).prop_map(|(epoch, seq)| Key::Any(epoch, seq)),
    ]
}

/// Everything of a write but its key and tag.
fn bases() -> impl Strategy<Value = WriteRequest> {
    let bytes = (1..5_usize).prop_map(|bytes| "x".repeat(bytes));
    let kind = prop_oneof![
        60 => bytes.clone().prop_map(|text| append(&text)),
        1 => bytes.prop_map(|text| append_and_close(&text)),
        1 => Just(close()),
        3 => Just(bare()),
        3 => Just(append("").with_body("text/html", "x")),
        3 => Just(append("").with_fault(ContentFault::DigestMismatch)),
    ];
    let token = prop_oneof![6 => Just(None), 6 => Just(Some(token())), 1 => Just(Some(other_token()))];
    let seq = prop_oneof![9 => Just(None), 1 => select(vec!["a", "b", "c", "d", "e"]).prop_map(Some)];
    (kind, token, seq).prop_map(|(request, incarnation, seq)| {
        let request = seq.into_iter().fold(request, WriteRequest::with_seq);
        WriteRequest { incarnation, ..request }
    })
}

pub(super) fn drafts() -> impl Strategy<Value = Draft> {
    let hashed = prop_oneof![6 => Just(""), 1 => Just("#a"), 1 => Just("#b")];
    let by = prop::option::weighted(0.8, (select(vec!["p", "q", "r"]), keys(), hashed));
    let tag = prop_oneof![9 => Just(Tag::None), 1 => Just(Tag::Any), 1 => Just(Tag::Current), 1 => Just(Tag::Other)];
    (by, bases(), tag).prop_map(|(by, base, tag)| Draft { by, base, tag })
}

pub(super) fn steps() -> impl Strategy<Value = Step> {
    let wait = select(vec![0, 1, SECOND_MS, HOUR_MS, WEEK_MS / 4, WEEK_MS]);
    prop_oneof![
        150 => drafts().prop_map(|draft| Step::Write(Box::new(draft))),
        12 => wait.prop_map(Step::Wait),
        4 => Just(Step::Touch),
        1 => Just(Step::Delete),
    ]
}

pub(super) fn lifetimes() -> impl Strategy<Value = Lifetime> {
    prop_oneof![
        12 => Just(Lifetime::Forever),
        4 => select(vec![0, 3600, 14 * 24 * 3600, 14 * 24 * 3600]).prop_map(ttl),
        1 => (0..9 * WEEK_MS).prop_map(|millis| Lifetime::Until(at(millis))),
    ]
}

/// A number, often at one of the ends.
fn numbers(most: u64) -> impl Strategy<Value = u64> {
    prop_oneof![Just(0), Just(1), Just(most), Just(most - 1), 0..=most]
}

fn records() -> impl Strategy<Value = ProducerRecord> {
    let digests = || prop_oneof![Just(None), Just(Some(digest("a"))), Just(Some(digest("b")))];
    (numbers(INTEGER_MAX), numbers(INTEGER_MAX), digests(), digests(), any::<bool>(), 0..2_u64, numbers(u64::MAX))
        .prop_map(|(epoch, seq, claim_digest, newest, below, history, seen)| {
            let known = record(&format!("{epoch}/{seq}")).replacing("0/7").of_history(history).seen(seen);
            let newest = Receipt { digest: newest, ..known.newest.clone() };
            let known = ProducerRecord { claim_digest, newest, ..known };
            if below { known.below() } else { known }
        })
}

/// Any state at all, also those that no walk reaches.
fn states() -> impl Strategy<Value = StreamState> {
    let lifetime = prop_oneof![
        Just(Lifetime::Forever),
        numbers(u64::MAX).prop_map(ttl),
        numbers(u64::MAX).prop_map(|millis| Lifetime::Until(at(millis))),
    ];
    let ended = prop_oneof![9 => Just(None), 1 => Just(Some(DeleteReason::Expired))];
    let producers = (prop::option::of(records()), prop::option::of(records()), prop::option::of(numbers(INTEGER_MAX)));
    let numbers = (numbers(u64::MAX), numbers(u64::MAX), numbers(u64::MAX));
    (lifetime, ended, any::<bool>(), numbers, producers).prop_map(|(lifetime, deleted, closed, numbers, producers)| {
        let (tail, retained, renewed) = numbers;
        let (p, q, floor) = producers;
        let state = stream().living(lifetime).holding(tail).retaining(retained);
        let state = p.into_iter().fold(state, |state, known| state.knowing("p", known));
        let state = q.into_iter().fold(state, |state, known| state.knowing("q", known));
        let state = floor.into_iter().fold(state, StreamState::with_floor);
        StreamState { deleted, closed, renewed_at: at(renewed), ..state }
    })
}

fn requests() -> impl Strategy<Value = WriteRequest> {
    let by = prop::option::weighted(0.8, (select(vec!["p", "q", "r"]), numbers(INTEGER_MAX), numbers(INTEGER_MAX)));
    (by, bases()).prop_map(|(by, base)| match by {
        Some((who, epoch, seq)) => base.by(&format!("{who}/{epoch}/{seq}")),
        None => base,
    })
}

fn moments() -> impl Strategy<Value = Moment> {
    (numbers(u64::MAX), numbers(u64::MAX))
        .prop_map(|(now, coarse)| Moment { now: at(now), resolution: Duration::from_millis(coarse) })
}

fn incarnations() -> impl Strategy<Value = Option<Incarnation>> {
    select(vec![None, Some(token()), Some(other_token())])
}

/// What was decided on a state can be applied to it.
fn applies<T>(state: &StreamState, moment: Moment, decision: &Decision<T>) {
    if let Decision::Commit { operation, .. } = decision {
        applies_operation(state, moment, operation);
    }
}

fn applies_operation(state: &StreamState, moment: Moment, operation: &Operation) {
    assert_eq!(state.clone().apply(operation, moment.now), Ok(()));
}

proptest! {
    #[test]
    fn no_write_panics_and_what_it_commits_applies(state in states(), request in requests(), moment in moments()) {
        applies(&state, moment, &decide_write(&state, &request, moment));
    }

    #[test]
    fn no_draft_panics_either(state in states(), draft in drafts(), moment in moments()) {
        applies(&state, moment, &decide_write(&state, &draft.on(&state), moment));
    }

    #[test]
    fn nothing_else_panics_and_what_it_commits_applies(
        state in states(),
        incarnation in incarnations(),
        from in prop_oneof![Just(ReadFrom::Start), Just(ReadFrom::Now), numbers(u64::MAX).prop_map(|n| ReadFrom::At(offset(n)))],
        bytes_max in numbers(u64::MAX),
        moment in moments(),
    ) {
        let delete = DeleteRequest { incarnation, if_match: None };
        applies(&state, moment, &decide_delete(&state, &delete, moment));
        applies(&state, moment, &decide_create_over(&state, &create(), moment));
        for operation in decide_touch(&state, moment).into_iter().chain(decide_expiry(&state, moment)) {
            applies_operation(&state, moment, &operation);
        }
        let _ = decide_head(&state, incarnation);
        let read = ReadRequest { from, bytes_max, form: ReadForm::Stored, incarnation, if_none_match: None };
        if let Ok(plan) = decide_read(&state, &read) {
            prop_assert!(state.retained <= plan.start && plan.start <= plan.limit && plan.limit <= state.tail);
            prop_assert!(plan.limit.get() - plan.start.get() <= bytes_max);
        }
    }
}
