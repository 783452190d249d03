//! Publishing a snapshot, and reading it: the rows of the contract, each on its own and in their order.

#![allow(clippy::unwrap_used, clippy::unnecessary_wraps, reason = "so that the rows of a table are short")]

use super::{Decision, NeedsByte, SnapshotPlan, decide_publish, decide_snapshot, fixtures::*};
use crate::{
    ByteRange, DeleteReason, IfNoneMatch, Incarnation, Operation, PublishRequest, Published, Refusal, SnapshotRefusal,
    SnapshotRequest, StreamState, state::SnapshotName,
};

fn name(at: u64, body: &str) -> SnapshotName {
    publish(at, body).name
}

type Judged = Result<Decision<Published>, NeedsByte>;

fn judged(state: &StreamState, request: &PublishRequest, byte: Option<u8>) -> Judged {
    decide_publish(state, request, "object", byte, moment(0))
}

fn commits(at: u64, body: &str) -> Judged {
    let snapshot = stream().keeping(at, body).snapshot.unwrap();
    let answer = Ok(Published { incarnation: token(), snapshot: snapshot.name() });
    Ok(Decision::Commit { operation: Operation::Snapshot(snapshot), answer })
}

fn repeats(at: u64, body: &str) -> Judged {
    Ok(Decision::Answer(Ok(Published { incarnation: token(), snapshot: name(at, body) })))
}

fn refused(refusal: impl Into<Refusal>) -> Judged {
    Ok(Decision::refuse(refusal.into()))
}

fn gone(retained: u64) -> Judged {
    refused(SnapshotRefusal::BelowRetained { retained: offset(retained) })
}

fn beyond(tail: u64) -> Judged {
    refused(SnapshotRefusal::BeyondTail { tail: offset(tail) })
}

fn conflict(at: u64, body: &str, tail: u64) -> Judged {
    refused(SnapshotRefusal::Conflict { latest: name(at, body), tail: Some(offset(tail)) })
}

#[test]
fn rows_of_a_publish() {
    let plain = || stream().holding(10).retaining(2);
    let kept = || plain().keeping(5, "a");
    let rows = [
        ("below what is kept", plain(), publish(1, "a"), gone(2)),
        ("at the start of what is kept", plain(), publish(2, "a"), commits(2, "a")),
        ("inside", plain(), publish(7, "a"), commits(7, "a")),
        ("at the tail", plain(), publish(10, "a"), commits(10, "a")),
        ("beyond the tail", plain(), publish(11, "a"), beyond(10)),
        ("at the end of all offsets", plain(), publish(u64::MAX, "a"), beyond(10)),
        ("an empty body", plain(), publish(7, ""), commits(7, "")),
        ("of an empty stream", stream(), publish(0, "a"), commits(0, "a")),
        ("of a closed stream", plain().shut(), publish(10, "a"), commits(10, "a")),
        ("later than the latest", kept(), publish(6, "b"), commits(6, "b")),
        ("later, with the same body", kept(), publish(6, "a"), commits(6, "a")),
        ("earlier than the latest", kept(), publish(4, "b"), conflict(5, "a", 10)),
        ("earlier, with the same body", kept(), publish(4, "a"), conflict(5, "a", 10)),
        ("the latest again", kept(), publish(5, "a"), repeats(5, "a")),
        ("another at the latest", kept(), publish(5, "b"), conflict(5, "a", 10)),
        ("below what is kept, and earlier", kept(), publish(1, "a"), gone(2)),
    ];
    for (name, state, request, expected) in rows {
        assert_eq!(judged(&state, &request, None), expected, "{name}");
        let tokened = PublishRequest { incarnation: Some(token()), ..request.clone() };
        assert_eq!(judged(&state, &tokened, None), expected, "{name}, tokened");
        let mistaken = PublishRequest { incarnation: Some(other_token()), ..request };
        let other = refused(Refusal::IncarnationMismatch { current: Some(token()) });
        assert_eq!(judged(&state, &mistaken, None), other, "{name}, mistaken");
    }
}

#[test]
fn the_type_is_part_of_a_snapshot() {
    let state = stream().holding(10).keeping(5, "a");
    let request = PublishRequest::of(None, offset(5), content_type("text/html"), b"a");
    assert_eq!(judged(&state, &request, None), conflict(5, "a", 10));
}

#[test]
fn a_snapshot_of_a_json_stream_lies_between_messages() {
    let json = || stream().of_type("application/json; charset=utf-8").holding(10).retaining(2);
    let inside = || refused(SnapshotRefusal::InsideMessage { tail: offset(10) });
    let rows = [
        ("not looked at", json(), 7, None, Err(NeedsByte(offset(6)))),
        ("between", json(), 7, Some(b'\n'), commits(7, "a")),
        ("inside", json(), 7, Some(b','), inside()),
        ("at the start of what is kept", json(), 2, None, commits(2, "a")),
        ("at the tail", json(), 10, None, commits(10, "a")),
        ("at 0", stream().of_type("application/json").holding(10), 0, None, commits(0, "a")),
        ("of bytes", stream().of_type("application/octet-stream").holding(10), 7, Some(b','), commits(7, "a")),
        ("of lines", stream().of_type("application/x-ndjson").holding(10), 7, None, commits(7, "a")),
        // What the latest snapshot says comes first.
        ("earlier", json().keeping(8, "b"), 7, None, conflict(8, "b", 10)),
        ("the latest again", json().keeping(7, "a"), 7, None, repeats(7, "a")),
    ];
    for (name, state, at, byte, expected) in rows {
        assert_eq!(judged(&state, &publish(at, "a"), byte), expected, "{name}");
    }
}

#[test]
fn nothing_is_published_to_a_stream_that_ended() {
    let ended = StreamState { deleted: Some(DeleteReason::Requested), ..stream().keeping(0, "a") };
    assert_eq!(judged(&ended, &publish(0, "a"), None), refused(Refusal::StreamNotFound));
    let expired = stream().living(ttl(1));
    let operation = Operation::Delete { reason: DeleteReason::Expired };
    let ends = Ok(Decision::Commit { operation, answer: Err(Refusal::StreamNotFound) });
    assert_eq!(decide_publish(&expired, &publish(0, "a"), "object", None, moment(SECOND_MS)), ends);
}

#[test]
fn a_publish_changes_nothing_but_the_snapshot() {
    let before = stream().living(ttl(60)).holding(10).retaining(2).keeping(5, "a");
    let Ok(Decision::Commit { operation, .. }) = judged(&before, &publish(7, "b"), None) else {
        panic!("a later snapshot is taken")
    };
    let mut after = before.clone();
    after.apply(&operation, at(9)).unwrap();
    assert_eq!(after, StreamState { last_at: at(9), ..before.keeping(7, "b") });
}

fn request(at: u64) -> SnapshotRequest {
    SnapshotRequest { offset: offset(at), incarnation: None, range: None, if_none_match: None }
}

fn tokened(request: &SnapshotRequest, incarnation: Incarnation) -> SnapshotRequest {
    SnapshotRequest { incarnation: Some(incarnation), ..request.clone() }
}

fn plan(part: Option<std::ops::Range<u64>>, not_modified: bool) -> Result<SnapshotPlan, Refusal> {
    let snapshot = stream().keeping(5, "hello").snapshot.unwrap();
    Ok(SnapshotPlan { snapshot, part, not_modified, at_tail: false })
}

#[test]
fn what_a_read_of_a_snapshot_gets() {
    let state = || stream().holding(10).keeping(5, "hello");
    let tag = name(5, "hello").digest.to_string();
    let known = |text: &str| IfNoneMatch::parse(&[&text.replace("TAG", &tag)]);
    let ranged = |range: &str| SnapshotRequest { range: ByteRange::parse(range), ..request(5) };
    let (not_found, mismatch) = (
        Refusal::from(SnapshotRefusal::NotFound { incarnation: token() }),
        Refusal::IncarnationMismatch { current: Some(token()) },
    );
    let no_range = || {
        let (snapshot, incarnation) = (name(5, "hello"), token());
        Err(SnapshotRefusal::RangeNotSatisfiable { snapshot, bytes: 5, incarnation }.into())
    };
    let having = |request: SnapshotRequest, text: &str| SnapshotRequest { if_none_match: Some(known(text)), ..request };
    let rows = [
        ("the latest", request(5), plan(None, false)),
        ("another", request(4), Err(not_found.clone())),
        ("another of another life", tokened(&request(4), other_token()), Err(not_found.clone())),
        ("of this life", tokened(&request(5), token()), plan(None, false)),
        ("of another life", tokened(&request(5), other_token()), Err(mismatch.clone())),
        ("a range", ranged("bytes=1-2"), plan(Some(1..3), false)),
        ("a range that is all", ranged("bytes=0-"), plan(Some(0..5), false)),
        ("a range of another life", tokened(&ranged("bytes=1-2"), other_token()), Err(mismatch.clone())),
        ("no such range", ranged("bytes=5-"), no_range()),
        ("no such range of another life", tokened(&ranged("bytes=5-"), other_token()), no_range()),
        ("known", having(request(5), "\"TAG\""), plan(None, true)),
        ("known, weakly", having(request(5), "\"x\", W/\"TAG\""), plan(None, true)),
        ("any", having(request(5), "*"), plan(None, true)),
        ("not known", having(request(5), "\"x\""), plan(None, false)),
        ("known, a range", having(ranged("bytes=1-2"), "\"TAG\""), plan(None, true)),
        ("known, no such range", having(ranged("bytes=5-"), "\"TAG\""), plan(None, true)),
        ("not known, a range", having(ranged("bytes=1-2"), "\"x\""), plan(Some(1..3), false)),
        ("known, of another life", tokened(&having(request(5), "\"TAG\""), other_token()), Err(mismatch)),
        ("known, another", having(request(4), "*"), Err(not_found)),
    ];
    for (name, request, expected) in rows {
        assert_eq!(decide_snapshot(&state(), &request), expected, "{name}");
    }
}

#[test]
fn a_stream_without_a_snapshot_has_none_anywhere() {
    for at in [0, 10, u64::MAX] {
        let expected = Err(SnapshotRefusal::NotFound { incarnation: token() }.into());
        assert_eq!(decide_snapshot(&stream().holding(10), &request(at)), expected);
    }
}

#[test]
fn the_last_bytes_of_an_empty_snapshot_are_all_of_it() {
    let state = stream().keeping(0, "");
    let ranged = |range: &str| SnapshotRequest { range: ByteRange::parse(range), ..request(0) };
    let whole = decide_snapshot(&state, &ranged("bytes=-3")).unwrap();
    assert_eq!((whole.part, whole.at_tail), (None, true));
    assert!(decide_snapshot(&state, &ranged("bytes=0-")).is_err());
}
