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
    let covers = covers.iter().map(|(seq, hours)| cover(*seq, hour(*hours), 0)).collect();
    LogPart { checkpoint: at(seq), covers, floor, collected: floor, chunks_floor: Offset::ZERO }
}

fn cover(seq: u64, date: Timestamp, chunks_start: u64) -> Cover {
    Cover { seq, date, chunks_start: Offset::new(chunks_start) }
}

/// What follows a log whose manifest was `published`.
fn after(log: &LogPart, checkpoint: Checkpoint, published: Timestamp) -> LogPart {
    log.followed_by(checkpoint, cover(log.checkpoint.seq, published, 0))
}

#[test]
fn the_checkpoint_that_is_replaced_is_covered_from_its_publication() {
    let next = after(&log(0, &[], 0), at(50), hour(1));
    assert_eq!(next, log(50, &[], 0), "slot 0 is no record");
    let next = after(&next, at(100), hour(2));
    assert_eq!(next, log(100, &[(50, 2)], 0));
}

#[test]
fn covers_lie_apart_so_that_they_stay_few() {
    let mut part = log(50, &[], 0);
    for minute in 0..60 * 48 {
        let now = hour(0).saturating_add(Duration::from_mins(minute));
        part = after(&part, at(part.checkpoint.seq + 50), now).with_floor_raised_by_covers(now, GRACE);
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
    assert_eq!(part.with_floor_raised(cover(200, hour(10), 0), hour(33), GRACE).floor, 150);
    assert_eq!(part.with_floor_raised(cover(200, hour(10), 0), hour(34), GRACE).floor, 200);
}

#[test]
fn chunks_may_go_once_they_were_let_go_of_for_the_grace() {
    let covers = vec![cover(50, hour(1), 0), cover(100, hour(2), 4), cover(150, hour(9), 8)];
    let part = LogPart { covers, ..log(200, &[], 0) };
    for (now, chunks_floor) in [(25, 0), (26, 4), (32, 4), (33, 8), (1000, 8)] {
        let raised = part.with_floor_raised_by_covers(hour(now), GRACE);
        assert_eq!(raised.chunks_floor.get(), chunks_floor, "hour {now}");
        let later = raised.with_floor_raised_by_covers(hour(0), GRACE);
        assert_eq!(later.chunks_floor.get(), chunks_floor, "it never sinks");
    }
    let own = cover(200, hour(10), 12);
    assert_eq!(part.with_floor_raised(own, hour(33), GRACE).chunks_floor.get(), 8);
    assert_eq!(part.with_floor_raised(own, hour(34), GRACE).chunks_floor.get(), 12);
    // A manifest that is replaced says where chunks began, dated by when it was put in place.
    assert_eq!(part.followed_by(at(250), own).covers.last(), Some(&own));
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
