//! Every refusal with its status, code, headers and message.

#![allow(clippy::unwrap_used, reason = "the rows are well formed")]

use insta::assert_snapshot;

use super::{
    Answer, ClosedBy, Code, ProducerRefusal, Refusal, name,
    render_tests::{outcomes, table},
};
use crate::{
    ContentFault, EndTag, InvalidJson, JsonFault, Offset, PartsRefusal, SnapshotRefusal,
    decide::fixtures::{TOKEN, body, closed_epoch, digest as digest_of, epoch, offset, seq, stream_seq, token},
    state::SnapshotName,
};

const TAIL: Offset = Offset::new(987_654_321);

/// What a client sent, where a refusal could repeat it.
const INPUT: &str = "Zx9-from-the-client";

fn faults() -> Vec<ContentFault> {
    let json = |text: &str| body("application/json", text).unwrap_err();
    vec![
        ContentFault::DigestMismatch,
        body("", INPUT).unwrap_err(),
        body(INPUT, INPUT).unwrap_err(),
        json(INPUT),
        json("[]"),
        ContentFault::EmptyAppend,
    ]
}

fn refusals() -> Vec<(&'static str, Refusal)> {
    let (tail, incarnation) = (TAIL, token());
    let current = EndTag { incarnation, end: tail, closed: false };
    let snapshot = SnapshotName { offset: offset(5), digest: digest_of("a") };
    let (closed, expected, received) = (closed_epoch("3/9"), seq(3), seq(8));
    let by = |by| Refusal::Producer(ProducerRefusal::EpochClosed { current: epoch(4), closed, by });
    let [digest, no_type, bad_type, bad_json, no_messages, empty] = <[ContentFault; 6]>::try_from(faults()).unwrap();
    vec![
        ("malformed", Refusal::invalid(Code::InvalidQuery, "What to do.")),
        ("too large", Refusal::TooLarge { bytes_max: 8_388_608 }),
        ("no stream", Refusal::StreamNotFound),
        ("another incarnation", Refusal::IncarnationMismatch { current: Some(incarnation) }),
        ("no incarnation", Refusal::IncarnationMismatch { current: None }),
        ("another version", Refusal::IfMatchFailed { current }),
        ("another version, closed", Refusal::IfMatchFailed { current: EndTag { closed: true, ..current } }),
        ("epoch closed by a claim", by(ClosedBy::Claim)),
        ("epoch closed by history", by(ClosedBy::History)),
        ("epoch stale", Refusal::Producer(ProducerRefusal::EpochStale { current: epoch(4) })),
        ("key conflict", Refusal::Producer(ProducerRefusal::KeyConflict { current: epoch(4) })),
        ("producer expired", Refusal::Producer(ProducerRefusal::Expired { floor: epoch(6) })),
        ("gap", Refusal::Producer(ProducerRefusal::SeqGap { expected, received })),
        ("epoch not claimed", Refusal::Producer(ProducerRefusal::EpochNotClaimed)),
        ("too many producers", Refusal::Producer(ProducerRefusal::TooMany)),
        ("closed", Refusal::StreamClosed { tail }),
        ("another digest", digest.into()),
        ("no type", no_type.into()),
        ("no media type", bad_type.into()),
        ("bad JSON", bad_json.into()),
        ("no messages", no_messages.into()),
        ("empty append", empty.into()),
        ("another type", Refusal::ContentTypeMismatch { tail }),
        ("Stream-Seq too low", Refusal::StreamSeqConflict { last: stream_seq(INPUT), tail }),
        ("full", Refusal::StreamFull),
        ("other settings", Refusal::StreamAlreadyExists),
        ("exists", Refusal::ExistsAlready),
        ("gone", Refusal::Gone { retained: offset(5), incarnation }),
        ("beyond the tail", Refusal::OffsetOutOfRange { tail, incarnation }),
        ("inside a message", Refusal::NotJsonBoundary { tail }),
        ("no snapshot", SnapshotRefusal::NotFound { incarnation }.into()),
        ("snapshot of what is gone", SnapshotRefusal::BelowRetained { retained: offset(5) }.into()),
        ("snapshot beyond the tail", SnapshotRefusal::BeyondTail { tail }.into()),
        ("snapshot superseded", SnapshotRefusal::Conflict { latest: snapshot, tail: Some(tail) }.into()),
        ("snapshot superseded, early", SnapshotRefusal::Conflict { latest: snapshot, tail: None }.into()),
        ("snapshot inside a message", SnapshotRefusal::InsideMessage { tail }.into()),
        ("no such range", SnapshotRefusal::RangeNotSatisfiable { snapshot, bytes: 7, incarnation }.into()),
        ("too many parts", PartsRefusal::TooMany { incarnation }.into()),
        ("too many bytes of parts", PartsRefusal::TooManyBytes { incarnation }.into()),
        ("unknown part", PartsRefusal::Unknown.into()),
        ("parts too large", PartsRefusal::TooLarge.into()),
        ("parts of another digest", PartsRefusal::OtherDigest.into()),
        ("commit in progress", PartsRefusal::InProgress.into()),
        ("too many commits", PartsRefusal::Busy.into()),
        ("parts not discarded", PartsRefusal::NotDiscarded.into()),
        ("store unavailable", Refusal::StoreUnavailable),
        ("store unfit", Refusal::StoreUnfit { probe: "two creates of one key both succeeded".to_owned() }),
        ("store untested", Refusal::StoreUntested),
        ("busy", Refusal::StreamBusy),
        ("too many live reads", Refusal::TooManyLiveReads),
        ("outcome unknown", Refusal::OutcomeUnknown),
    ]
}

#[test]
#[allow(clippy::too_many_lines, reason = "one table, a few lines a row")]
fn every_refusal() {
    assert_snapshot!(table(&refusals()), @r#"
    malformed: 400 INVALID_QUERY
    too large: 413 REQUEST_TOO_LARGE
      ursula-max-request-bytes: 8388608
    no stream: 404 STREAM_NOT_FOUND
    another incarnation: 412 INCARNATION_MISMATCH
      stream-incarnation: 4503599627370497
    no incarnation: 412 INCARNATION_MISMATCH
    another version: 412 IF_MATCH_FAILED
      etag: "4503599627370497:987654321"
      stream-next-offset: 00000000000987654321
    another version, closed: 412 IF_MATCH_FAILED
      etag: "4503599627370497:987654321:c"
      stream-next-offset: 00000000000987654321
    epoch closed by a claim: 403 PRODUCER_EPOCH_CLOSED
      producer-closed-epoch: 3
      producer-closed-seq: 9
      producer-epoch: 4
      producer-outcome: epoch-closed;by=claim
    epoch closed by history: 403 PRODUCER_EPOCH_CLOSED
      producer-closed-epoch: 3
      producer-closed-seq: 9
      producer-epoch: 4
      producer-outcome: epoch-closed;by=history
    epoch stale: 403 PRODUCER_EPOCH_STALE
      producer-epoch: 4
      producer-outcome: stale-epoch
    key conflict: 403 PRODUCER_KEY_CONFLICT
      producer-epoch: 4
      producer-outcome: key-conflict
    producer expired: 403 PRODUCER_EXPIRED
      producer-epoch: 6
      producer-outcome: producer-expired
    gap: 409 PRODUCER_SEQ_CONFLICT
      producer-expected-seq: 3
      producer-received-seq: 8
    epoch not claimed: 400 INVALID_PRODUCER
      producer-expected-seq: 0
    too many producers: 429 PRODUCER_LIMIT
    closed: 409 STREAM_CLOSED
      stream-closed: true
      stream-next-offset: 00000000000987654321
    another digest: 400 PRODUCER_DIGEST_MISMATCH
    no type: 400 MISSING_CONTENT_TYPE
    no media type: 400 INVALID_HEADER
    bad JSON: 400 INVALID_RECORD_BOUNDARIES
    no messages: 400 INVALID_RECORD_BOUNDARIES
    empty append: 400 EMPTY_APPEND
    another type: 409 CONTENT_TYPE_MISMATCH
      stream-next-offset: 00000000000987654321
    Stream-Seq too low: 409 STREAM_SEQ_CONFLICT
      stream-last-seq: Zx9-from-the-client
      stream-next-offset: 00000000000987654321
    full: 409 STREAM_FULL
    other settings: 409 STREAM_ALREADY_EXISTS_CONFLICT
    exists: 412 PRECONDITION_FAILED
    gone: 410 STREAM_GONE
      stream-incarnation: 4503599627370497
      stream-next-offset: 00000000000000000005
    beyond the tail: 416 OFFSET_OUT_OF_RANGE
      stream-incarnation: 4503599627370497
      stream-next-offset: 00000000000987654321
    inside a message: 400 NOT_JSON_BOUNDARY
      stream-next-offset: 00000000000987654321
    no snapshot: 404 SNAPSHOT_NOT_FOUND
      stream-incarnation: 4503599627370497
    snapshot of what is gone: 410 STREAM_GONE
      stream-next-offset: 00000000000000000005
    snapshot beyond the tail: 409 SNAPSHOT_CONFLICT
      stream-next-offset: 00000000000987654321
    snapshot superseded: 409 SNAPSHOT_CONFLICT
      stream-next-offset: 00000000000987654321
      stream-snapshot-digest: 17762fddd969a453925d65717ac3eea21320b66b54342fde15128d6caf21215f
      stream-snapshot-offset: 00000000000000000005
    snapshot superseded, early: 409 SNAPSHOT_CONFLICT
      stream-snapshot-digest: 17762fddd969a453925d65717ac3eea21320b66b54342fde15128d6caf21215f
      stream-snapshot-offset: 00000000000000000005
    snapshot inside a message: 400 INVALID_SNAPSHOT
      stream-next-offset: 00000000000987654321
    no such range: 416 RANGE_NOT_SATISFIABLE
      accept-ranges: bytes
      content-range: bytes */7
      etag: "17762fddd969a453925d65717ac3eea21320b66b54342fde15128d6caf21215f"
      stream-incarnation: 4503599627370497
      stream-snapshot-digest: 17762fddd969a453925d65717ac3eea21320b66b54342fde15128d6caf21215f
      stream-snapshot-offset: 00000000000000000005
    too many parts: 429 STAGED_PARTS_LIMIT
      stream-incarnation: 4503599627370497
      ursula-max-staged-parts: 8192
    too many bytes of parts: 429 STAGED_PARTS_LIMIT
      stream-incarnation: 4503599627370497
      ursula-max-staged-bytes: 2147483648
    unknown part: 400 UNKNOWN_PART
    parts too large: 413 SNAPSHOT_TOO_LARGE
      ursula-max-snapshot-bytes: 1073741824
    parts of another digest: 400 SNAPSHOT_DIGEST_MISMATCH
    commit in progress: 503 SNAPSHOT_COMMIT_IN_PROGRESS
      retry-after: 1
    too many commits: 503 SNAPSHOT_COMMITS_BUSY
      retry-after: 1
    parts not discarded: 502 COLD_STORE_FAILED
    store unavailable: 503 STORE_UNAVAILABLE
      retry-after: 1
    store unfit: 503 STORE_UNFIT
      retry-after: 1
    store untested: 503 STORE_UNFIT
      retry-after: 1
    busy: 503 STREAM_BUSY
      retry-after: 1
    too many live reads: 503 LIVE_READ_BACKPRESSURE
      retry-after: 1
    outcome unknown: 503 OUTCOME_UNKNOWN
      retry-after: 1
    "#);
}

/// A number for each kind of refusal, without holes: a new kind does not compile until it has one.
const fn kind(refusal: &Refusal) -> usize {
    match refusal {
        Refusal::Invalid { .. } => 0,
        Refusal::TooLarge { .. } => 1,
        Refusal::StreamNotFound => 2,
        Refusal::IncarnationMismatch { .. } => 3,
        Refusal::IfMatchFailed { .. } => 4,
        Refusal::StreamClosed { .. } => 5,
        Refusal::ContentTypeMismatch { .. } => 6,
        Refusal::StreamSeqConflict { .. } => 7,
        Refusal::StreamFull => 8,
        Refusal::StreamAlreadyExists => 9,
        Refusal::ExistsAlready => 10,
        Refusal::Gone { .. } => 11,
        Refusal::OffsetOutOfRange { .. } => 12,
        Refusal::NotJsonBoundary { .. } => 13,
        Refusal::StoreUnavailable => 14,
        Refusal::StoreUnfit { .. } => 15,
        Refusal::StreamBusy => 16,
        Refusal::OutcomeUnknown => 17,
        Refusal::Content(fault) => match fault {
            ContentFault::DigestMismatch => 18,
            ContentFault::MissingContentType => 19,
            ContentFault::InvalidContentType => 20,
            ContentFault::InvalidJson(_) => 21,
            ContentFault::NoMessages => 22,
            ContentFault::EmptyAppend => 23,
        },
        Refusal::Producer(refusal) => match refusal {
            ProducerRefusal::EpochClosed { .. } => 24,
            ProducerRefusal::EpochStale { .. } => 25,
            ProducerRefusal::KeyConflict { .. } => 26,
            ProducerRefusal::Expired { .. } => 27,
            ProducerRefusal::SeqGap { .. } => 28,
            ProducerRefusal::EpochNotClaimed => 29,
            ProducerRefusal::TooMany => 30,
        },
        Refusal::TooManyLiveReads => 31,
        Refusal::StoreUntested => 32,
        Refusal::Snapshot(refusal) => match refusal {
            SnapshotRefusal::NotFound { .. } => 33,
            SnapshotRefusal::BelowRetained { .. } => 34,
            SnapshotRefusal::BeyondTail { .. } => 35,
            SnapshotRefusal::Conflict { .. } => 36,
            SnapshotRefusal::InsideMessage { .. } => 37,
            SnapshotRefusal::RangeNotSatisfiable { .. } => 38,
        },
        Refusal::Parts(refusal) => match refusal {
            PartsRefusal::TooMany { .. } => 39,
            PartsRefusal::TooManyBytes { .. } => 40,
            PartsRefusal::Unknown => 41,
            PartsRefusal::TooLarge => 42,
            PartsRefusal::OtherDigest => 43,
            PartsRefusal::InProgress => 44,
            PartsRefusal::Busy => 45,
            PartsRefusal::NotDiscarded => 46,
        },
    }
}

#[test]
fn no_refusal_lacks_a_row() {
    let mut kinds: Vec<usize> = refusals().iter().map(|(_, refusal)| kind(refusal)).collect();
    kinds.sort_unstable();
    kinds.dedup();
    assert_eq!(kinds, (0..=46).collect::<Vec<_>>());
}

fn carriers(header: &str) -> Vec<&'static str> {
    let carries = |refusal: &Refusal| Answer::from(refusal).headers.iter().any(|(name, _)| *name == header);
    refusals().iter().filter(|(_, refusal)| carries(refusal)).map(|(name, _)| *name).collect()
}

#[test]
fn which_refusals_tell_of_the_stream() {
    let with_offset = [
        "another version",
        "another version, closed",
        "closed",
        "another type",
        "Stream-Seq too low",
        "gone",
        "beyond the tail",
        "inside a message",
        "snapshot of what is gone",
        "snapshot beyond the tail",
        "snapshot superseded",
        "snapshot inside a message",
    ];
    assert_eq!(carriers(name::STREAM_NEXT_OFFSET), with_offset);
    assert_eq!(
        carriers(name::STREAM_INCARNATION),
        [
            "another incarnation",
            "gone",
            "beyond the tail",
            "no snapshot",
            "no such range",
            "too many parts",
            "too many bytes of parts"
        ]
    );
    assert_eq!(carriers(name::ETAG), ["another version", "another version, closed", "no such range"]);
    assert_eq!(carriers(name::STREAM_CLOSED), ["closed"]);
    assert_eq!(carriers(name::STREAM_OFFSET), [""; 0]);
    assert_eq!(carriers(name::PRODUCER_SEQ), [""; 0]);
}

#[test]
fn temporary_refusals_say_when_to_come_back_and_no_others() {
    for (name, refusal) in refusals() {
        let answer = Answer::from(&refusal);
        let wait = answer.headers.iter().find(|(name, _)| *name == name::RETRY_AFTER).map(|(_, value)| value.as_str());
        assert_eq!(wait, (answer.status == 503).then_some("1"), "{name}");
        assert_eq!(refusal.retry_after().is_some(), answer.status == 503, "{name}");
    }
}

#[test]
fn messages_are_sentences_for_people_and_hold_nothing_that_was_sent() {
    for (name, refusal) in refusals() {
        let message = refusal.message();
        assert!(message.starts_with(|first: char| first.is_ascii_uppercase()), "{name}: {message}");
        assert!(message.ends_with('.') && !message.ends_with(".."), "{name}: {message}");
        assert!(message.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic()), "{name}: {message}");
        for sent in [INPUT, &INPUT.to_lowercase(), "Zx9", "987654321", TOKEN] {
            assert!(!message.contains(sent), "{name}: {message}");
        }
        assert_eq!(Answer::from(&refusal).error, Some((refusal.code(), message)), "{name}");
    }
}

#[test]
fn a_fault_in_json_is_told_by_kind_and_place() {
    let fault = InvalidJson { fault: JsonFault::TrailingText, at: 7 };
    let message = Refusal::from(ContentFault::InvalidJson(fault)).message();
    assert_eq!(message, "The body is not one valid JSON value: invalid JSON at byte 7: text after the value.");
}

#[test]
fn a_missing_stream_is_told_alike_whatever_was_asked() {
    let answer = Answer::from(&Refusal::StreamNotFound);
    assert_eq!(answer.headers, []);
    assert_eq!(answer.error, Some((Code::StreamNotFound, "No such stream.".to_owned())));
}

#[test]
fn no_answer_has_a_header_twice_or_a_value_that_breaks_it() {
    let answers = outcomes().into_iter().map(|(name, outcome)| (name, Answer::from(&outcome)));
    for (name, answer) in answers.chain(refusals().into_iter().map(|(name, refusal)| (name, Answer::from(&refusal)))) {
        let mut names: Vec<_> = answer.headers.iter().map(|(name, _)| *name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), answer.headers.len(), "{name}");
        for (header, value) in &answer.headers {
            assert!(header.bytes().all(|byte| byte == b'-' || byte.is_ascii_lowercase()), "{name}: {header}");
            assert!(value.bytes().all(|byte| matches!(byte, b' '..=b'~')), "{name}: {header}: {value}");
        }
    }
}
