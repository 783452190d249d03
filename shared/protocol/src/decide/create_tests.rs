//! Creating a stream where none is, and where one is.

#![allow(clippy::unwrap_used, reason = "the rows are well formed")]

use bytes::Bytes;

use super::{Decision, decide_create_missing, decide_create_over, fixtures::*};
use crate::{CreateRequest, Genesis, Lifetime, Operation, Payload, Refusal, StreamState, TypeMatch, Write};

fn created(request: &CreateRequest) -> (Genesis, Option<Operation>) {
    decide_create_missing(request, token(), at(7)).unwrap()
}

/// The stream after all that its create committed.
fn state_of(request: &CreateRequest) -> StreamState {
    let (genesis, first) = created(request);
    let mut state = StreamState::born(&genesis);
    if let Some(operation) = first {
        state.apply(&operation, genesis.at).unwrap();
    }
    state
}

/// A create with every setting set.
fn full() -> CreateRequest {
    create().of_type("application/json").living(ttl(60)).shut().at_seq("b").holding("[1]\n")
}

fn first_append(end: u64, closes: bool, seq: Option<&str>) -> Operation {
    Operation::Append(Write {
        start: offset(0),
        end: offset(end),
        messages: 1,
        closes,
        stream_seq: seq.map(stream_seq),
        producer: None,
    })
}

#[test]
fn where_none_is_the_genesis_holds_every_setting() {
    let plain = Genesis { at: at(7), ..genesis() };
    let until = Lifetime::Until(at(99));
    let rows = [
        ("plain", create(), plain.clone()),
        ("type", create().of_type("image/png"), Genesis { content_type: content_type("image/png"), ..plain.clone() }),
        ("time-to-live", create().living(ttl(60)), Genesis { lifetime: ttl(60), ..plain.clone() }),
        ("date", create().living(until), Genesis { lifetime: until, ..plain.clone() }),
        ("closed", create().shut(), Genesis { closed: true, ..plain.clone() }),
        ("seq", create().at_seq("b"), Genesis { stream_seq: Some(stream_seq("b")), ..plain.clone() }),
        ("bytes", create().holding("abc"), Genesis { has_initial_bytes: true, ..plain.clone() }),
        ("only if missing", create().if_missing(), plain),
    ];
    for (name, request, genesis) in rows {
        assert_eq!(created(&request).0, genesis, "{name}");
    }
}

#[test]
fn initial_bytes_are_the_first_append() {
    let rows = [
        ("none", create(), None),
        ("none, closed", create().shut(), None),
        ("bytes", create().holding("abc"), Some(first_append(3, false, None))),
        ("bytes, closed", create().holding("abc").shut(), Some(first_append(3, true, None))),
        ("bytes, seq", create().holding("abc").at_seq("b"), Some(first_append(3, false, Some("b")))),
    ];
    for (name, request, first) in rows {
        assert_eq!(created(&request).1, first, "{name}");
    }
}

#[test]
fn an_empty_array_is_an_empty_stream() {
    let payload = Payload::of_typed(content_type("application/json"), Bytes::from_static(b" [ ] ")).unwrap();
    let Payload::Bytes { text, messages, .. } = payload else { panic!("bytes were sent") };
    let request = CreateRequest { text, messages, ..create().of_type("application/json") };
    assert_eq!(
        created(&request),
        (Genesis { content_type: request.content_type.clone(), at: at(7), ..genesis() }, None)
    );
}

#[test]
fn a_stream_starts_as_it_was_asked_for() {
    let state = state_of(&full());
    assert_eq!((state.tail, state.retained, state.closed), (offset(4), offset(0), true));
    assert_eq!((state.lifetime, state.expires_at()), (ttl(60), Some(at(60_007))));
    assert_eq!((state.incarnation, state.stream_seq), (token(), Some(stream_seq("b"))));
    assert_eq!((state.producers.len(), state.producers.floor(), state.deleted), (0, None, None));

    let empty = state_of(&create());
    assert_eq!(answered(&empty, &append("a").by("p/0/0"), 7), "append: applied 0/0 0..1");
    assert_eq!(answered(&state_of(&create().at_seq("b")), &append("a").with_seq("b"), 7), "STREAM_SEQ_CONFLICT");
    assert_eq!(answered(&state_of(&create().shut()), &append("a"), 7), "STREAM_CLOSED");
    assert_eq!(answered(&state_of(&create().living(ttl(0))), &append("a"), 7), "delete: STREAM_NOT_FOUND");
}

#[test]
fn a_create_that_names_an_incarnation_needs_a_stream() {
    let refused = Err(Refusal::IncarnationMismatch { current: None });
    for request in [create(), full(), create().if_missing()] {
        assert_eq!(decide_create_missing(&request.naming(token()), token(), at(7)), refused);
    }
}

const EXISTS: Decision<()> = Decision::Answer(Ok(()));
const DIFFERS: Decision<()> = Decision::Answer(Err(Refusal::StreamAlreadyExists));
const MISTAKEN: Decision<()> = Decision::Answer(Err(Refusal::IncarnationMismatch { current: Some(token()) }));
const THERE: Decision<()> = Decision::Answer(Err(Refusal::ExistsAlready));

#[test]
fn where_one_is_four_settings_must_be_equal() {
    let state = || stream().living(ttl(60)).holding(5);
    let same = || create().living(ttl(60));
    let until = |millis| Lifetime::Until(at(millis));
    let rows = [
        ("the same", state(), same(), EXISTS),
        ("another type", state(), same().of_type("text/html"), DIFFERS),
        ("another parameter", state(), same().of_type("text/plain; charset=utf-8"), DIFFERS),
        ("another spelling of the type", state(), same().of_type("Text/Plain;"), EXISTS),
        ("closed, is open", state(), same().shut(), DIFFERS),
        ("open, is closed", state().shut(), same(), DIFFERS),
        ("closed, is closed", state().shut(), same().shut(), EXISTS),
        ("another time-to-live", state(), create().living(ttl(61)), DIFFERS),
        ("no time-to-live", state(), create(), DIFFERS),
        ("a time-to-live, has none", stream(), same(), DIFFERS),
        ("a date, has a time-to-live", state(), create().living(until(60_000)), DIFFERS),
        ("the same date", stream().living(until(9)), create().living(until(9)), EXISTS),
        ("another date", stream().living(until(9)), create().living(until(10)), DIFFERS),
    ];
    for (name, state, request, expected) in rows {
        assert_eq!(decide_create_over(&state, &request, moment(8)), expected, "{name}");
    }
}

#[test]
fn where_one_is_nothing_else_matters() {
    let state = stream().holding(5).at_seq("m").knowing("p", record("3/1"));
    let rows = [
        ("a body", create().holding("abc")),
        ("a lower seq", create().at_seq("a")),
        ("a higher seq", create().at_seq("z")),
        ("its incarnation", create().naming(token())),
    ];
    for (name, request) in rows {
        assert_eq!(decide_create_over(&state, &request, moment(0)), EXISTS, "{name}");
    }
}

#[test]
fn where_one_is_the_dialect_says_how_types_are_compared() {
    let rows = [
        ("text/plain", "text/plain; charset=utf-8", DIFFERS, EXISTS),
        ("text/plain; charset=utf-8", "text/plain", DIFFERS, EXISTS),
        ("text/plain", "text/html", DIFFERS, DIFFERS),
    ];
    for (stored, sent, exactly, by_media_type) in rows {
        let state = stream().of_type(stored);
        let exact = create().of_type(sent);
        let loose = CreateRequest { type_match: TypeMatch::MediaType, ..exact.clone() };
        assert_eq!(decide_create_over(&state, &exact, moment(0)), exactly, "{stored}, {sent}");
        assert_eq!(decide_create_over(&state, &loose, moment(0)), by_media_type, "{stored}, {sent}");
    }
}

#[test]
fn where_one_is_conditions_are_judged_first() {
    let rows = [
        ("another incarnation", create().naming(other_token()), MISTAKEN),
        ("another incarnation, other settings", create().naming(other_token()).shut(), MISTAKEN),
        ("another incarnation, only if missing", create().naming(other_token()).if_missing(), MISTAKEN),
        ("its incarnation, other settings", create().naming(token()).shut(), DIFFERS),
        ("only if missing", create().if_missing(), THERE),
        ("only if missing, other settings", create().if_missing().shut(), THERE),
        ("only if missing, its incarnation", create().if_missing().naming(token()), THERE),
    ];
    for (name, request, expected) in rows {
        assert_eq!(decide_create_over(&stream(), &request, moment(0)), expected, "{name}");
    }
}

#[test]
fn a_create_whose_answer_was_lost_can_be_sent_again() {
    for request in [create(), full(), create().holding("abc"), create().living(ttl(60)), create().shut()] {
        assert_eq!(decide_create_over(&state_of(&request), &request, moment(8)), EXISTS, "{request:?}");
    }
}
