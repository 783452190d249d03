//! Bounds of the command. Units come last in a name.

/// One sweep in so many looks at every name and for orphans.
pub(crate) const SWEEPS_TO_A_FULL_ONE: u64 = 28;
