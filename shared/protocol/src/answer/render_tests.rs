//! Every outcome with its status and headers.

#![allow(clippy::unwrap_used, reason = "a string takes what is written to it")]

use std::fmt::Write as _;

use insta::assert_snapshot;

use super::{Answer, KeyedAnswer, KeyedReceipt, StreamDescription, WriteOutcome, describe, name};
use crate::{
    Lifetime, StreamState,
    decide::fixtures::{at, closed_epoch, epoch, if_match, offset, seq, stream, token, ttl},
};

/// Status and code, then the headers by name.
pub(super) fn shown(answer: &Answer) -> String {
    let mut headers = answer.headers.clone();
    headers.sort_unstable();
    let code = answer.error.as_ref().map_or("", |(code, _)| code.as_str());
    let mut text = format!("{} {code}", answer.status).trim_end().to_owned();
    for (name, value) in headers {
        write!(text, "\n  {name}: {value}").unwrap();
    }
    text
}

pub(super) fn table<T>(rows: &[(&str, T)]) -> String
where
    Answer: for<'a> From<&'a T>,
{
    let row = |(name, row): &(&str, T)| format!("{name}: {}", shown(&Answer::from(row)));
    rows.iter().map(row).collect::<Vec<_>>().join("\n")
}

fn keyed(closed: Option<&str>) -> KeyedAnswer {
    let closed_epoch = closed.map(closed_epoch);
    KeyedAnswer { epoch: epoch(4), highest_seq: seq(2), closed_epoch, incarnation: token() }
}

fn receipt(closed_pair: Option<&str>, start: u64, end: u64, closed: bool) -> KeyedReceipt {
    KeyedReceipt { answer: keyed(closed_pair), start: offset(start), end: offset(end), closed }
}

pub(super) fn outcomes() -> Vec<(&'static str, WriteOutcome)> {
    let (incarnation, end, tail) = (token(), offset(7), offset(7));
    vec![
        ("append", WriteOutcome::Appended { incarnation, end, closed: false }),
        ("append and close", WriteOutcome::Appended { incarnation, end, closed: true }),
        ("close", WriteOutcome::Closed { incarnation, tail }),
        ("keyed append", WriteOutcome::Applied(receipt(None, 5, 7, false))),
        ("keyed append and close", WriteOutcome::Applied(receipt(None, 5, 7, true))),
        ("keyed append, claim", WriteOutcome::Applied(receipt(Some("3/9"), 5, 7, false))),
        ("keyed close", WriteOutcome::KeyedClosed(receipt(None, 7, 7, true))),
        ("keyed close, claim", WriteOutcome::KeyedClosed(receipt(Some("3/9"), 7, 7, true))),
        ("repeat of an append", WriteOutcome::Repeat(receipt(None, 5, 7, false))),
        ("repeat of a close, claim", WriteOutcome::Repeat(receipt(Some("3/9"), 7, 7, true))),
        ("repeat of an older one", WriteOutcome::RepeatEvicted(keyed(None))),
        ("repeat of an older claim", WriteOutcome::RepeatEvicted(keyed(Some("3/9")))),
    ]
}

#[test]
fn every_outcome_of_a_write() {
    assert_snapshot!(table(&outcomes()), @r#"
    append: 204
      etag: "4503599627370497:7"
      stream-incarnation: 4503599627370497
      stream-next-offset: 00000000000000000007
    append and close: 204
      etag: "4503599627370497:7:c"
      stream-closed: true
      stream-incarnation: 4503599627370497
      stream-next-offset: 00000000000000000007
    close: 204
      etag: "4503599627370497:7:c"
      stream-closed: true
      stream-incarnation: 4503599627370497
      stream-next-offset: 00000000000000000007
    keyed append: 200
      etag: "4503599627370497:7"
      producer-epoch: 4
      producer-seq: 2
      stream-incarnation: 4503599627370497
      stream-next-offset: 00000000000000000007
      stream-offset: 00000000000000000005
    keyed append and close: 200
      etag: "4503599627370497:7:c"
      producer-epoch: 4
      producer-seq: 2
      stream-closed: true
      stream-incarnation: 4503599627370497
      stream-next-offset: 00000000000000000007
      stream-offset: 00000000000000000005
    keyed append, claim: 200
      etag: "4503599627370497:7"
      producer-closed-epoch: 3
      producer-closed-seq: 9
      producer-epoch: 4
      producer-seq: 2
      stream-incarnation: 4503599627370497
      stream-next-offset: 00000000000000000007
      stream-offset: 00000000000000000005
    keyed close: 204
      etag: "4503599627370497:7:c"
      producer-epoch: 4
      producer-seq: 2
      stream-closed: true
      stream-incarnation: 4503599627370497
      stream-next-offset: 00000000000000000007
      stream-offset: 00000000000000000007
    keyed close, claim: 204
      etag: "4503599627370497:7:c"
      producer-closed-epoch: 3
      producer-closed-seq: 9
      producer-epoch: 4
      producer-seq: 2
      stream-closed: true
      stream-incarnation: 4503599627370497
      stream-next-offset: 00000000000000000007
      stream-offset: 00000000000000000007
    repeat of an append: 204
      etag: "4503599627370497:7"
      producer-epoch: 4
      producer-seq: 2
      stream-incarnation: 4503599627370497
      stream-next-offset: 00000000000000000007
      stream-offset: 00000000000000000005
    repeat of a close, claim: 204
      etag: "4503599627370497:7:c"
      producer-closed-epoch: 3
      producer-closed-seq: 9
      producer-epoch: 4
      producer-seq: 2
      stream-closed: true
      stream-incarnation: 4503599627370497
      stream-next-offset: 00000000000000000007
      stream-offset: 00000000000000000007
    repeat of an older one: 204
      producer-epoch: 4
      producer-outcome: receipt-evicted
      producer-seq: 2
      stream-incarnation: 4503599627370497
    repeat of an older claim: 204
      producer-closed-epoch: 3
      producer-closed-seq: 9
      producer-epoch: 4
      producer-outcome: receipt-evicted
      producer-seq: 2
      stream-incarnation: 4503599627370497
    "#);
}

#[test]
fn outcomes_are_no_errors() {
    for (name, outcome) in outcomes() {
        assert_eq!(Answer::from(&outcome).error, None, "{name}");
    }
}

#[test]
fn the_tag_of_a_write_is_that_of_its_own_end() {
    for (name, outcome) in outcomes() {
        let answer = Answer::from(&outcome);
        let tag = answer.headers.iter().find(|(name, _)| *name == name::ETAG).map(|(_, value)| value.as_str());
        let holds = |closed| tag.is_some_and(|tag| if_match(tag).holds(token(), offset(7), closed));
        let closed = answer.headers.iter().any(|(name, _)| *name == name::STREAM_CLOSED);
        let evicted = matches!(outcome, WriteOutcome::RepeatEvicted(_));
        assert_eq!((holds(false), holds(true)), (!closed && !evicted, closed && !evicted), "{name}");
    }
}

#[test]
fn the_description_of_a_stream() {
    let shown = |status, state: &StreamState| shown(&describe(status, &StreamDescription::from(state)));
    let plain = || stream().holding(7).retaining(3);
    let rows = [
        ("new", shown(201, &stream())),
        ("there already", shown(200, &plain().of_type("application/json; charset=utf-8"))),
        ("closed", shown(200, &plain().shut())),
        ("with a time-to-live", shown(200, &plain().living(ttl(60)))),
        ("with a date", shown(200, &plain().living(Lifetime::Until(at(1_700_000_000_120))))),
    ];
    let table: Vec<String> = rows.iter().map(|(name, text)| format!("{name}: {text}")).collect();
    assert_snapshot!(table.join("\n"), @r#"
    new: 201
      content-type: text/plain
      etag: "4503599627370497:0"
      stream-incarnation: 4503599627370497
      stream-next-offset: 00000000000000000000
    there already: 200
      content-type: application/json; charset=utf-8
      etag: "4503599627370497:7"
      stream-incarnation: 4503599627370497
      stream-next-offset: 00000000000000000007
    closed: 200
      content-type: text/plain
      etag: "4503599627370497:7:c"
      stream-closed: true
      stream-incarnation: 4503599627370497
      stream-next-offset: 00000000000000000007
    with a time-to-live: 200
      content-type: text/plain
      etag: "4503599627370497:7"
      stream-incarnation: 4503599627370497
      stream-next-offset: 00000000000000000007
      stream-ttl: 60
    with a date: 200
      content-type: text/plain
      etag: "4503599627370497:7"
      stream-expires-at: 2023-11-14T22:13:20.120Z
      stream-incarnation: 4503599627370497
      stream-next-offset: 00000000000000000007
    "#);
}
