//! Closing: every kind of request on an open stream and on one closed by somebody else or by
//! itself.

use super::fixtures::*;
use crate::StreamState;

/// Five bytes, the last two of them by `p/0/1`.
fn open() -> StreamState {
    stream().after(&append("abc").by("p/0/0")).after(&append("de").by("p/0/1"))
}

/// Closed without a key, after the newest write of `p`.
fn closed() -> StreamState {
    open().after(&close())
}

/// Closed by `p/0/2`, without bytes.
fn closed_by_key() -> StreamState {
    open().after(&close().by("p/0/2"))
}

/// Closed by `p/0/2`, with its bytes.
fn closed_with_bytes() -> StreamState {
    open().after(&append_and_close("fg").by("p/0/2"))
}

#[test]
fn every_kind_of_request_on_an_open_and_on_a_closed_stream() {
    let rows = [
        ("unkeyed close", close(), "close: closed at 5", "closed at 5"),
        ("unkeyed append and close", append_and_close("fg"), "append: appended ..7 closed", "STREAM_CLOSED"),
        ("unkeyed append", append("fg"), "append: appended ..7", "STREAM_CLOSED"),
        ("keyed close, next", close().by("p/0/2"), "close: closed by 0/2 5..5 closed", "STREAM_CLOSED"),
        ("keyed close, claim", close().by("p/1/0"), "close: closed by 1/0 after 0/1 5..5 closed", "STREAM_CLOSED"),
        ("keyed close, new producer", close().by("q/0/0"), "close: closed by 0/0 5..5 closed", "STREAM_CLOSED"),
        ("keyed close, repeat", close().by("p/0/1"), "repeat 0/1 3..5", "repeat 0/1 3..5"),
        ("keyed close, older repeat", close().by("p/0/0"), "evicted 0/1", "evicted 0/1"),
        (
            "keyed append and close, next",
            append_and_close("fg").by("p/0/2"),
            "append: applied 0/2 5..7 closed",
            "STREAM_CLOSED",
        ),
        ("keyed append, next", append("fg").by("p/0/2"), "append: applied 0/2 5..7", "STREAM_CLOSED"),
        ("keyed append, new producer", append("fg").by("q/0/0"), "append: applied 0/0 5..7", "STREAM_CLOSED"),
        ("keyed append, repeat", append("de").by("p/0/1"), "repeat 0/1 3..5", "repeat 0/1 3..5"),
        ("keyed append, older repeat", append("abc").by("p/0/0"), "evicted 0/1", "evicted 0/1"),
        ("keyed, gap", close().by("p/0/3"), "PRODUCER_SEQ_CONFLICT", "PRODUCER_SEQ_CONFLICT"),
        ("keyed, unknown, not at 0", close().by("q/0/1"), "PRODUCER_SEQ_CONFLICT", "PRODUCER_SEQ_CONFLICT"),
        ("keyed, epoch not claimed", close().by("p/1/1"), "INVALID_PRODUCER", "INVALID_PRODUCER"),
        ("keyed, another digest", close().by("p/0/1#x"), "PRODUCER_KEY_CONFLICT", "PRODUCER_KEY_CONFLICT"),
    ];
    for (name, request, when_open, when_closed) in rows {
        assert_eq!(answered(&open(), &request, 0), when_open, "{name}, open");
        assert_eq!(answered(&closed(), &request, 0), when_closed, "{name}, closed");
    }
}

#[test]
fn the_receipt_of_the_write_that_closed_says_so_and_no_other() {
    let rows = [
        ("the close", closed_by_key(), close().by("p/0/2"), "repeat 0/2 5..5 closed"),
        ("the close, sent as an append", closed_by_key(), append("fg").by("p/0/2"), "repeat 0/2 5..5 closed"),
        ("the write before it", closed_by_key(), append("de").by("p/0/1"), "evicted 0/2"),
        ("the next key", closed_by_key(), close().by("p/0/3"), "STREAM_CLOSED"),
        ("unkeyed close after it", closed_by_key(), close(), "closed at 5"),
        ("append and close", closed_with_bytes(), append_and_close("fg").by("p/0/2"), "repeat 0/2 5..7 closed"),
        ("append and close, sent as a close", closed_with_bytes(), close().by("p/0/2"), "repeat 0/2 5..7 closed"),
        ("append and close, other bytes", closed_with_bytes(), append("x").by("p/0/2"), "repeat 0/2 5..7 closed"),
        ("unkeyed close after bytes", closed_with_bytes(), close(), "closed at 7"),
    ];
    for (name, state, request, expected) in rows {
        assert_eq!(answered(&state, &request, 0), expected, "{name}");
    }
}

#[test]
fn closing_again_changes_nothing_and_checks_nothing_else() {
    let state = closed().at_seq("m");
    let rows = [
        ("lower Stream-Seq", close().with_seq("a"), "closed at 5"),
        ("higher Stream-Seq", close().with_seq("z"), "closed at 5"),
        ("tokened", close().tokened(), "closed at 5"),
        ("another incarnation", close().mistaken(), "INCARNATION_MISMATCH"),
        ("the closed tag", close().matching("\"E:5:c\""), "closed at 5"),
        ("the open tag", close().matching("\"E:5\""), "IF_MATCH_FAILED"),
        ("keyed, lower Stream-Seq", close().by("p/0/2").with_seq("a"), "STREAM_CLOSED"),
        ("empty append", bare(), "STREAM_CLOSED"),
    ];
    for (name, request, expected) in rows {
        assert_eq!(answered(&state, &request, 0), expected, "{name}");
    }
}

#[test]
fn a_close_ignores_the_content_type_of_the_stream() {
    for typed in ["application/json", "text/plain", "image/png"] {
        assert_eq!(answered(&stream().of_type(typed), &close(), 0), "close: closed at 0", "{typed}");
        assert_eq!(answered(&stream().of_type(typed), &close().by("p/0/0"), 0), "close: closed by 0/0 0..0 closed");
    }
}

#[test]
fn a_digest_on_a_close_is_that_of_an_empty_body() {
    let with = |sent: &str| crate::Payload::of_append(None, Some(&digest(sent)), bytes::Bytes::new());
    assert_eq!(with(""), Ok(crate::Payload::Empty));
    assert_eq!(with("x"), Err(crate::ContentFault::DigestMismatch));
    let state = open().after(&close().by("p/0/2#"));
    assert_eq!(answered(&state, &close().by("p/0/2#"), 0), "repeat 0/2 5..5 closed");
    assert_eq!(answered(&state, &close().by("p/0/2"), 0), "PRODUCER_KEY_CONFLICT");
}

#[test]
fn a_stream_created_closed_is_closed() {
    let state = stream().shut();
    assert_eq!(answered(&state, &append("a"), 0), "STREAM_CLOSED");
    assert_eq!(answered(&state, &append("a").by("p/0/0"), 0), "STREAM_CLOSED");
    assert_eq!(answered(&state, &close(), 0), "closed at 0");
}
