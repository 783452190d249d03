//! What parts are told before they are copied: the rows of the contract in their order.

#![allow(clippy::unnecessary_wraps, reason = "so that the rows of a table are short")]

use super::{decide_commit, decide_parts, fixtures::*};
use crate::{CommitRequest, PartsRequest, Published, Refusal, SnapshotRefusal, StreamState};

type Told = Result<Option<Published>, Refusal>;

fn commit(at: u64, body: &str) -> CommitRequest {
    let publish = publish(at, body);
    CommitRequest { incarnation: None, name: publish.name, content_type: publish.content_type, parts: 1 }
}

fn repeats(at: u64, body: &str) -> Told {
    Ok(Some(Published { incarnation: token(), snapshot: publish(at, body).name }))
}

fn conflict(at: u64, body: &str) -> Told {
    Err(SnapshotRefusal::Conflict { latest: publish(at, body).name, tail: None }.into())
}

#[test]
fn rows_of_the_key_check() {
    let plain = || stream().holding(10).retaining(2);
    let kept = || plain().keeping(5, "a");
    let gone: Told = Err(SnapshotRefusal::BelowRetained { retained: offset(2) }.into());
    let beyond: Told = Err(SnapshotRefusal::BeyondTail { tail: offset(10) }.into());
    let rows: [(&str, StreamState, CommitRequest, Told); 12] = [
        ("inside", plain(), commit(7, "a"), Ok(None)),
        ("at the start of what is kept", plain(), commit(2, "a"), Ok(None)),
        ("at the tail", plain(), commit(10, "a"), Ok(None)),
        ("below what is kept", plain(), commit(1, "a"), gone),
        ("beyond the tail", plain(), commit(11, "a"), beyond.clone()),
        ("later than the latest", kept(), commit(6, "a"), Ok(None)),
        ("the latest again", kept(), commit(5, "a"), repeats(5, "a")),
        ("another at the latest", kept(), commit(5, "b"), conflict(5, "a")),
        ("earlier than the latest", kept(), commit(4, "a"), conflict(5, "a")),
        // A publish with its body would be told that this is gone.
        ("below what is kept, and earlier", kept(), commit(1, "a"), conflict(5, "a")),
        ("later, beyond the tail", kept(), commit(11, "a"), beyond),
        ("of a closed stream", plain().shut(), commit(10, "a"), Ok(None)),
    ];
    for (name, state, request, expected) in rows {
        assert_eq!(decide_commit(&state, &request), expected, "{name}");
        let tokened = CommitRequest { incarnation: Some(token()), ..request.clone() };
        assert_eq!(decide_commit(&state, &tokened), expected, "{name}, tokened");
        let mistaken = CommitRequest { incarnation: Some(other_token()), ..request };
        let other = Err(Refusal::IncarnationMismatch { current: Some(token()) });
        assert_eq!(decide_commit(&state, &mistaken), other, "{name}, mistaken");
    }
}

#[test]
fn parts_belong_to_an_incarnation() {
    let told = |incarnation| decide_parts(&stream(), PartsRequest { incarnation });
    assert_eq!(told(None), Ok(token()));
    assert_eq!(told(Some(token())), Ok(token()));
    assert_eq!(told(Some(other_token())), Err(Refusal::IncarnationMismatch { current: Some(token()) }));
}
