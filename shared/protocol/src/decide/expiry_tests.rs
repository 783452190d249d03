//! Expiry and renewal: when a stream ends by itself, who ends it, and what postpones that.

#![allow(clippy::unwrap_used, reason = "the operations can follow the states")]

use std::time::Duration;

use super::{
    Decision, Moment, decide_create_over, decide_delete, decide_expiry, decide_touch, decide_write, fixtures::*,
};
use crate::{DeleteReason, DeleteRequest, Lifetime, Operation, Refusal, StreamState};

const ENDS: Operation = Operation::Delete { reason: DeleteReason::Expired };

fn coarse(millis: u64, resolution_ms: u64) -> Moment {
    Moment { now: at(millis), resolution: Duration::from_millis(resolution_ms) }
}

/// Renewed at 1 s.
fn renewed(lifetime: Lifetime) -> StreamState {
    StreamState { renewed_at: at(1000), ..stream().living(lifetime) }
}

/// The lifetime, the resolution of the clock, the last millisecond at which it lives.
fn rows() -> Vec<(&'static str, Lifetime, u64, Option<u64>)> {
    vec![
        ("for ever", Lifetime::Forever, 0, None),
        ("time-to-live", ttl(10), 0, Some(10_999)),
        ("time-to-live, clock of whole seconds", ttl(10), 1000, Some(11_999)),
        ("time-to-live of nothing", ttl(0), 0, Some(999)),
        ("time-to-live of nothing, clock of whole seconds", ttl(0), 1000, Some(1999)),
        ("time-to-live beyond the end of time", ttl(u64::MAX), 0, Some(u64::MAX - 1)),
        ("date", Lifetime::Until(at(5000)), 0, Some(4999)),
        ("date, clock of whole seconds", Lifetime::Until(at(5000)), 1000, Some(5999)),
        ("date long past", Lifetime::Until(at(1)), 0, Some(0)),
    ]
}

#[test]
fn a_stream_lives_to_its_last_millisecond_and_not_one_more() {
    for (name, lifetime, resolution, last) in rows() {
        let state = renewed(lifetime);
        let Some(last) = last else {
            assert_eq!(decide_expiry(&state, coarse(u64::MAX, resolution)), None, "{name}");
            continue;
        };
        assert_eq!(decide_expiry(&state, coarse(last, resolution)), None, "{name}: alive");
        assert_eq!(decide_expiry(&state, coarse(last + 1, resolution)), Some(ENDS), "{name}: over");
        assert_eq!(decide_expiry(&state, coarse(u64::MAX, resolution)), Some(ENDS), "{name}: long over");
    }
}

#[test]
fn whoever_finds_a_stream_expired_ends_it_and_is_told_that_it_is_gone() {
    for (name, lifetime, resolution, last) in rows() {
        let Some(last) = last else { continue };
        let state = renewed(lifetime).knowing("p", record("0/0"));
        let over = coarse(last + 1, resolution);
        for request in [
            append("a"),
            append_and_close("a"),
            close(),
            append("a").by("p/0/0"),
            append("a").tokened(),
            append("a").mistaken(),
            append("a").matching("\"x\""),
        ] {
            let alive = decide_write(&state, &request, coarse(last, resolution));
            assert!(
                !matches!(alive, Decision::Commit { operation: Operation::Delete { .. }, .. }),
                "{name}: {alive:?}"
            );
            let gone = Decision::Commit { operation: ENDS, answer: Err(Refusal::StreamNotFound) };
            assert_eq!(decide_write(&state, &request, over), gone, "{name}");
        }
        let gone = Decision::Commit { operation: ENDS, answer: Err(Refusal::StreamNotFound) };
        for incarnation in [None, Some(token()), Some(other_token())] {
            let request = DeleteRequest { incarnation, if_match: None };
            assert_eq!(decide_delete(&state, &request, over), gone, "{name}");
        }
        assert_eq!(decide_create_over(&state, &create(), over), gone, "{name}");
    }
}

#[test]
fn a_deleted_stream_is_not_found_and_ends_no_second_time() {
    for reason in [DeleteReason::Requested, DeleteReason::Expired] {
        let state = StreamState { deleted: Some(reason), ..renewed(ttl(10)).knowing("p", record("0/0")) };
        for now in [moment(1000), moment(5000), moment(u64::MAX)] {
            for request in [append("a"), close(), append("a").by("p/0/0"), append("a").mistaken(), bare()] {
                assert_eq!(decide_write(&state, &request, now), Decision::refuse(Refusal::StreamNotFound));
            }
            let delete = DeleteRequest { incarnation: Some(other_token()), if_match: None };
            assert_eq!(decide_delete(&state, &delete, now), Decision::refuse(Refusal::StreamNotFound));
            assert_eq!(decide_create_over(&state, &create(), now), Decision::refuse(Refusal::StreamNotFound));
            assert_eq!(decide_expiry(&state, now), None);
            assert_eq!(decide_touch(&state, now), None);
        }
    }
}

#[test]
fn a_read_renews_after_a_quarter_and_not_before() {
    let rows = [
        ("a quarter of 100 s", ttl(100), 26_000, true),
        ("a millisecond less", ttl(100), 25_999, false),
        ("a quarter of 1 s", ttl(1), 1250, true),
        ("a millisecond less", ttl(1), 1249, false),
        ("a quarter of 3 s", ttl(3), 1750, true),
        ("a millisecond less", ttl(3), 1749, false),
        ("the last millisecond", ttl(100), 100_999, true),
        ("expired", ttl(100), 101_000, false),
        ("long expired", ttl(100), u64::MAX, false),
        ("at the very renewal", ttl(100), 1000, false),
        ("before the renewal", ttl(100), 0, false),
        ("nothing to renew", ttl(0), 1000, false),
        ("a date is never postponed", Lifetime::Until(at(100_000)), 99_999, false),
        ("for ever", Lifetime::Forever, u64::MAX, false),
    ];
    for (name, lifetime, now, due) in rows {
        let touch = decide_touch(&renewed(lifetime), moment(now));
        assert_eq!(touch, due.then_some(Operation::Touch), "{name}: {now}");
    }
    assert_eq!(decide_touch(&renewed(ttl(100)).shut(), moment(26_000)), Some(Operation::Touch), "closed");
    assert_eq!(decide_touch(&renewed(ttl(100)), coarse(101_999, 1000)), Some(Operation::Touch), "a coarse clock");
    assert_eq!(decide_touch(&renewed(ttl(100)), coarse(102_000, 1000)), None, "expired by a coarse clock");
}

#[test]
fn every_write_that_applies_renews_and_nothing_else_does() {
    let state = renewed(ttl(100)).after(&append("abc").by("p/0/0"));
    for request in [append("a"), append_and_close("a"), close(), append("a").by("p/0/1"), close().by("p/0/1")] {
        let after = state.clone().after_at(50_000, &request);
        assert_eq!(after.expires_at(), Some(at(150_000)), "{request:?}");
    }
    for request in [append("abc").by("p/0/0"), append("a").by("p/0/7"), append("a").with_body("text/html", "a")] {
        assert!(matches!(decide_write(&state, &request, moment(50_000)), Decision::Answer(_)), "{request:?}");
    }
}

#[test]
fn a_renewal_never_moves_the_expiry_earlier() {
    for operation in [Operation::Touch, committed_append()] {
        let mut state = renewed(ttl(100));
        state.apply(&operation, at(500)).unwrap();
        assert_eq!(state.expires_at(), Some(at(101_000)), "{operation:?}, dated before the last renewal");
        let mut state = renewed(ttl(100));
        state.apply(&operation, at(1500)).unwrap();
        assert_eq!(state.expires_at(), Some(at(101_500)), "{operation:?}");
    }
}

fn committed_append() -> Operation {
    let Decision::Commit { operation, .. } = decide_write(&stream(), &append("a"), moment(0)) else {
        panic!("an append commits")
    };
    operation
}
