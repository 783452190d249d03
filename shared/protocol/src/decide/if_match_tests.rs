//! `If-Match` on a write: which tags hold, and its place among the checks.

use super::{Decision, decide_write, fixtures::*};
use crate::{EndTag, Refusal, StreamState};

/// Five bytes, the last two of them by `p/0/1`.
fn open() -> StreamState {
    stream().after(&append("abc").by("p/0/0")).after(&append("de").by("p/0/1"))
}

#[test]
fn which_tags_hold_at_the_tail() {
    let rows = [
        ("*", true, true),
        ("\"E:5\"", true, false),
        ("\"E:5:c\"", false, true),
        ("\"E:5\", \"E:5:c\"", true, true),
        ("\"E:3\"", false, false),
        ("\"E:6\"", false, false),
        ("\"E:0:5:t\"", true, false),
        ("\"E:5:5:t\"", true, false),
        ("\"E:0:5:a:t\"", true, false),
        ("\"E:0:5:t:c\"", false, true),
        ("\"E:0:5\"", false, false),
        ("\"E:0:3\"", false, false),
        ("\"4503599627370498:5\"", false, false),
        ("W/\"E:5\"", false, false),
        ("W/\"E:5:c\"", false, false),
        ("W/\"E:5\", \"E:5\"", true, false),
        ("\"x\"", false, false),
        ("E:5", false, false),
        ("", false, false),
    ];
    let closed = open().shut();
    for (line, holds_open, holds_closed) in rows {
        let applied = if holds_open { "append: appended ..6" } else { "IF_MATCH_FAILED" };
        assert_eq!(answered(&open(), &append("x").matching(line), 0), applied, "{line}");
        let next = if holds_open { "append: applied 0/2 5..6" } else { "IF_MATCH_FAILED" };
        assert_eq!(answered(&open(), &append("x").by("p/0/2").matching(line), 0), next, "{line}");
        let shut = if holds_open { "close: closed at 5" } else { "IF_MATCH_FAILED" };
        assert_eq!(answered(&open(), &close().matching(line), 0), shut, "{line}");
        let again = if holds_closed { "closed at 5" } else { "IF_MATCH_FAILED" };
        assert_eq!(answered(&closed, &close().matching(line), 0), again, "{line}, closed");
        let refused = if holds_closed { "STREAM_CLOSED" } else { "IF_MATCH_FAILED" };
        assert_eq!(answered(&closed, &append("x").matching(line), 0), refused, "{line}, closed");
    }
}

#[test]
fn a_failed_condition_tells_the_current_version() {
    let tag = |closed| EndTag { incarnation: token(), end: offset(5), closed };
    for (state, current) in [(open(), tag(false)), (open().shut(), tag(true))] {
        let told = decide_write(&state, &append("x").matching("\"E:1\""), moment(0));
        assert_eq!(told, Decision::refuse(Refusal::IfMatchFailed { current }));
    }
}

#[test]
fn of_two_writers_with_one_tag_only_the_first_applies() {
    let first = append("a").matching("\"E:5\"");
    assert_eq!(answered(&open(), &first, 0), "append: appended ..6");
    let state = open().after(&first);
    assert_eq!(answered(&state, &append("b").matching("\"E:5\""), 0), "IF_MATCH_FAILED");
    assert_eq!(answered(&state, &append("b").matching("\"E:6\""), 0), "append: appended ..7");
}

#[test]
fn a_keyed_write_that_applied_is_told_so_whatever_the_tag() {
    let state = open().after(&append("x").by("p/0/2").matching("\"E:5\""));
    let rows = [
        ("the same request again", append("x").by("p/0/2").matching("\"E:5\""), "repeat 0/2 5..6"),
        ("an older one again", append("de").by("p/0/1").matching("\"E:3\""), "evicted 0/2"),
        ("a weak tag", append("x").by("p/0/2").matching("W/\"E:5\""), "repeat 0/2 5..6"),
        ("another incarnation", append("x").by("p/0/2").matching("\"E:5\"").mistaken(), "INCARNATION_MISMATCH"),
        ("the next one", append("x").by("p/0/3").matching("\"E:5\""), "IF_MATCH_FAILED"),
        ("a claim", append("x").by("p/1/0").matching("\"E:5\""), "IF_MATCH_FAILED"),
        ("a gap", append("x").by("p/0/9").matching("\"E:5\""), "IF_MATCH_FAILED"),
        ("a gap, the tag holds", append("x").by("p/0/9").matching("\"E:6\""), "PRODUCER_SEQ_CONFLICT"),
        ("a key conflict", append("x").by("p/0/2#x").matching("\"E:5\""), "IF_MATCH_FAILED"),
        ("a key conflict, the tag holds", append("x").by("p/0/2#x").matching("\"E:6\""), "PRODUCER_KEY_CONFLICT"),
    ];
    for (name, request, expected) in rows {
        assert_eq!(answered(&state, &request, 0), expected, "{name}");
    }
    let request = append("x").by("p/0/2").matching("\"E:5\"");
    assert_eq!(answered(&state.shut(), &request, 0), "repeat 0/2 5..6", "closed since");
}
