//! The limits of this crate, each named once. Units come last in a name.

use std::time::Duration;

const MIB: u64 = 1024 * 1024;

/// Bytes of request bodies held at once, unless the settings say otherwise.
pub const BODIES_IN_FLIGHT_BYTES_MAX: u64 = 256 * MIB;

/// Longest time between two pieces of a body that is being read.
pub const BODY_STALL_MAX: Duration = Duration::from_secs(20);
/// Longest time for a whole body.
pub const BODY_READ_MAX: Duration = Duration::from_mins(5);

/// Longest time that the rest of a body is drained after its answer was given.
pub const DRAIN_MAX: Duration = Duration::from_secs(30);
/// Longest time between two pieces of a body that is being drained.
pub const DRAIN_STALL_MAX: Duration = Duration::from_secs(5);
/// Most bytes drained of one body.
pub const DRAIN_BYTES_MAX: u64 = 64 * MIB;
/// Most bodies drained at once; a further one is cut off.
pub const DRAINS_MAX: usize = 256;

/// Largest body that is examined where its request is served; a larger one is handed to a thread
/// that may take its time.
pub const INLINE_BYTES_MAX: usize = 256 * 1024;

/// How long a long-poll waits that does not say.
pub const LONG_POLL_WAIT_DEFAULT: Duration = Duration::from_secs(20);
/// Shortest and longest wait that a long-poll may ask for.
pub const LONG_POLL_WAIT_MIN: Duration = Duration::from_millis(1);
/// See [`LONG_POLL_WAIT_MIN`].
pub const LONG_POLL_WAIT_MAX: Duration = Duration::from_mins(1);

/// Longest silence on an open stream of events; a comment breaks it.
pub const SSE_COMMENT_EVERY: Duration = Duration::from_secs(14);
/// How long a stream of events stays open, unless the settings say otherwise.
pub const SSE_LIFETIME: Duration = Duration::from_secs(55);
/// Most stream bytes in one event: what one slow reader holds in memory.
pub const SSE_STEP_BYTES_MAX: u64 = 256 * 1024;

/// Most bytes of a JSON stream that are put into parts at a time. The part of a short message is up to 60
/// times as long as the message.
pub const BOOTSTRAP_STEP_BYTES_MAX: usize = 32 * 1024;

/// Live reads open at once, unless the settings say otherwise. Most take a connection each, so it is less than
/// what a process serves of these: other requests find one, too.
pub const LIVE_READS_MAX: usize = 16_000;

/// Shortest body that is compressed: below it, nothing is gained.
pub const COMPRESSED_BYTES_MIN: u64 = 256;
/// How hard zstd tries, of 1 to 22: its own default.
pub const ZSTD_LEVEL: i32 = 3;
/// How hard Brotli tries, of 0 to 11. Above it, time grows far faster than what is saved.
pub const BROTLI_QUALITY: i32 = 4;
/// How far back Brotli looks, as a power of two of bytes; what one answer costs in memory goes with it.
pub const BROTLI_WINDOW_LOG2: i32 = 20;
/// How hard gzip tries, of 0 to 9: as little as it can.
pub const GZIP_LEVEL: u32 = 1;

/// How long a browser may remember a preflight.
pub const PREFLIGHT_MAX_AGE: Duration = Duration::from_mins(10);
/// Most bytes of requested header names that a preflight echoes.
pub const PREFLIGHT_ECHO_BYTES_MAX: usize = 4096;

/// Longest wait for the bucket when readiness is asked for.
pub const READINESS_WAIT_MAX: Duration = Duration::from_secs(5);

/// Most bytes of a path that are logged.
pub const PATH_LOGGED_BYTES_MAX: usize = 256;

const _: () = assert!(BODIES_IN_FLIGHT_BYTES_MAX >= wadi_protocol::limits::REQUEST_BYTES_MAX);
const _: () = assert!(DRAIN_BYTES_MAX > wadi_protocol::limits::REQUEST_BYTES_MAX);
const _: () = assert!(DRAIN_STALL_MAX.as_secs() < DRAIN_MAX.as_secs());
const _: () = assert!(BODY_STALL_MAX.as_secs() < BODY_READ_MAX.as_secs());
