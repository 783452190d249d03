//! What the platform and this crate bound, in one place. Units come last.

use std::time::Duration;

const MIB: u64 = 1024 * 1024;

/// Longest event of one invocation, as JSON: the platform answers 413 by itself above it.
///
/// See: <https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html>
pub const EVENT_BYTES_MAX: u64 = 6 * MIB;

/// Room that the event takes besides the body: headers, path, query and what the platform adds, each header
/// twice at most.
pub const EVENT_ENVELOPE_BYTES_MAX: u64 = 256 * 1024;

/// Largest request body. In the event it is in base64, four characters for three bytes. Text comes as a JSON
/// string instead, where quotes, backslashes and control characters take two to six bytes: a body that is full
/// of them can be too long for the platform below this.
pub const REQUEST_BYTES_MAX: u64 = 4 * MIB;

const _: () = assert!(
    REQUEST_BYTES_MAX.div_ceil(3) * 4 + EVENT_ENVELOPE_BYTES_MAX <= EVENT_BYTES_MAX,
    "a body of the largest size must fit into the event"
);

/// Longest answer that the platform streams.
///
/// See: <https://docs.aws.amazon.com/lambda/latest/dg/configuration-response-streaming.html>
pub const RESPONSE_BYTES_MAX: u64 = 200 * MIB;

/// Where a bootstrap ends early, so that there is room for the heads of its parts.
pub const BOOTSTRAP_BYTES_MAX: u64 = 190 * MIB;

const _: () = assert!(BOOTSTRAP_BYTES_MAX < RESPONSE_BYTES_MAX);

/// The least memory that a function can have, in MiB.
pub const MEMORY_MIB_MIN: u64 = 128;

/// Most secrets at once: the one in use, and the one that replaces it.
pub const SECRETS_MAX: usize = 2;

/// Shortest secret.
pub const SECRET_BYTES_MIN: usize = 16;

/// Streams that one invocation seals at a time. Each holds a few MiB.
pub const STREAMS_SEALED_AT_ONCE: usize = 4;

/// How old a mark must be for a sweep to take its event for lost.
pub const MARK_AGE_MIN: Duration = Duration::from_mins(10);

/// How long before the end of its time a sweep stops, to tell what it did.
pub const SWEEP_SPARE: Duration = Duration::from_secs(5);

/// How long it takes at most to note where it stopped.
pub const BOOKMARK_WAIT_MAX: Duration = Duration::from_secs(3);

const _: () = assert!(BOOKMARK_WAIT_MAX.as_secs() < SWEEP_SPARE.as_secs());
