//! The table of codes: complete, without doubles, and with the statuses of the contract.

use std::collections::BTreeSet;

use super::Code;

/// The statuses and texts that clients rely on. A code without a row here does not compile.
macro_rules! expected {
    ($($code:ident $status:literal $text:literal,)*) => {
        const EXPECTED: &[(Code, u16, &str)] = &[$((Code::$code, $status, $text),)*];

        const fn has_a_row(code: Code) {
            match code {
                $(Code::$code => (),)*
            }
        }
    };
}

expected! {
    BodyUnreadable 400 "BODY_UNREADABLE",
    ColdStoreFailed 502 "COLD_STORE_FAILED",
    ContentTypeMismatch 409 "CONTENT_TYPE_MISMATCH",
    EmptyAppend 400 "EMPTY_APPEND",
    IfMatchFailed 412 "IF_MATCH_FAILED",
    IncarnationMismatch 412 "INCARNATION_MISMATCH",
    Internal 500 "INTERNAL",
    InvalidBucketId 400 "INVALID_BUCKET_ID",
    InvalidHeader 400 "INVALID_HEADER",
    InvalidOffset 400 "INVALID_OFFSET",
    InvalidPartsCommit 400 "INVALID_PARTS_COMMIT",
    InvalidProducer 400 "INVALID_PRODUCER",
    InvalidQuery 400 "INVALID_QUERY",
    InvalidRecordBoundaries 400 "INVALID_RECORD_BOUNDARIES",
    InvalidRequest 400 "INVALID_REQUEST",
    InvalidResource 400 "INVALID_RESOURCE",
    InvalidRetention 400 "INVALID_RETENTION",
    InvalidSnapshot 400 "INVALID_SNAPSHOT",
    InvalidStreamId 400 "INVALID_STREAM_ID",
    LiveReadBackpressure 503 "LIVE_READ_BACKPRESSURE",
    MethodNotAllowed 405 "METHOD_NOT_ALLOWED",
    MissingContentType 400 "MISSING_CONTENT_TYPE",
    NotFound 404 "NOT_FOUND",
    NotJsonBoundary 400 "NOT_JSON_BOUNDARY",
    OffsetOutOfRange 416 "OFFSET_OUT_OF_RANGE",
    OriginRefused 403 "ORIGIN_REFUSED",
    OutcomeUnknown 503 "OUTCOME_UNKNOWN",
    PreconditionFailed 412 "PRECONDITION_FAILED",
    ProducerDigestMismatch 400 "PRODUCER_DIGEST_MISMATCH",
    ProducerEpochClosed 403 "PRODUCER_EPOCH_CLOSED",
    ProducerEpochStale 403 "PRODUCER_EPOCH_STALE",
    ProducerExpired 403 "PRODUCER_EXPIRED",
    ProducerKeyConflict 403 "PRODUCER_KEY_CONFLICT",
    ProducerLimit 429 "PRODUCER_LIMIT",
    ProducerSeqConflict 409 "PRODUCER_SEQ_CONFLICT",
    QueryNotAccepted 400 "QUERY_NOT_ACCEPTED",
    RangeNotSatisfiable 416 "RANGE_NOT_SATISFIABLE",
    RequestTooLarge 413 "REQUEST_TOO_LARGE",
    SnapshotCommitsBusy 503 "SNAPSHOT_COMMITS_BUSY",
    SnapshotCommitInProgress 503 "SNAPSHOT_COMMIT_IN_PROGRESS",
    SnapshotConflict 409 "SNAPSHOT_CONFLICT",
    SnapshotDigestMismatch 400 "SNAPSHOT_DIGEST_MISMATCH",
    SnapshotNotFound 404 "SNAPSHOT_NOT_FOUND",
    SnapshotTooLarge 413 "SNAPSHOT_TOO_LARGE",
    StagedPartsLimit 429 "STAGED_PARTS_LIMIT",
    StoreUnavailable 503 "STORE_UNAVAILABLE",
    StoreUnfit 503 "STORE_UNFIT",
    StreamAlreadyExistsConflict 409 "STREAM_ALREADY_EXISTS_CONFLICT",
    StreamBusy 503 "STREAM_BUSY",
    StreamClosed 409 "STREAM_CLOSED",
    StreamFull 409 "STREAM_FULL",
    StreamGone 410 "STREAM_GONE",
    StreamLifecycle 403 "STREAM_LIFECYCLE",
    StreamNotFound 404 "STREAM_NOT_FOUND",
    StreamSeqConflict 409 "STREAM_SEQ_CONFLICT",
    UnknownPart 400 "UNKNOWN_PART",
    Unsupported 400 "UNSUPPORTED",
}

#[test]
fn every_code_is_listed_once_and_in_order() {
    let all: Vec<Code> = EXPECTED.iter().map(|(code, ..)| *code).collect();
    assert_eq!(Code::ALL, all);
    assert_eq!(all.iter().map(|code| code.as_str()).collect::<BTreeSet<_>>().len(), all.len(), "distinct");
    assert!(all.is_sorted_by_key(|code| code.as_str()), "in alphabetical order");
    all.into_iter().for_each(has_a_row);
}

#[test]
fn every_code_has_its_status_and_text() {
    for &(code, status, text) in EXPECTED {
        assert_eq!((code.status(), code.as_str()), (status, text));
    }
}

#[test]
fn texts_are_capitals_joined_by_underscores() {
    for code in Code::ALL {
        let text = code.as_str();
        assert!(text.bytes().all(|byte| byte == b'_' || byte.is_ascii_uppercase()), "{text}");
        assert!(!text.starts_with('_') && !text.ends_with('_') && !text.contains("__"), "{text}");
    }
}

#[test]
fn every_meaning_is_one_sentence_of_its_own() {
    let meanings: BTreeSet<_> = Code::ALL.iter().map(|code| code.meaning()).collect();
    assert_eq!(meanings.len(), Code::ALL.len(), "distinct");
    for meaning in meanings {
        assert!(meaning.len() > 10 && meaning.ends_with('.') && meaning.is_ascii(), "{meaning}");
        assert!(meaning.starts_with(|first: char| first.is_ascii_uppercase()), "{meaning}");
    }
}

#[test]
fn only_503_is_temporary() {
    let temporary: Vec<_> = Code::ALL.iter().filter(|code| code.is_temporary()).map(|code| code.as_str()).collect();
    assert_eq!(
        temporary,
        [
            "LIVE_READ_BACKPRESSURE",
            "OUTCOME_UNKNOWN",
            "SNAPSHOT_COMMITS_BUSY",
            "SNAPSHOT_COMMIT_IN_PROGRESS",
            "STORE_UNAVAILABLE",
            "STORE_UNFIT",
            "STREAM_BUSY"
        ]
    );
}
