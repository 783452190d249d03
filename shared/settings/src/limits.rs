//! What settings may be set to. Units come last in a name.

use std::time::Duration;

/// The most live reads of one process that can be asked for.
pub(crate) const LIVE_READS_MAX: usize = 1_000_000;

/// Shortest and longest life of a stream of events. Shorter, and clients do little but come back.
pub(crate) const SSE_LIFETIME_MIN: Duration = Duration::from_secs(1);
/// See [`SSE_LIFETIME_MIN`].
pub(crate) const SSE_LIFETIME_MAX: Duration = Duration::from_hours(1);

/// Shortest and longest pause between two looks at a stream that is followed. Each look is one
/// request to the bucket.
pub(crate) const POLL_MIN: Duration = Duration::from_millis(10);
/// See [`POLL_MIN`].
pub(crate) const POLL_MAX: Duration = Duration::from_mins(1);

/// Shortest and longest pause between two sweeps of a process.
pub(crate) const SWEEP_EVERY_MIN: Duration = Duration::from_mins(1);
/// See [`SWEEP_EVERY_MIN`]. What a sweep leaves undone the next one has to find.
pub(crate) const SWEEP_EVERY_MAX: Duration = Duration::from_hours(24);

/// Smallest limit of a request's body. One that small lets hardly anything through, which is for who sets it.
pub(crate) const REQUEST_BYTES_MIN: u64 = 1;
/// Smallest limit of a bootstrap. Whatever it leaves out is read afterwards.
pub(crate) const BOOTSTRAP_BYTES_MIN: u64 = 1;
