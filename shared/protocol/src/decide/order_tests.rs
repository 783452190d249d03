//! The order of checks of a write: each one answers before every later one.

use bytes::Bytes;

use super::{Decision, decide_write, fixtures::*};
use crate::{DeleteReason, Digest, Payload, StreamState, WriteOutcome, WriteRequest, limits::PRODUCERS_MAX};

const NOW_MS: u64 = 10_000;

/// A write to a stream of JSON, before its body was looked at.
struct Attempt {
    state: StreamState,
    request: WriteRequest,
    content_type: Option<&'static str>,
    sent_digest: Option<Digest>,
    body: &'static str,
}

impl Attempt {
    /// One that applies: the next write of `p`, whose newest was 1.
    fn good() -> Self {
        let state = stream().of_type("application/json").holding(9).at_seq("b").knowing("p", record("4/1"));
        let state = state.knowing("taken-over", record("4/1").replacing("3/7"));
        let request = append("").by("p/4/2").with_seq("c");
        Self { state, request, content_type: Some("application/json"), sent_digest: None, body: "1" }
    }

    fn decide(mut self) -> Decision<WriteOutcome> {
        let body = Bytes::from_static(self.body.as_bytes());
        self.request.content = Payload::of_append(self.content_type, self.sent_digest.as_ref(), body);
        decide_write(&self.state, &self.request, moment(NOW_MS))
    }
}

/// One thing that is wrong, or that answers early.
struct Check {
    /// Its step in the order; equal steps exclude each other or are alternatives.
    step: u32,
    expected: &'static str,
    spoil: fn(&mut Attempt),
}

const fn check(step: u32, expected: &'static str, spoil: fn(&mut Attempt)) -> Check {
    Check { step, expected, spoil }
}

fn keyed(attempt: &mut Attempt, text: &str) {
    attempt.request.producer = Some(key(text));
}

fn checks() -> Vec<Check> {
    vec![
        check(80, "STREAM_NOT_FOUND", |a| a.state.deleted = Some(DeleteReason::Requested)),
        check(81, "delete: STREAM_NOT_FOUND", |a| a.state.lifetime = ttl(10)),
        check(90, "INCARNATION_MISMATCH", |a| a.request.incarnation = Some(other_token())),
        check(91, "repeat 4/1 0..0", |a| keyed(a, "p/4/1")),
        check(91, "evicted 4/1", |a| keyed(a, "p/4/0")),
        check(92, "IF_MATCH_FAILED", |a| a.request.if_match = Some(if_match("\"E:1\""))),
        check(110, "PRODUCER_SEQ_CONFLICT", |a| keyed(a, "p/4/3")),
        check(110, "PRODUCER_SEQ_CONFLICT", |a| keyed(a, "unknown/0/1")),
        check(110, "PRODUCER_EPOCH_STALE", |a| keyed(a, "p/3/0")),
        check(110, "PRODUCER_EPOCH_CLOSED", |a| keyed(a, "taken-over/3/7")),
        check(110, "PRODUCER_KEY_CONFLICT", |a| keyed(a, "p/4/1#x")),
        check(110, "INVALID_PRODUCER", |a| keyed(a, "p/5/1")),
        check(110, "PRODUCER_EXPIRED", |a| {
            a.state = a.state.clone().with_floor(4);
            a.request.incarnation.get_or_insert(token());
            keyed(a, "unknown/4/0");
        }),
        check(111, "PRODUCER_LIMIT", |a| {
            a.state = a.state.clone().crowded("busy", PRODUCERS_MAX, NOW_MS);
            keyed(a, "unknown/0/0");
        }),
        check(120, "STREAM_CLOSED", |a| a.state.closed = true),
        check(130, "PRODUCER_DIGEST_MISMATCH", |a| a.sent_digest = Some(digest("of another body"))),
        check(131, "MISSING_CONTENT_TYPE", |a| a.content_type = None),
        check(132, "INVALID_RECORD_BOUNDARIES", |a| a.body = "{"),
        check(132, "INVALID_RECORD_BOUNDARIES", |a| a.body = "[]"),
        check(140, "EMPTY_APPEND", |a| a.body = ""),
        check(150, "CONTENT_TYPE_MISMATCH", |a| a.state = a.state.clone().of_type("text/plain")),
        check(170, "STREAM_SEQ_CONFLICT", |a| a.request.stream_seq = Some(stream_seq("b"))),
        check(180, "STREAM_FULL", |a| a.state.tail = offset(u64::MAX)),
    ]
}

/// Checks that cannot both be provoked: an empty body has no type that could be missing and is no
/// JSON; and whether the producer is known is one of two.
fn exclude_each_other(one: &Check, other: &Check) -> bool {
    let producer = |check: &Check| check.step == 91 || (110..=111).contains(&check.step);
    (producer(one) && producer(other)) || (matches!(one.step, 131 | 132) && other.step == 140)
}

#[test]
fn each_check_answers_alone() {
    assert_eq!(told(&Attempt::good().decide()), "append: applied 4/2 9..11");
    for check in checks() {
        let mut attempt = Attempt::good();
        (check.spoil)(&mut attempt);
        assert_eq!(told(&attempt.decide()), check.expected);
    }
}

#[test]
fn each_check_answers_before_every_later_one() {
    let checks = checks();
    let mut pairs = 0;
    for (n, first) in checks.iter().enumerate() {
        for later in checks.iter().skip(n + 1).filter(|later| later.step > first.step) {
            if exclude_each_other(first, later) {
                continue;
            }
            // Whichever is provoked first.
            for (one, other) in [(first, later), (later, first)] {
                let mut attempt = Attempt::good();
                (one.spoil)(&mut attempt);
                (other.spoil)(&mut attempt);
                let told = told(&attempt.decide());
                assert_eq!(told, first.expected, "{} before {}", first.expected, later.expected);
            }
            pairs += 1;
        }
    }
    assert!(pairs > 150, "only {pairs} pairs");
}
