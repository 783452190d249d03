//! Which producers a keyed write makes the stream forget, and whom it refuses for want of room.

#![allow(clippy::unwrap_used, reason = "a keyed write records its producer")]

use std::collections::BTreeSet;

use super::{Decision, decide_write, fixtures::*};
use crate::{
    Operation, ProducerId, ProducerUpdate, StreamState, WriteRequest,
    limits::{IDLE_FORGOTTEN_PER_WRITE_MAX, PRODUCER_EVICTIONS_MAX, PRODUCERS_MAX},
};

/// What a keyed write that applies at that time records of the producers.
fn update(state: &StreamState, request: &WriteRequest, millis: u64) -> ProducerUpdate {
    match decide_write(state, request, moment(millis)) {
        Decision::Commit { operation: Operation::Append(write), answer: Ok(_) } => write.producer.unwrap(),
        other => panic!("not applied: {other:?}"),
    }
}

/// Who is forgotten by it, and what the floor is raised to.
fn forgotten(state: &StreamState, request: &WriteRequest, millis: u64) -> (Vec<ProducerId>, Option<u64>) {
    let update = update(state, request, millis);
    (update.forgotten, update.floor.map(crate::Epoch::get))
}

#[test]
fn a_producer_is_forgotten_after_exactly_seven_days() {
    let state = || stream().knowing("p", record("3/5").seen(1000));
    let idle = 1000 + WEEK_MS;
    let rows = [
        ("a millisecond before", idle - 1, append("a").by("p/3/5"), "repeat 3/5 0..0"),
        ("a millisecond before, next", idle - 1, append("a").by("p/3/6"), "append: applied 3/6 0..1"),
        ("a millisecond before, claim", idle - 1, append("a").by("p/4/0"), "append: applied 4/0 after 3/5 0..1"),
        ("its newest write", idle, append("a").by("p/3/5"), "PRODUCER_SEQ_CONFLICT"),
        ("its next write", idle, append("a").by("p/3/6"), "PRODUCER_SEQ_CONFLICT"),
        ("the same epoch anew", idle, append("a").by("p/3/0"), "append: applied 3/0 0..1"),
        ("an older epoch", idle, append("a").by("p/0/0"), "append: applied 0/0 0..1"),
        ("a newer epoch closes nothing", idle, append("a").by("p/4/0"), "append: applied 4/0 0..1"),
        ("tokened, the same epoch", idle, append("a").by("p/3/0").tokened(), "PRODUCER_EXPIRED"),
        ("tokened, its newest write", idle, append("a").by("p/3/5").tokened(), "PRODUCER_EXPIRED"),
        ("tokened, a newer epoch", idle, append("a").by("p/4/0").tokened(), "append: applied 4/0 0..1"),
        ("tokened, a newer epoch, not at 0", idle, append("a").by("p/4/1").tokened(), "PRODUCER_SEQ_CONFLICT"),
        ("a clock that went back", 0, append("a").by("p/3/5"), "repeat 3/5 0..0"),
    ];
    for (name, millis, request, expected) in rows {
        assert_eq!(answered(&state(), &request, millis), expected, "{name}");
    }
}

#[test]
fn a_producer_that_comes_back_after_eight_days() {
    let back = WEEK_MS + 24 * HOUR_MS;
    let alone = stream().after(&append("a").by("p/0/0")).after(&append("b").by("p/0/1"));
    let others = alone.clone().after_at(back, &append("c").by("q/0/0"));
    for state in [alone, others] {
        assert_eq!(answered(&state, &append("b").by("p/0/1"), back), "PRODUCER_SEQ_CONFLICT", "never a second time");
        assert_eq!(answered(&state, &append("b").by("p/0/2"), back), "PRODUCER_SEQ_CONFLICT");
        assert_eq!(answered(&state, &append("b").by("p/0/1").tokened(), back), "PRODUCER_EXPIRED");
        for claim in [append("d").by("p/1/0"), append("d").by("p/1/0").tokened()] {
            assert!(answered(&state, &claim, back).starts_with("append: applied 1/0"), "a new epoch goes on");
        }
    }
}

#[test]
fn its_own_record_leaves_before_the_new_one_and_raises_the_floor() {
    let state = stream().knowing("p", record("3/5"));
    let again = append("a").by("p/3/0");
    assert_eq!(forgotten(&state, &again, WEEK_MS), (ids(&["p"]), Some(3)));
    let after = state.after_at(WEEK_MS, &again);
    assert_eq!((after.producers.len(), after.producers.floor()), (1, Some(epoch(3))));
    // Claimed at the floor: from now on only those who do not name the incarnation may use it.
    assert_eq!(answered(&after, &append("b").by("p/3/1"), WEEK_MS), "append: applied 3/1 1..2");
    assert_eq!(answered(&after, &append("b").by("p/3/1").tokened(), WEEK_MS), "PRODUCER_EXPIRED");
    assert_eq!(answered(&after, &append("b").by("p/4/0").tokened(), WEEK_MS), "append: applied 4/0 1..2");
}

#[test]
fn a_forgotten_producer_is_judged_by_the_higher_of_the_floor_and_its_own_epoch() {
    let rows = [
        ("its own epoch", None, "p/3/0", "PRODUCER_EXPIRED"),
        ("above its own epoch", None, "p/4/0", "append: applied 4/0 0..1"),
        ("its own epoch, a lower floor", Some(1), "p/3/0", "PRODUCER_EXPIRED"),
        ("above its own epoch, a lower floor", Some(1), "p/4/0", "append: applied 4/0 0..1"),
        ("above its own epoch, at a higher floor", Some(9), "p/9/0", "PRODUCER_EXPIRED"),
        ("above a higher floor", Some(9), "p/10/0", "append: applied 10/0 0..1"),
    ];
    for (name, floor, text, expected) in rows {
        let state = floor.into_iter().fold(stream().knowing("p", record("3/5")), StreamState::with_floor);
        assert_eq!(answered(&state, &append("a").by(text).tokened(), WEEK_MS), expected, "{name}");
    }
}

#[test]
fn the_floor_is_raised_and_never_lowered() {
    let rows = [
        ("no floor before", None, "p/9/0", Some(3)),
        ("a lower one before", Some(2), "p/9/0", Some(3)),
        ("the same before", Some(3), "p/9/0", None),
        ("a higher one before", Some(7), "p/9/0", None),
    ];
    for (name, before, text, raised) in rows {
        let state = before.into_iter().fold(stream().knowing("p", record("3/5")), StreamState::with_floor);
        assert_eq!(forgotten(&state, &append("a").by(text), WEEK_MS), (ids(&["p"]), raised), "{name}");
        let floor = before.max(Some(3)).map(epoch);
        assert_eq!(state.after_at(WEEK_MS, &append("a").by(text)).producers.floor(), floor, "{name}");
    }
    let several = stream().knowing("a", record("8/0")).knowing("b", record("2/0")).knowing("p", record("3/0"));
    assert_eq!(forgotten(&several, &append("a").by("p/9/0"), WEEK_MS), (ids(&["a", "b", "p"]), Some(8)));
}

#[test]
fn others_are_forgotten_with_any_keyed_write_that_applies() {
    let state = stream().knowing("idle", record("6/0")).knowing("p", record("0/0").seen(WEEK_MS - 1));
    let both = (ids(&["idle"]), Some(6));
    assert_eq!(forgotten(&state, &append("a").by("p/0/1"), WEEK_MS), both, "next");
    assert_eq!(forgotten(&state, &append("a").by("p/1/0"), WEEK_MS), both, "claim");
    assert_eq!(forgotten(&state, &append("a").by("q/0/0"), WEEK_MS), both, "new");
    assert_eq!(forgotten(&state, &append("a").by("q/0/0"), WEEK_MS - 1), (vec![], None), "not idle yet");
    let after = state.clone().after_at(WEEK_MS, &append("a").by("p/0/1"));
    assert_eq!((after.producers.len(), after.producers.floor()), (1, Some(epoch(6))));
    let unkeyed = state.after_at(WEEK_MS, &append("a"));
    assert_eq!((unkeyed.producers.len(), unkeyed.producers.floor()), (2, None), "unkeyed");
}

#[test]
fn the_floor_that_others_leave_counts_from_the_next_write_on() {
    let state = stream().knowing("idle", record("6/0"));
    let claim = append("a").by("p/2/0").tokened();
    assert_eq!(answered(&state, &claim, WEEK_MS), "append: applied 2/0 0..1");
    let after = state.after_at(WEEK_MS, &claim);
    assert_eq!(answered(&after, &append("a").by("p/2/1").tokened(), WEEK_MS), "append: applied 2/1 1..2");
    assert_eq!(answered(&after, &append("a").by("q/2/0").tokened(), WEEK_MS), "PRODUCER_EXPIRED");
}

#[test]
fn at_most_sixteen_others_at_a_time_the_least_recent_first() {
    let mut state = stream().crowded("b", 20, 5).knowing("a-later", record("0/0").seen(6)).knowing("z", record("1/0"));
    let expected: Vec<ProducerId> = std::iter::once(id("z")).chain((0..15).map(|n| id(&format!("b{n:04}")))).collect();
    assert_eq!((expected.len(), IDLE_FORGOTTEN_PER_WRITE_MAX), (16, 16));
    assert_eq!(forgotten(&state, &append("a").by("p/0/0"), WEEK_MS + 6), (expected, Some(1)));
    let mut left = Vec::new();
    for n in 0..3 {
        state = state.after_at(WEEK_MS + 6, &append("a").by(&format!("p/0/{n}")));
        left.push(state.producers.len());
    }
    assert_eq!(left, [7, 1, 1]);
    let own = stream().crowded("b", 20, 0).knowing("p", record("0/0"));
    assert_eq!(update(&own, &append("a").by("p/1/0"), WEEK_MS).forgotten.len(), 17, "its own beside the sixteen");
}

/// The time of the tests of a full table.
const NOW_MS: u64 = 2 * HOUR_MS;
/// Seen then, a producer may be evicted.
const RESTING_MS: u64 = NOW_MS - HOUR_MS;

/// A full table: one record at a time given, the others active.
fn full(who: &str, seen_millis: u64) -> StreamState {
    stream().crowded("busy", PRODUCERS_MAX - 1, RESTING_MS + 1).knowing(who, record("5/3").seen(seen_millis))
}

#[test]
fn a_full_table_takes_a_new_producer_when_another_rests_for_an_hour() {
    let resting = full("rests", RESTING_MS);
    let active = full("works", RESTING_MS + 1);
    let new = || append("a").by("new/0/0");
    let rows = [
        ("one rests", &resting, new(), "append: applied 0/0 0..1"),
        ("none rests", &active, new(), "PRODUCER_LIMIT"),
        ("none rests, close", &active, close().by("new/0/0"), "PRODUCER_LIMIT"),
        ("none rests, not at 0", &active, append("a").by("new/0/1"), "PRODUCER_SEQ_CONFLICT"),
        ("none rests, unkeyed", &active, append("a"), "append: appended ..1"),
        ("the next of a known one", &active, append("a").by("works/5/4"), "append: applied 5/4 0..1"),
        ("a claim of a known one", &active, append("a").by("works/6/0"), "append: applied 6/0 after 5/3 0..1"),
        ("a repeat of a known one", &active, append("a").by("works/5/3"), "repeat 5/3 0..0"),
        ("a known one that rested", &resting, append("a").by("rests/5/4"), "append: applied 5/4 0..1"),
    ];
    for (name, state, request, expected) in rows {
        assert_eq!(answered(state, &request, NOW_MS), expected, "{name}");
    }
    assert_eq!(forgotten(&resting, &new(), NOW_MS), (ids(&["rests"]), Some(5)));
    assert_eq!(resting.after_at(NOW_MS, &new()).producers.len(), PRODUCERS_MAX);
}

#[test]
fn the_producer_after_the_last_place_waits_until_another_has_rested() {
    let join = |n: usize| append("x").by(&format!("p{n:04}/0/0"));
    let full = (0..PRODUCERS_MAX).fold(stream(), |state, n| state.after_at(n as u64, &join(n)));
    assert_eq!(full.producers.len(), 4096);
    let late = join(PRODUCERS_MAX);
    assert_eq!(answered(&full, &late, HOUR_MS - 1), "PRODUCER_LIMIT");
    assert_eq!(forgotten(&full, &late, HOUR_MS), (ids(&["p0000"]), Some(0)));
    let full = full.after_at(HOUR_MS - 1, &append("x").by("p0000/0/1"));
    assert_eq!(answered(&full, &late, HOUR_MS), "PRODUCER_LIMIT");
    assert_eq!(forgotten(&full, &late, HOUR_MS + 1), (ids(&["p0001"]), Some(0)));
}

#[test]
fn a_table_with_room_evicts_nobody() {
    let state = stream().crowded("rests", PRODUCERS_MAX - 1, 0);
    assert_eq!(forgotten(&state, &append("a").by("new/0/0"), NOW_MS), (vec![], None));
    assert_eq!(state.after_at(NOW_MS, &append("a").by("new/0/0")).producers.len(), PRODUCERS_MAX);
}

#[test]
fn the_least_recently_seen_leaves_first_and_ties_leave_by_id() {
    let crowd = || stream().crowded("busy", PRODUCERS_MAX - 3, NOW_MS);
    let seen = |c, a, b| {
        let state = crowd().knowing("c", record("0/0").seen(c));
        state.knowing("a", record("0/0").seen(a)).knowing("b", record("0/0").seen(b))
    };
    let rows = [
        ("the oldest", seen(0, 1, 2), "c"),
        ("the oldest, whatever its id", seen(2, 1, 0), "b"),
        ("a tie", seen(1, 1, 1), "a"),
        ("a tie of two", seen(1, 2, 1), "b"),
        ("only who rests", seen(RESTING_MS + 1, RESTING_MS + 1, RESTING_MS), "b"),
    ];
    for (name, state, expected) in rows {
        assert_eq!(forgotten(&state, &append("a").by("new/0/0"), NOW_MS).0, ids(&[expected]), "{name}");
    }
    let mut state = seen(2, 0, 1);
    let mut order = Vec::new();
    for n in 0..3 {
        let request = append("a").by(&format!("new{n}/0/0"));
        order.extend(forgotten(&state, &request, NOW_MS).0);
        state = state.after_at(NOW_MS, &request);
    }
    assert_eq!(order, ids(&["a", "b", "c"]));
    assert_eq!(answered(&state, &append("a").by("new3/0/0"), NOW_MS), "PRODUCER_LIMIT");
}

#[test]
fn idle_ones_that_leave_anyway_make_the_room() {
    let crowd = stream().crowded("busy", PRODUCERS_MAX - 2, WEEK_MS).knowing("rests", record("1/0").seen(1));
    let state = crowd.knowing("idle", record("0/0").seen(0));
    assert_eq!(forgotten(&state, &append("a").by("new/0/0"), WEEK_MS), (ids(&["idle"]), Some(0)));
    let own = stream().crowded("busy", PRODUCERS_MAX - 1, WEEK_MS).knowing("p", record("2/0"));
    assert_eq!(forgotten(&own, &append("a").by("p/2/0"), WEEK_MS), (ids(&["p"]), Some(2)), "its own place");
}

/// As a release with a larger cap would leave it: 306 more than there is room for, all at rest.
fn over_full() -> StreamState {
    let busy = stream().crowded("busy", PRODUCERS_MAX - 1, WEEK_MS);
    busy.crowded("rests", PRODUCER_EVICTIONS_MAX + 50, WEEK_MS - HOUR_MS)
}

#[test]
fn a_table_over_the_cap_shrinks_and_refuses_only_for_active_ones() {
    let new = append("a").by("new/0/0");
    assert_eq!(update(&over_full(), &new, WEEK_MS).forgotten.len(), 256);
    let active = over_full().knowing("works", record("0/0").seen(WEEK_MS));
    assert_eq!(answered(&active, &new, WEEK_MS), "PRODUCER_LIMIT");
}

#[test]
fn nobody_leaves_twice() {
    let state = ["p", "idle", "idle-too"].into_iter().fold(over_full(), |state, who| state.knowing(who, record("0/0")));
    for (text, leave) in [("new/0/0", 3 + 256), ("p/0/0", 3 + 256)] {
        let forgotten = update(&state, &append("a").by(text), WEEK_MS).forgotten;
        assert_eq!(forgotten.iter().collect::<BTreeSet<_>>().len(), leave, "{text}");
        assert_eq!(forgotten.len(), leave, "{text}");
    }
}
