//! Reading: which bytes a request may have, and in which order it is refused.

use super::{ReadPlan, decide_head, decide_read, fixtures::*};
use crate::{End, Incarnation, ReadForm, ReadFrom, ReadRequest, Refusal, StreamState};

fn read(from: ReadFrom, bytes_max: u64, incarnation: Option<Incarnation>) -> ReadRequest {
    ReadRequest { from, bytes_max, form: ReadForm::Stored, incarnation, if_none_match: None }
}

fn from(bytes: u64) -> ReadFrom {
    ReadFrom::At(offset(bytes))
}

fn plan(start: u64, limit: u64) -> ReadPlan {
    ReadPlan { start: offset(start), limit: offset(limit) }
}

fn gone(retained: u64) -> Result<ReadPlan, Refusal> {
    Err(Refusal::Gone { retained: offset(retained), incarnation: token() })
}

fn beyond(tail: u64) -> Result<ReadPlan, Refusal> {
    Err(Refusal::OffsetOutOfRange { tail: offset(tail), incarnation: token() })
}

const MISTAKEN: Refusal = Refusal::IncarnationMismatch { current: Some(token()) };

#[test]
fn bounds_of_a_read() {
    let whole = || stream().holding(10);
    let cut = || stream().holding(10).retaining(4);
    let rows = [
        ("from the start", whole(), ReadFrom::Start, 100, Ok(plan(0, 10))),
        ("from 0", whole(), from(0), 100, Ok(plan(0, 10))),
        ("from inside", whole(), from(3), 100, Ok(plan(3, 10))),
        ("the last byte", whole(), from(9), 100, Ok(plan(9, 10))),
        ("at the tail", whole(), from(10), 100, Ok(plan(10, 10))),
        ("now", whole(), ReadFrom::Now, 100, Ok(plan(10, 10))),
        ("beyond the tail", whole(), from(11), 100, beyond(10)),
        ("at the end of all offsets", whole(), from(u64::MAX), 100, beyond(10)),
        ("cut at the size limit", whole(), from(3), 4, Ok(plan(3, 7))),
        ("the size limit ends at the tail", whole(), from(3), 7, Ok(plan(3, 10))),
        ("nothing wanted", whole(), from(3), 0, Ok(plan(3, 3))),
        ("more wanted than can be counted", whole(), from(3), u64::MAX, Ok(plan(3, 10))),
        ("retained, from the start", cut(), ReadFrom::Start, 100, gone(4)),
        ("retained, one before", cut(), from(3), 100, gone(4)),
        ("retained, the first kept", cut(), from(4), 100, Ok(plan(4, 10))),
        ("retained, now", cut(), ReadFrom::Now, 100, Ok(plan(10, 10))),
        ("retained, beyond the tail", cut(), from(11), 100, beyond(10)),
        ("all retired, at the tail", stream().holding(10).retaining(10), from(10), 100, Ok(plan(10, 10))),
        ("all retired, below", stream().holding(10).retaining(10), from(9), 100, gone(10)),
        ("empty", stream(), ReadFrom::Start, 100, Ok(plan(0, 0))),
        ("empty, now", stream(), ReadFrom::Now, 100, Ok(plan(0, 0))),
        ("empty, beyond", stream(), from(1), 100, beyond(0)),
        ("closed", stream().holding(10).shut(), from(3), 100, Ok(plan(3, 10))),
    ];
    for (name, state, from, bytes_max, expected) in rows {
        assert_eq!(decide_read(&state, &read(from, bytes_max, None)), expected, "{name}");
        assert_eq!(decide_read(&state, &read(from, bytes_max, Some(token()))), expected, "{name}, tokened");
    }
}

#[test]
fn the_incarnation_is_judged_after_the_offset() {
    let state = || stream().holding(10).retaining(4);
    let rows = [
        ("before what is kept", from(3), gone(4)),
        ("beyond the tail", from(11), beyond(10)),
        ("readable", from(4), Err(MISTAKEN)),
        ("now", ReadFrom::Now, Err(MISTAKEN)),
    ];
    for (name, from, expected) in rows {
        assert_eq!(decide_read(&state(), &read(from, 100, Some(other_token()))), expected, "{name}");
    }
}

#[test]
fn metadata_is_told_of_the_incarnation_asked_for() {
    assert_eq!(decide_head(&stream(), None), Ok(()));
    assert_eq!(decide_head(&stream(), Some(token())), Ok(()));
    assert_eq!(decide_head(&stream(), Some(other_token())), Err(MISTAKEN));
}

#[test]
fn where_an_answer_ends() {
    let rows: [(&str, StreamState, u64, End); 4] = [
        ("below the tail", stream().holding(10), 9, End::BelowTail),
        ("at the tail", stream().holding(10), 10, End::OpenTail),
        ("below a closed tail", stream().holding(10).shut(), 9, End::BelowTail),
        ("at a closed tail", stream().holding(10).shut(), 10, End::ClosedTail),
    ];
    for (name, state, next, end) in rows {
        assert_eq!(ReadPlan::end_at(&state, offset(next)), end, "{name}");
    }
}
