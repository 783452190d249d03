//! The number of files and connections that the process may have open.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Descriptors kept for everything but connections.
const RESERVED: u64 = 256;

/// Raises the limit as far as the system lets the process, and returns how many connections fit.
pub(crate) fn connections_max(wanted: usize) -> usize {
    let before = getrlimit(Resource::Nofile);
    let raised = Rlimit { current: before.maximum, maximum: before.maximum };
    if let Err(error) = setrlimit(Resource::Nofile, raised) {
        tracing::warn!(%error, limit = before.current, "the limit of open files stays as it is");
    }
    let limit = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    let room = usize::try_from(limit.saturating_sub(RESERVED)).unwrap_or(usize::MAX);
    wanted.min(room).max(1)
}
