//! Covers and the floor, by tables of dates in hours.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::time::Duration;

use wadi_protocol::Timestamp;

use super::*;

const GRACE: Duration = Duration::from_hours(24);

fn hour(hours: u64) -> Timestamp {
    Timestamp::from_millis(1_800_000_000_000).saturating_add(Duration::from_hours(hours))
}

fn at(seq: u64) -> Checkpoint {
    Checkpoint { seq, id: RecordId::from_random(seq, seq), at: hour(0) }
}

fn log(seq: u64, covers: &[(u64, u64)], floor: u64) -> LogPart {
    let covers = covers.iter().map(|(seq, hours)| Cover { seq: *seq, date: hour(*hours) }).collect();
    LogPart { checkpoint: at(seq), covers, floor, collected: floor }
}

#[test]
fn the_checkpoint_that_is_replaced_is_covered_from_its_publication() {
    let next = log(0, &[], 0).followed_by(at(50), hour(1));
    assert_eq!(next, log(50, &[], 0), "slot 0 is no record");
    let next = next.followed_by(at(100), hour(2));
    assert_eq!(next, log(100, &[(50, 2)], 0));
}

#[test]
fn covers_lie_apart_so_that_they_stay_few() {
    let mut part = log(50, &[], 0);
    for minute in 0..60 * 48 {
        let now = hour(0).saturating_add(Duration::from_mins(minute));
        part = part.followed_by(at(part.checkpoint.seq + 50), now).with_floor_raised_by_covers(now, GRACE);
        assert!(part.covers.len() <= 26, "{} covers", part.covers.len());
        assert_eq!(part.contradiction(), None);
    }
    let minutes_behind = (part.checkpoint.seq - part.floor) / 50;
    assert!((24 * 60..26 * 60).contains(&minutes_behind), "{minutes_behind}");
}

#[test]
fn the_floor_rises_to_what_was_covered_for_the_grace() {
    let part = log(200, &[(50, 1), (100, 2), (150, 9)], 0);
    for (now, floor) in [(0, 0), (24, 0), (25, 50), (26, 100), (32, 100), (33, 150), (1000, 150)] {
        let raised = part.with_floor_raised_by_covers(hour(now), GRACE);
        assert_eq!(raised.floor, floor, "hour {now}");
        assert!(raised.covers.iter().all(|cover| cover.seq > floor));
    }
    // Of its own checkpoint a manifest that was read says when it was published.
    assert_eq!(part.with_floor_raised(hour(10), hour(33), GRACE).floor, 150);
    assert_eq!(part.with_floor_raised(hour(10), hour(34), GRACE).floor, 200);
}

#[test]
fn the_floor_never_sinks() {
    assert_eq!(log(200, &[(150, 1)], 120).with_floor_raised_by_covers(hour(2), GRACE).floor, 120);
}

#[test]
fn contradictions() {
    assert_eq!(log(5, &[(3, 1)], 2).contradiction(), None);
    assert!(log(5, &[], 6).contradiction().is_some());
    assert!(log(5, &[(6, 1)], 0).contradiction().is_some());
    assert!(log(5, &[(1, 1)], 2).contradiction().is_some());
    assert!(LogPart { collected: 3, ..log(5, &[], 2) }.contradiction().is_some());
}
