//! The thirteen rows by which a producer's write is judged, each with both sides of its conditions.

use super::{Evaluation, evaluate_producer, fixtures::*};
use crate::{
    ClosedBy, ProducerRefusal,
    limits::INTEGER_MAX,
    state::{Opened, ProducerRecord},
};

/// The request named the stream's incarnation, or did not.
const TOKENED: bool = true;
const PLAIN: bool = false;

/// The row of the table and what it proves, the record, the floor, the key, tokened or not.
type Row = (&'static str, Option<ProducerRecord>, Option<u64>, &'static str, bool, Evaluation);

fn claims_above(closes: Option<&str>) -> Evaluation {
    Evaluation::Claim { opened: Opened::Above, closes: closes.map(closed_epoch) }
}

fn claims_below() -> Evaluation {
    Evaluation::Claim { opened: Opened::Below, closes: None }
}

fn expired(floor: u64) -> Evaluation {
    Evaluation::Refused(ProducerRefusal::Expired { floor: epoch(floor) })
}

fn gap(expected: u64, received: u64) -> Evaluation {
    Evaluation::Refused(ProducerRefusal::SeqGap { expected: seq(expected), received: seq(received) })
}

fn closed(by: ClosedBy, current: u64, closed: &str) -> Evaluation {
    Evaluation::Refused(ProducerRefusal::EpochClosed { current: epoch(current), closed: closed_epoch(closed), by })
}

fn stale(current: u64) -> Evaluation {
    Evaluation::Refused(ProducerRefusal::EpochStale { current: epoch(current) })
}

fn conflict(current: u64) -> Evaluation {
    Evaluation::Refused(ProducerRefusal::KeyConflict { current: epoch(current) })
}

fn not_claimed() -> Evaluation {
    Evaluation::Refused(ProducerRefusal::EpochNotClaimed)
}

fn check(rows: Vec<Row>) {
    for (name, record, floor, text, tokened, expected) in rows {
        let judged = evaluate_producer(record.as_ref(), floor.map(epoch), 0, &key(text), tokened);
        assert_eq!(judged, expected, "{name}");
    }
}

#[test]
fn unknown_producers() {
    check(vec![
        ("1: tokened, at the floor", None, Some(5), "p/5/0", TOKENED, expired(5)),
        ("1: tokened, below the floor", None, Some(5), "p/4/0", TOKENED, expired(5)),
        ("1: tokened, floor 0", None, Some(0), "p/0/0", TOKENED, expired(0)),
        ("1: before the gap of row 3", None, Some(5), "p/5/7", TOKENED, expired(5)),
        ("2: tokened, above the floor", None, Some(5), "p/6/0", TOKENED, claims_above(None)),
        ("2: tokened, no floor", None, None, "p/0/0", TOKENED, claims_above(None)),
        ("2: untokened, at the floor", None, Some(5), "p/5/0", PLAIN, claims_below()),
        ("2: untokened, below the floor", None, Some(5), "p/0/0", PLAIN, claims_below()),
        ("2: untokened, above the floor", None, Some(5), "p/6/0", PLAIN, claims_above(None)),
        ("2: untokened, no floor", None, None, "p/9/0", PLAIN, claims_above(None)),
        ("2: the largest epoch", None, None, "p/9007199254740991/0", PLAIN, claims_above(None)),
        ("2: a digest does not matter", None, None, "p/0/0#a", PLAIN, claims_above(None)),
        ("3: no floor", None, None, "p/0/1", PLAIN, gap(0, 1)),
        ("3: tokened, no floor", None, None, "p/3/7", TOKENED, gap(0, 7)),
        ("3: untokened, below the floor", None, Some(5), "p/3/7", PLAIN, gap(0, 7)),
        ("3: tokened, above the floor", None, Some(5), "p/6/7", TOKENED, gap(0, 7)),
        ("3: the largest seq", None, None, "p/0/9007199254740991", PLAIN, gap(0, INTEGER_MAX)),
    ]);
}

#[test]
fn tokened_writes_of_a_producer_opened_below_the_floor() {
    let below = || Some(record("3/5").below());
    check(vec![
        ("1': the next one", below(), Some(5), "p/3/6", TOKENED, expired(5)),
        ("1': a repeat", below(), Some(5), "p/3/5", TOKENED, expired(5)),
        ("1': an older repeat", below(), Some(5), "p/3/2", TOKENED, expired(5)),
        ("1': an older epoch", below(), Some(5), "p/2/0", TOKENED, expired(5)),
        ("1': a key conflict", below(), Some(5), "p/3/5#a", TOKENED, expired(5)),
        ("1': a claim below the floor", below(), Some(5), "p/4/0", TOKENED, expired(5)),
        ("1': a claim at the floor", below(), Some(5), "p/5/0", TOKENED, expired(5)),
        ("1': above the floor, not at seq 0", below(), Some(5), "p/6/1", TOKENED, expired(5)),
        ("1': above the floor, epoch not above", below(), Some(2), "p/3/0", TOKENED, expired(2)),
        ("6: a claim above epoch and floor", below(), Some(5), "p/6/0", TOKENED, claims_above(None)),
        ("12: untokened, next", below(), Some(5), "p/3/6", PLAIN, Evaluation::Next),
        ("9: untokened, repeat", below(), Some(5), "p/3/5", PLAIN, Evaluation::Repeat),
        ("7: untokened, not at seq 0", below(), Some(5), "p/6/1", PLAIN, not_claimed()),
        ("12: no floor", below(), None, "p/3/6", TOKENED, Evaluation::Next),
        ("12: opened above", Some(record("3/5")), Some(5), "p/3/6", TOKENED, Evaluation::Next),
    ]);
}

#[test]
fn older_epochs() {
    let replaced = || Some(record("4/2").replacing("3/7"));
    let by_claim = || closed(ClosedBy::Claim, 4, "3/7");
    check(vec![
        ("4: the epoch replaced, at 0", replaced(), None, "p/3/0", PLAIN, by_claim()),
        ("4: its last write", replaced(), None, "p/3/7", PLAIN, by_claim()),
        ("4: beyond its last write", replaced(), None, "p/3/8", PLAIN, by_claim()),
        ("4: whatever the digest", replaced(), None, "p/3/7#a", TOKENED, by_claim()),
        ("4: whatever the floor", replaced(), Some(9), "p/3/7", TOKENED, by_claim()),
        ("5: older than the one replaced", replaced(), None, "p/2/0", PLAIN, stale(4)),
        ("5: between the two", Some(record("9/2").replacing("3/7")), None, "p/4/0", PLAIN, stale(9)),
        ("5: none replaced", Some(record("4/2")), None, "p/3/0", PLAIN, stale(4)),
        ("5: none replaced, tokened", Some(record("4/2")), Some(9), "p/0/3", TOKENED, stale(4)),
    ]);
}

#[test]
fn newer_epochs() {
    let above = || Some(record("3/5").replacing("2/9"));
    let below = || Some(record("3/5").below());
    check(vec![
        ("6: closes its own epoch", above(), None, "p/4/0", PLAIN, claims_above(Some("3/5"))),
        ("6: tokened", above(), None, "p/4/0", TOKENED, claims_above(Some("3/5"))),
        ("6: epochs may skip", above(), None, "p/900/0", PLAIN, claims_above(Some("3/5"))),
        ("6: was above, floor higher", above(), Some(9), "p/4/0", PLAIN, claims_above(Some("3/5"))),
        ("6: was above, floor higher, tokened", above(), Some(9), "p/4/0", TOKENED, claims_above(Some("3/5"))),
        ("6: was below, still below", below(), Some(5), "p/4/0", PLAIN, claims_below()),
        ("6: was below, at the floor", below(), Some(5), "p/5/0", PLAIN, claims_below()),
        ("6: was below, above the floor", below(), Some(5), "p/6/0", PLAIN, claims_above(None)),
        ("6: was below, no floor", below(), None, "p/4/0", PLAIN, claims_above(None)),
        ("6: of another history", above().map(|r| r.of_history(1)), None, "p/4/0", PLAIN, claims_above(Some("3/5"))),
        ("6: whatever the digest", above(), None, "p/4/0#a", PLAIN, claims_above(Some("3/5"))),
        ("7: not at 0", above(), None, "p/4/1", PLAIN, not_claimed()),
        ("7: not at 0, the next number", above(), None, "p/4/6", TOKENED, not_claimed()),
        ("7: not at 0, was below", below(), Some(5), "p/4/1", PLAIN, not_claimed()),
    ]);
}

#[test]
fn digests_of_the_same_epoch() {
    let hashed = || Some(record("3/5").hashed("a", "b"));
    let single = || Some(record("3/0").hashed("a", "a"));
    check(vec![
        ("8: claim, another digest", hashed(), None, "p/3/0#b", PLAIN, conflict(3)),
        ("8: claim, digest missing", hashed(), None, "p/3/0", PLAIN, conflict(3)),
        ("8: claim, digest where none was", Some(record("3/5")), None, "p/3/0#a", PLAIN, conflict(3)),
        ("10: claim, same digest", hashed(), None, "p/3/0#a", PLAIN, Evaluation::RepeatEvicted),
        ("8: newest, another digest", hashed(), None, "p/3/5#a", PLAIN, conflict(3)),
        ("8: newest, digest missing", hashed(), None, "p/3/5", PLAIN, conflict(3)),
        ("8: newest, digest where none was", Some(record("3/5")), None, "p/3/5#a", TOKENED, conflict(3)),
        ("9: newest, same digest", hashed(), None, "p/3/5#b", PLAIN, Evaluation::Repeat),
        ("10: between, any digest", hashed(), None, "p/3/4#x", PLAIN, Evaluation::RepeatEvicted),
        ("10: between, no digest", hashed(), None, "p/3/1", PLAIN, Evaluation::RepeatEvicted),
        ("9: only the claim, same digest", single(), None, "p/3/0#a", PLAIN, Evaluation::Repeat),
        ("8: only the claim, another digest", single(), None, "p/3/0#b", PLAIN, conflict(3)),
        ("8: only the claim, digest missing", single(), None, "p/3/0", PLAIN, conflict(3)),
        ("8: only the claim, where none was", Some(record("3/0")), None, "p/3/0#a", PLAIN, conflict(3)),
        ("12: next, any digest", hashed(), None, "p/3/6#x", PLAIN, Evaluation::Next),
        ("12: next, no digest", hashed(), None, "p/3/6", PLAIN, Evaluation::Next),
    ]);
}

#[test]
fn sequences_of_the_same_epoch() {
    let known = || Some(record("3/5").replacing("2/1"));
    let fenced = || Some(record("3/5").of_history(1).replacing("2/1"));
    let by_history = || closed(ClosedBy::History, 3, "3/5");
    check(vec![
        ("9: the newest", known(), None, "p/3/5", PLAIN, Evaluation::Repeat),
        ("9: tokened, floor higher", known(), Some(9), "p/3/5", TOKENED, Evaluation::Repeat),
        ("10: one older", known(), None, "p/3/4", PLAIN, Evaluation::RepeatEvicted),
        ("10: the claim", known(), None, "p/3/0", PLAIN, Evaluation::RepeatEvicted),
        ("9: the newest is the claim", Some(record("3/0")), None, "p/3/0", PLAIN, Evaluation::Repeat),
        ("11: other history, next", fenced(), None, "p/3/6", PLAIN, by_history()),
        ("11: other history, before the gap", fenced(), None, "p/3/9", PLAIN, by_history()),
        ("9: other history, repeat", fenced(), None, "p/3/5", PLAIN, Evaluation::Repeat),
        ("10: other history, older", fenced(), None, "p/3/0", PLAIN, Evaluation::RepeatEvicted),
        ("8: other history, conflict", fenced(), None, "p/3/5#a", PLAIN, conflict(3)),
        ("12: next", known(), None, "p/3/6", PLAIN, Evaluation::Next),
        ("12: next, tokened, floor higher", known(), Some(9), "p/3/6", TOKENED, Evaluation::Next),
        ("12: the second", Some(record("0/0")), None, "p/0/1", PLAIN, Evaluation::Next),
        ("13: one too far", known(), None, "p/3/7", PLAIN, gap(6, 7)),
        ("13: the largest", known(), None, "p/3/9007199254740991", TOKENED, gap(6, INTEGER_MAX)),
    ]);
}

#[test]
fn the_last_of_all_numbers() {
    check(vec![
        ("12: reached", Some(record("0/9007199254740990")), None, "p/0/9007199254740991", PLAIN, Evaluation::Next),
        ("9: repeated", Some(record("0/9007199254740991")), None, "p/0/9007199254740991", PLAIN, Evaluation::Repeat),
        (
            "6: a new epoch goes on",
            Some(record("0/9007199254740991")),
            None,
            "p/1/0",
            PLAIN,
            claims_above(Some("0/9007199254740991")),
        ),
    ]);
}
