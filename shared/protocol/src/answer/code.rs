//! Error codes: what clients match on. The message beside a code is for people.

/// The code of an error answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "each variant is the code of that name; the table below says its status and meaning")]
pub enum Code {
    BodyUnreadable,
    ColdStoreFailed,
    ContentTypeMismatch,
    EmptyAppend,
    IfMatchFailed,
    IncarnationMismatch,
    Internal,
    InvalidBucketId,
    InvalidHeader,
    InvalidOffset,
    InvalidPartsCommit,
    InvalidProducer,
    InvalidQuery,
    InvalidRecordBoundaries,
    InvalidRequest,
    InvalidResource,
    InvalidRetention,
    InvalidSnapshot,
    InvalidStreamId,
    LiveReadBackpressure,
    MethodNotAllowed,
    MissingContentType,
    NotFound,
    NotJsonBoundary,
    OffsetOutOfRange,
    OriginRefused,
    OutcomeUnknown,
    PreconditionFailed,
    ProducerDigestMismatch,
    ProducerEpochClosed,
    ProducerEpochStale,
    ProducerExpired,
    ProducerKeyConflict,
    ProducerLimit,
    ProducerSeqConflict,
    QueryNotAccepted,
    RangeNotSatisfiable,
    RequestTooLarge,
    SnapshotCommitsBusy,
    SnapshotCommitInProgress,
    SnapshotConflict,
    SnapshotDigestMismatch,
    SnapshotNotFound,
    SnapshotTooLarge,
    StagedPartsLimit,
    StoreUnavailable,
    StoreUnfit,
    StreamAlreadyExistsConflict,
    StreamBusy,
    StreamClosed,
    StreamFull,
    StreamGone,
    StreamLifecycle,
    StreamNotFound,
    StreamSeqConflict,
    UnknownPart,
    Unsupported,
}

impl Code {
    /// Every code, for the documentation and for tests that none lacks a row.
    pub const ALL: &[Self] = &[
        Self::BodyUnreadable,
        Self::ColdStoreFailed,
        Self::ContentTypeMismatch,
        Self::EmptyAppend,
        Self::IfMatchFailed,
        Self::IncarnationMismatch,
        Self::Internal,
        Self::InvalidBucketId,
        Self::InvalidHeader,
        Self::InvalidOffset,
        Self::InvalidPartsCommit,
        Self::InvalidProducer,
        Self::InvalidQuery,
        Self::InvalidRecordBoundaries,
        Self::InvalidRequest,
        Self::InvalidResource,
        Self::InvalidRetention,
        Self::InvalidSnapshot,
        Self::InvalidStreamId,
        Self::LiveReadBackpressure,
        Self::MethodNotAllowed,
        Self::MissingContentType,
        Self::NotFound,
        Self::NotJsonBoundary,
        Self::OffsetOutOfRange,
        Self::OriginRefused,
        Self::OutcomeUnknown,
        Self::PreconditionFailed,
        Self::ProducerDigestMismatch,
        Self::ProducerEpochClosed,
        Self::ProducerEpochStale,
        Self::ProducerExpired,
        Self::ProducerKeyConflict,
        Self::ProducerLimit,
        Self::ProducerSeqConflict,
        Self::QueryNotAccepted,
        Self::RangeNotSatisfiable,
        Self::RequestTooLarge,
        Self::SnapshotCommitsBusy,
        Self::SnapshotCommitInProgress,
        Self::SnapshotConflict,
        Self::SnapshotDigestMismatch,
        Self::SnapshotNotFound,
        Self::SnapshotTooLarge,
        Self::StagedPartsLimit,
        Self::StoreUnavailable,
        Self::StoreUnfit,
        Self::StreamAlreadyExistsConflict,
        Self::StreamBusy,
        Self::StreamClosed,
        Self::StreamFull,
        Self::StreamGone,
        Self::StreamLifecycle,
        Self::StreamNotFound,
        Self::StreamSeqConflict,
        Self::UnknownPart,
        Self::Unsupported,
    ];

    /// Status, text and meaning: the one table that answers and documentation are made of.
    #[allow(clippy::too_many_lines, reason = "one table, one row a code")]
    const fn row(self) -> (u16, &'static str, &'static str) {
        match self {
            Self::BodyUnreadable => (400, "BODY_UNREADABLE", "The body broke off before its end."),
            Self::ColdStoreFailed => {
                (502, "COLD_STORE_FAILED", "Not all staged parts could be removed; send the request again.")
            }
            Self::ContentTypeMismatch => (409, "CONTENT_TYPE_MISMATCH", "The body's content type is not the stream's."),
            Self::EmptyAppend => (400, "EMPTY_APPEND", "No body, and no Stream-Closed: true."),
            Self::IfMatchFailed => (412, "IF_MATCH_FAILED", "The stream has changed since the ETag given."),
            Self::IncarnationMismatch => {
                (412, "INCARNATION_MISMATCH", "The stream was deleted and created again since, or does not exist.")
            }
            Self::Internal => (500, "INTERNAL", "A fault of the service."),
            Self::InvalidBucketId => (400, "INVALID_BUCKET_ID", "The account is not 4 to 64 of a-z 0-9 _ -."),
            Self::InvalidHeader => (400, "INVALID_HEADER", "A header is malformed or sent twice."),
            Self::InvalidOffset => (400, "INVALID_OFFSET", "The offset is no offset."),
            Self::InvalidPartsCommit => {
                (400, "INVALID_PARTS_COMMIT", "The headers or the body of a commit of staged parts are malformed.")
            }
            Self::InvalidProducer => (400, "INVALID_PRODUCER", "The producer headers are malformed or incomplete."),
            Self::InvalidQuery => (400, "INVALID_QUERY", "A query parameter is malformed or out of place."),
            Self::InvalidRecordBoundaries => (400, "INVALID_RECORD_BOUNDARIES", "The body is not valid JSON messages."),
            Self::InvalidRequest => (400, "INVALID_REQUEST", "The request is malformed."),
            Self::InvalidResource => (400, "INVALID_RESOURCE", "The URL of an immutable resource is malformed."),
            Self::InvalidRetention => (400, "INVALID_RETENTION", "The time-to-live is too long."),
            Self::InvalidSnapshot => {
                (400, "INVALID_SNAPSHOT", "The offset lies inside a JSON message; nothing was published or retired.")
            }
            Self::InvalidStreamId => (400, "INVALID_STREAM_ID", "The stream's name is not a valid one."),
            Self::LiveReadBackpressure => {
                (503, "LIVE_READ_BACKPRESSURE", "Too many live reads are open in this process; come back later.")
            }
            Self::MethodNotAllowed => (405, "METHOD_NOT_ALLOWED", "This URL does not serve this method."),
            Self::MissingContentType => (400, "MISSING_CONTENT_TYPE", "A body without a Content-Type."),
            Self::NotFound => (404, "NOT_FOUND", "No such URL."),
            Self::NotJsonBoundary => (400, "NOT_JSON_BOUNDARY", "The offset lies inside a JSON message."),
            Self::OffsetOutOfRange => (416, "OFFSET_OUT_OF_RANGE", "The offset lies beyond the end of the stream."),
            Self::OriginRefused => {
                (403, "ORIGIN_REFUSED", "The request did not come through the service's own address.")
            }
            Self::OutcomeUnknown => {
                (503, "OUTCOME_UNKNOWN", "The write may or may not have applied; a keyed one can be sent again.")
            }
            Self::PreconditionFailed => (412, "PRECONDITION_FAILED", "The stream exists already."),
            Self::ProducerDigestMismatch => {
                (400, "PRODUCER_DIGEST_MISMATCH", "Producer-Digest is not that of the body received.")
            }
            Self::ProducerEpochClosed => (403, "PRODUCER_EPOCH_CLOSED", "A newer epoch of this producer took over."),
            Self::ProducerEpochStale => {
                (403, "PRODUCER_EPOCH_STALE", "The epoch is older than the producer's current one.")
            }
            Self::ProducerExpired => (403, "PRODUCER_EXPIRED", "The stream has forgotten this epoch."),
            Self::ProducerKeyConflict => (403, "PRODUCER_KEY_CONFLICT", "Another write was sent under this key."),
            Self::ProducerLimit => (429, "PRODUCER_LIMIT", "The stream has too many active producers."),
            Self::ProducerSeqConflict => (409, "PRODUCER_SEQ_CONFLICT", "Producer-Seq skips ahead."),
            Self::QueryNotAccepted => (400, "QUERY_NOT_ACCEPTED", "An immutable resource takes no query."),
            Self::RangeNotSatisfiable => (416, "RANGE_NOT_SATISFIABLE", "The range holds no byte of the snapshot."),
            Self::RequestTooLarge => (413, "REQUEST_TOO_LARGE", "The body is over the limit."),
            Self::SnapshotCommitsBusy => (
                503,
                "SNAPSHOT_COMMITS_BUSY",
                "Too many commits of staged parts run in this process; this one did not apply.",
            ),
            Self::SnapshotCommitInProgress => (
                503,
                "SNAPSHOT_COMMIT_IN_PROGRESS",
                "Staged parts of this stream are being committed; whether this commit applies is unknown, send it again.",
            ),
            Self::SnapshotConflict => {
                (409, "SNAPSHOT_CONFLICT", "The offset lies beyond the tail, or the latest snapshot stands against it.")
            }
            Self::SnapshotDigestMismatch => (
                400,
                "SNAPSHOT_DIGEST_MISMATCH",
                "The parts put together do not have the digest that was sent, and are used up; stage them again.",
            ),
            Self::SnapshotNotFound => {
                (404, "SNAPSHOT_NOT_FOUND", "No snapshot is kept at this offset; only the latest one is.")
            }
            Self::SnapshotTooLarge => {
                (413, "SNAPSHOT_TOO_LARGE", "The parts put together are over the limit of a snapshot.")
            }
            Self::StagedPartsLimit => {
                (429, "STAGED_PARTS_LIMIT", "Too many parts are staged and not used; commit or discard them.")
            }
            Self::StoreUnavailable => (503, "STORE_UNAVAILABLE", "The bucket does not answer; nothing was written."),
            Self::StoreUnfit => {
                (503, "STORE_UNFIT", "The bucket does not honour conditional writes; nothing is written.")
            }
            Self::StreamAlreadyExistsConflict => {
                (409, "STREAM_ALREADY_EXISTS_CONFLICT", "The stream exists with other settings.")
            }
            Self::StreamBusy => (503, "STREAM_BUSY", "Too many writes at once; this one did not apply."),
            Self::StreamClosed => (409, "STREAM_CLOSED", "The stream is closed, for good."),
            Self::StreamFull => (409, "STREAM_FULL", "The stream has reached the largest offset."),
            Self::StreamGone => (410, "STREAM_GONE", "The offset lies before what the stream still keeps."),
            Self::StreamLifecycle => (403, "STREAM_LIFECYCLE", "Streams are not created or deleted at this URL."),
            Self::StreamNotFound => (404, "STREAM_NOT_FOUND", "No such stream."),
            Self::StreamSeqConflict => {
                (409, "STREAM_SEQ_CONFLICT", "Stream-Seq does not sort after the last one accepted.")
            }
            Self::UnknownPart => {
                (400, "UNKNOWN_PART", "A part is not staged for this life of the stream; stage it again.")
            }
            Self::Unsupported => (400, "UNSUPPORTED", "A condition that this request does not support."),
        }
    }

    /// The HTTP status it comes with.
    pub const fn status(self) -> u16 {
        self.row().0
    }

    /// The code as sent.
    pub const fn as_str(self) -> &'static str {
        self.row().1
    }

    /// What it means, in one sentence for people.
    pub const fn meaning(self) -> &'static str {
        self.row().2
    }

    /// True for the temporary answers that carry `Retry-After`.
    pub const fn is_temporary(self) -> bool {
        self.status() == 503
    }
}
