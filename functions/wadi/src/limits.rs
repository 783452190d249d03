//! Bounds of the command. Units come last in a name.

/// Connections served at once. More wait in the system's queue.
pub(crate) const CONNECTIONS_MAX: usize = 16_384;
// Live reads alone never take them all, unless the settings say so.
const _: () = assert!(wadi_http::limits::LIVE_READS_MAX < CONNECTIONS_MAX);

/// One sweep in so many looks at every name and for orphans.
pub(crate) const SWEEPS_TO_A_FULL_ONE: u64 = 28;
