//! Deleting a stream.

#![allow(clippy::unwrap_used, reason = "a delete can follow what is there")]

use super::{Decision, decide_delete, fixtures::*};
use crate::{DeleteReason, DeleteRequest, EndTag, Incarnation, Operation, Refusal, StreamState};

fn delete(incarnation: Option<Incarnation>, line: Option<&str>) -> DeleteRequest {
    DeleteRequest { incarnation, if_match: line.map(if_match) }
}

fn deletes() -> Decision<()> {
    Decision::Commit { operation: Operation::Delete { reason: DeleteReason::Requested }, answer: Ok(()) }
}

fn mistaken() -> Decision<()> {
    Decision::refuse(Refusal::IncarnationMismatch { current: Some(token()) })
}

fn changed(closed: bool) -> Decision<()> {
    Decision::refuse(Refusal::IfMatchFailed { current: EndTag { incarnation: token(), end: offset(5), closed } })
}

fn open() -> StreamState {
    stream().holding(5).knowing("p", record("0/0"))
}

#[test]
fn conditions_of_a_delete() {
    let rows = [
        ("none", open(), delete(None, None), deletes()),
        ("closed", open().shut(), delete(None, None), deletes()),
        ("its incarnation", open(), delete(Some(token()), None), deletes()),
        ("another incarnation", open(), delete(Some(other_token()), None), mistaken()),
        ("the tag of the tail", open(), delete(None, Some("\"E:5\"")), deletes()),
        ("any tag", open(), delete(None, Some("*")), deletes()),
        ("an older tag", open(), delete(None, Some("\"E:4\"")), changed(false)),
        ("a weak tag", open(), delete(None, Some("W/\"E:5\"")), changed(false)),
        ("the open tag, closed", open().shut(), delete(None, Some("\"E:5\"")), changed(true)),
        ("the closed tag, closed", open().shut(), delete(None, Some("\"E:5:c\"")), deletes()),
        ("both fail", open(), delete(Some(other_token()), Some("\"E:4\"")), mistaken()),
        ("its incarnation, an older tag", open(), delete(Some(token()), Some("\"E:4\"")), changed(false)),
    ];
    for (name, state, request, expected) in rows {
        assert_eq!(decide_delete(&state, &request, moment(0)), expected, "{name}");
    }
}

#[test]
fn nothing_is_there_after_a_delete() {
    let mut state = open();
    let Decision::Commit { operation, .. } = deletes() else { panic!("a delete commits") };
    state.apply(&operation, at(1)).unwrap();
    assert_eq!(decide_delete(&state, &delete(None, None), moment(1)), Decision::refuse(Refusal::StreamNotFound));
    assert_eq!(answered(&state, &append("a"), 1), "STREAM_NOT_FOUND");
    assert_eq!(answered(&state, &append("a").by("p/0/0"), 1), "STREAM_NOT_FOUND");
}
