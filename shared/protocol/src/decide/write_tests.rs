//! Appends and closes: what a write that applies records and answers, and what refuses one.

#![allow(clippy::unwrap_used, reason = "the tables are well formed")]

use super::{Decision, decide_write, fixtures::*};
use crate::{
    Claim, ContentFault, InvalidJson, JsonFault, Operation, ProducerUpdate, Refusal, StreamState, Write, WriteRequest,
    state::Opened,
};

/// Five bytes, the last two of them by `p/0/1`.
fn written() -> StreamState {
    stream().after(&append("abc").by("p/0/0")).after(&append("de").by("p/0/1"))
}

fn committed(state: &StreamState, request: &WriteRequest) -> Operation {
    match decide_write(state, request, moment(0)) {
        Decision::Commit { operation, answer: Ok(_) } => operation,
        other => panic!("not applied: {other:?}"),
    }
}

#[test]
fn every_kind_of_success() {
    let rows = [
        ("unkeyed append", append("fg"), "append: appended ..7"),
        ("unkeyed append and close", append_and_close("fg"), "append: appended ..7 closed"),
        ("unkeyed close", close(), "close: closed at 5"),
        ("first write of a producer", append("fg").by("q/0/0"), "append: applied 0/0 5..7"),
        ("first write, any epoch", append("fg").by("q/7/0"), "append: applied 7/0 5..7"),
        ("the largest epoch", append("f").by("q/9007199254740991/0"), "append: applied 9007199254740991/0 5..6"),
        ("next write of a producer", append("fg").by("p/0/2"), "append: applied 0/2 5..7"),
        ("keyed append and close", append_and_close("fg").by("p/0/2"), "append: applied 0/2 5..7 closed"),
        ("keyed close", close().by("p/0/2"), "close: closed by 0/2 5..5 closed"),
        ("a close may claim", close().by("p/1/0"), "close: closed by 1/0 after 0/1 5..5 closed"),
        ("a claim tells what it closed", append("fg").by("p/1/0"), "append: applied 1/0 after 0/1 5..7"),
        ("repeat of the newest", append("de").by("p/0/1"), "repeat 0/1 3..5"),
        ("repeat of an older one", append("abc").by("p/0/0"), "evicted 0/1"),
        ("repeat as another kind of request", close().by("p/0/1"), "repeat 0/1 3..5"),
        ("repeat as an empty append", bare().by("p/0/1"), "repeat 0/1 3..5"),
        ("older repeat as a close", close().by("p/0/0"), "evicted 0/1"),
        ("tokened", append("fg").by("p/0/2").tokened(), "append: applied 0/2 5..7"),
        ("unkeyed, tokened", append("fg").tokened(), "append: appended ..7"),
    ];
    for (name, request, expected) in rows {
        assert_eq!(answered(&written(), &request, 0), expected, "{name}");
    }
}

#[test]
fn the_closed_epoch_is_told_on_the_claim_and_on_its_repeats_only() {
    let claimed = written().after(&append("fg").by("p/1/0"));
    let later = claimed.clone().after(&append("h").by("p/1/1"));
    let rows = [
        (&claimed, append("fg").by("p/1/0"), "repeat 1/0 after 0/1 5..7"),
        (&claimed, append("h").by("p/1/1"), "append: applied 1/1 7..8"),
        (&later, append("fg").by("p/1/0"), "evicted 1/1 after 0/1"),
        (&later, append("h").by("p/1/1"), "repeat 1/1 7..8"),
        (&later, append("i").by("p/1/2"), "append: applied 1/2 8..9"),
        (&later, append("i").by("p/5/0"), "append: applied 5/0 after 1/1 8..9"),
        (&written(), append("abc").by("p/0/0"), "evicted 0/1"),
    ];
    for (state, request, expected) in rows {
        assert_eq!(answered(state, &request, 0), expected);
    }
}

#[test]
fn a_repeat_keeps_its_own_range_whatever_came_after() {
    let state = written().after(&append("xyz")).after(&append("q").by("q/0/0"));
    assert_eq!(answered(&state, &append("de").by("p/0/1"), 0), "repeat 0/1 3..5");
    assert_eq!(answered(&state.shut(), &append("de").by("p/0/1"), 0), "repeat 0/1 3..5");
}

#[test]
fn an_append_records_its_results() {
    let state = written().of_type("application/json").at_seq("a");
    let request = append_and_close("").with_body("application/json", "[1, 2]").with_seq("b").by("p/1/0#body");
    let expected = Write {
        start: offset(5),
        end: offset(9),
        messages: 2,
        closes: true,
        stream_seq: Some(stream_seq("b")),
        producer: Some(ProducerUpdate {
            id: id("p"),
            epoch: epoch(1),
            seq: seq(0),
            digest: Some(digest("body")),
            claim: Some(Claim { opened: Opened::Above, closed: Some(closed_epoch("0/1")) }),
            forgotten: Vec::new(),
            floor: None,
        }),
    };
    assert_eq!(committed(&state, &request), Operation::Append(expected));
}

#[test]
fn a_close_records_no_bytes() {
    let expected =
        Write { start: offset(5), end: offset(5), messages: 0, closes: true, stream_seq: None, producer: None };
    assert_eq!(committed(&written(), &close()), Operation::Close(expected));
}

#[test]
fn a_write_that_is_next_claims_nothing() {
    let Operation::Append(write) = committed(&written(), &append("fg").by("p/0/2")) else { panic!("an append") };
    let expected = ProducerUpdate {
        id: id("p"),
        epoch: epoch(0),
        seq: seq(2),
        digest: None,
        claim: None,
        forgotten: Vec::new(),
        floor: None,
    };
    assert_eq!(write.producer, Some(expected));
}

#[test]
fn stream_seq_goes_up_byte_by_byte() {
    let with = |request: WriteRequest, sent: Option<&str>| match sent {
        Some(sent) => request.with_seq(sent),
        None => request,
    };
    let rows = [
        ("none stored, none sent", None, None, true, None),
        ("none stored", None, Some("a"), true, Some("a")),
        ("none sent keeps the stored one", Some("b"), None, true, Some("b")),
        ("above", Some("b"), Some("c"), true, Some("c")),
        ("equal", Some("b"), Some("b"), false, Some("b")),
        ("below", Some("b"), Some("a"), false, Some("b")),
        ("bytes, not numbers", Some("9"), Some("10"), false, Some("9")),
        ("padded numbers", Some("09"), Some("10"), true, Some("10")),
        ("a longer one is above its beginning", Some("b"), Some("ba"), true, Some("ba")),
        ("a beginning is below", Some("ba"), Some("b"), false, Some("ba")),
        ("capitals are below", Some("a"), Some("B"), false, Some("a")),
    ];
    for (name, stored, sent, applies, after) in rows {
        let state = stored.map_or_else(written, |stored| written().at_seq(stored));
        let kinds = [
            append("fg"),
            append_and_close("fg"),
            close(),
            append("fg").by("p/0/2"),
            close().by("p/0/2"),
            append("fg").by("q/0/0"),
        ];
        for request in kinds.map(|request| with(request, sent)) {
            if applies {
                let after = after.map(stream_seq);
                assert_eq!(state.clone().after(&request).stream_seq, after, "{name}: {request:?}");
            } else {
                let last = stream_seq(after.unwrap());
                let conflict = Refusal::StreamSeqConflict { last, tail: offset(5) };
                assert_eq!(decide_write(&state, &request, moment(0)), Decision::refuse(conflict), "{name}");
            }
        }
    }
}

#[test]
fn the_type_of_a_body_is_compared_as_the_dialect_says() {
    let rows = [
        ("application/json", "application/json", true, true),
        ("application/json", "Application/JSON", true, true),
        ("application/json", "application/json ;", true, true),
        ("application/json", "application/json; charset=utf-8", false, true),
        ("application/json; charset=utf-8", "application/json", false, true),
        ("text/plain; charset=utf-8", "text/plain;CHARSET=UTF-8", true, true),
        ("text/plain; charset=utf-8", "text/plain; charset=ascii", false, true),
        ("text/plain", "text/html", false, false),
        ("text/plain", "application/json", false, false),
        ("application/json", "text/plain", false, false),
        ("application/octet-stream", "application/json", false, false),
    ];
    for (stream_type, body_type, exactly, by_media_type) in rows {
        let state = stream().of_type(stream_type);
        let request = append("").with_body(body_type, "7");
        let loose = request.clone().by_media_type();
        for (request, applies) in [(request, exactly), (loose, by_media_type)] {
            let told = decide_write(&state, &request, moment(0));
            if applies {
                assert!(matches!(told, Decision::Commit { answer: Ok(_), .. }), "{stream_type} {body_type}: {told:?}");
            } else {
                let mismatch = Refusal::ContentTypeMismatch { tail: offset(0) };
                assert_eq!(told, Decision::refuse(mismatch), "{stream_type} {body_type}");
            }
        }
    }
}

#[test]
fn unkeyed_faults_are_found_before_the_stream_is_looked_up() {
    let broken = || ContentFault::InvalidJson(InvalidJson { fault: JsonFault::UnexpectedEnd, at: 1 });
    let rows = [
        ("good append", append("a"), None),
        ("good close", close(), None),
        ("bad JSON", append("").with_body("application/json", "{"), Some(broken())),
        ("bad JSON with a close", close().with_body("application/json", "{"), Some(broken())),
        ("no messages", append("").with_body("application/json", "[]"), Some(ContentFault::NoMessages)),
        ("no messages, not a close", close().with_body("application/json", " [ ] "), Some(ContentFault::NoMessages)),
        ("no type", append("").with_body(" ", "a"), Some(ContentFault::MissingContentType)),
        ("no media type", append("").with_body("garbage", "a"), Some(ContentFault::InvalidContentType)),
        ("empty append", bare(), Some(ContentFault::EmptyAppend)),
    ];
    for (name, request, fault) in rows {
        assert_eq!(request.fault_before_lookup(), fault, "{name}");
        assert_eq!(request.by("p/0/0").fault_before_lookup(), None, "{name}, keyed");
    }
}

#[test]
fn keyed_faults_are_found_where_the_write_would_apply() {
    let digest_mismatch = append("").with_fault(ContentFault::DigestMismatch);
    let bad_json = append("").with_body("application/json", "{");
    let no_messages = close().with_body("application/json", "[]");
    let no_type = append("").with_body(" ", "a");
    let no_media_type = append("").with_body("a/b/c", "a");
    let rows = [
        (digest_mismatch, "PRODUCER_DIGEST_MISMATCH"),
        (bad_json, "INVALID_RECORD_BOUNDARIES"),
        (no_messages, "INVALID_RECORD_BOUNDARIES"),
        (no_type, "MISSING_CONTENT_TYPE"),
        (no_media_type, "INVALID_HEADER"),
        (bare(), "EMPTY_APPEND"),
        (append("").with_body("text/html", "a"), "CONTENT_TYPE_MISMATCH"),
    ];
    for (request, code) in rows {
        let told = |key| answered(&written(), &request.clone().by(key), 0);
        assert_eq!(told("p/0/2"), code, "next");
        assert_eq!(told("p/1/0"), code, "claim");
        assert_eq!(told("q/0/0"), code, "first claim");
        assert_eq!(told("p/0/1"), "repeat 0/1 3..5", "repeat, before {code}");
        assert_eq!(told("p/0/0"), "evicted 0/1", "older repeat, before {code}");
        assert_eq!(told("p/0/3"), "PRODUCER_SEQ_CONFLICT", "gap, before {code}");
        assert_eq!(answered(&written().shut(), &request.by("p/0/2"), 0), "STREAM_CLOSED", "closed, before {code}");
    }
}

#[test]
fn a_refused_write_changes_nothing_for_the_next() {
    let state = written();
    for request in [append("").with_body("text/html", "x").by("p/0/2"), bare().by("p/0/2"), append("x").by("p/0/9")] {
        assert!(matches!(decide_write(&state, &request, moment(0)), Decision::Answer(Err(_))));
    }
    assert_eq!(answered(&state, &append("fg").by("p/0/2"), 0), "append: applied 0/2 5..7");
}

#[test]
fn the_largest_offset_is_never_passed() {
    let rows = [
        ("up to it", 2, append("ab"), "append: appended ..18446744073709551615"),
        ("beyond it", 1, append("ab"), "STREAM_FULL"),
        ("beyond it, keyed", 0, append("a").by("p/0/0"), "STREAM_FULL"),
        ("no bytes", 0, close(), "close: closed at 18446744073709551615"),
    ];
    for (name, room, request, expected) in rows {
        assert_eq!(answered(&stream().holding(u64::MAX - room), &request, 0), expected, "{name}");
    }
}
