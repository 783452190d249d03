//! Retention: the rows of the contract.

#![allow(clippy::unwrap_used, clippy::unnecessary_wraps, reason = "so that the rows of a table are short")]

use super::{Decision, NeedsByte, decide_retention, fixtures::*};
use crate::{DeleteReason, Operation, Refusal, Retained, RetentionRequest, SnapshotRefusal, StreamState};

type Judged = Result<Decision<Retained>, NeedsByte>;

fn keep(at: u64) -> RetentionRequest {
    RetentionRequest { incarnation: None, offset: offset(at) }
}

fn kept(at: u64) -> Retained {
    Retained { incarnation: token(), retained: offset(at) }
}

fn moves(at: u64) -> Judged {
    Ok(Decision::Commit { operation: Operation::Retention { retained: offset(at) }, answer: Ok(kept(at)) })
}

fn stays(at: u64) -> Judged {
    Ok(Decision::Answer(Ok(kept(at))))
}

fn refused(refusal: impl Into<Refusal>) -> Judged {
    Ok(Decision::refuse(refusal.into()))
}

fn beyond(tail: u64) -> Judged {
    refused(SnapshotRefusal::BeyondTail { tail: offset(tail) })
}

#[test]
fn rows_of_retention() {
    let plain = || stream().holding(10).retaining(2);
    let snapped = || plain().keeping(5, "a");
    let rows = [
        ("below what is let go", snapped(), 1, stays(2)),
        ("where it is", snapped(), 2, stays(2)),
        ("where it is, without a snapshot", plain(), 2, stays(2)),
        ("on", snapped(), 3, moves(3)),
        ("up to the snapshot", snapped(), 5, moves(5)),
        ("beyond the snapshot", snapped(), 6, beyond(10)),
        ("beyond the tail", snapped(), 11, beyond(10)),
        ("on, without a snapshot", plain(), 3, beyond(10)),
        ("at 0 of a new stream", stream(), 0, stays(0)),
        ("up to the tail", plain().keeping(10, "a"), 10, moves(10)),
        ("of a closed stream", snapped().shut(), 3, moves(3)),
    ];
    for (name, state, at, expected) in rows {
        assert_eq!(decide_retention(&state, &keep(at), None, moment(0)), expected, "{name}");
        let tokened = RetentionRequest { incarnation: Some(token()), ..keep(at) };
        assert_eq!(decide_retention(&state, &tokened, None, moment(0)), expected, "{name}, tokened");
        let mistaken = RetentionRequest { incarnation: Some(other_token()), ..keep(at) };
        let other = refused(Refusal::IncarnationMismatch { current: Some(token()) });
        assert_eq!(decide_retention(&state, &mistaken, None, moment(0)), other, "{name}, mistaken");
    }
}

#[test]
fn a_json_stream_is_let_go_of_between_messages() {
    let json = || stream().of_type("application/json").holding(10).retaining(2).keeping(8, "a");
    let inside = || refused(SnapshotRefusal::InsideMessage { tail: offset(10) });
    let rows = [
        ("not looked at", 5, None, Err(NeedsByte(offset(4)))),
        ("between", 5, Some(b'\n'), moves(5)),
        ("inside", 5, Some(b'1'), inside()),
        ("let go already", 1, None, stays(2)),
        ("beyond the snapshot", 9, None, beyond(10)),
    ];
    for (name, at, byte, expected) in rows {
        assert_eq!(decide_retention(&json(), &keep(at), byte, moment(0)), expected, "{name}");
    }
}

#[test]
fn it_changes_nothing_but_what_is_kept_and_ends_nothing() {
    let before = stream().living(ttl(60)).holding(10).keeping(5, "a");
    let Ok(Decision::Commit { operation, .. }) = decide_retention(&before, &keep(5), None, moment(0)) else {
        panic!("it moves")
    };
    let mut after = before.clone();
    after.apply(&operation, at(9)).unwrap();
    assert_eq!(after, StreamState { last_at: at(9), ..before.retaining(5) });
    let ended = StreamState { deleted: Some(DeleteReason::Requested), ..after };
    assert_eq!(decide_retention(&ended, &keep(5), None, moment(0)), refused(Refusal::StreamNotFound));
}
