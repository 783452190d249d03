//! Names of the headers of the protocol, in one place. Compared without regard to case.

/// Header names, lower case as HTTP libraries keep them.
pub mod name {
    #![allow(missing_docs, reason = "each constant is the header of that name")]

    pub const ACCEPT_RANGES: &str = "accept-ranges";
    pub const CONTENT_LENGTH: &str = "content-length";
    pub const CONTENT_RANGE: &str = "content-range";
    pub const ETAG: &str = "etag";
    pub const LOCATION: &str = "location";
    pub const CONTENT_DIGEST: &str = "content-digest";
    pub const CONTENT_ENCODING: &str = "content-encoding";
    pub const CONTENT_TYPE: &str = "content-type";
    pub const CACHE_CONTROL: &str = "cache-control";
    pub const RETRY_AFTER: &str = "retry-after";
    pub const VARY: &str = "vary";

    pub const STREAM_CLOSED: &str = "stream-closed";
    pub const STREAM_CURSOR: &str = "stream-cursor";
    pub const STREAM_DATA_CONTENT_TYPE: &str = "stream-data-content-type";
    pub const STREAM_EXPIRES_AT: &str = "stream-expires-at";
    pub const STREAM_IMMUTABLE: &str = "stream-immutable";
    pub const STREAM_INCARNATION: &str = "stream-incarnation";
    pub const STREAM_LAST_SEQ: &str = "stream-last-seq";
    pub const STREAM_NEXT_OFFSET: &str = "stream-next-offset";
    pub const STREAM_OFFSET: &str = "stream-offset";
    pub const STREAM_READ_ORIGIN: &str = "stream-read-origin";
    pub const STREAM_RETAINED_OFFSET: &str = "stream-retained-offset";
    pub const STREAM_SEQ: &str = "stream-seq";
    pub const STREAM_SNAPSHOT_DIGEST: &str = "stream-snapshot-digest";
    pub const STREAM_SNAPSHOT_OFFSET: &str = "stream-snapshot-offset";
    pub const STREAM_SNAPSHOT_PART: &str = "stream-snapshot-part";
    pub const STREAM_SNAPSHOT_PARTS: &str = "stream-snapshot-parts";
    pub const STREAM_SSE_DATA_ENCODING: &str = "stream-sse-data-encoding";
    pub const STREAM_TTL: &str = "stream-ttl";
    pub const STREAM_UP_TO_DATE: &str = "stream-up-to-date";

    pub const PRODUCER_ID: &str = "producer-id";
    pub const PRODUCER_EPOCH: &str = "producer-epoch";
    pub const PRODUCER_SEQ: &str = "producer-seq";
    pub const PRODUCER_DIGEST: &str = "producer-digest";
    pub const PRODUCER_OUTCOME: &str = "producer-outcome";
    pub const PRODUCER_CLOSED_EPOCH: &str = "producer-closed-epoch";
    pub const PRODUCER_CLOSED_SEQ: &str = "producer-closed-seq";
    pub const PRODUCER_EXPECTED_SEQ: &str = "producer-expected-seq";
    pub const PRODUCER_RECEIVED_SEQ: &str = "producer-received-seq";

    pub const SERVER_TIMING: &str = "server-timing";
    pub const X_ACCEL_BUFFERING: &str = "x-accel-buffering";
    pub const MAX_REQUEST_BYTES: &str = "ursula-max-request-bytes";
    pub const MAX_SNAPSHOT_BYTES: &str = "ursula-max-snapshot-bytes";
    pub const MAX_STAGED_BYTES: &str = "ursula-max-staged-bytes";
    pub const MAX_STAGED_PARTS: &str = "ursula-max-staged-parts";
}
