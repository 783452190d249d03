//! Why the log cannot be read on.

use thiserror::Error;
use wadi_store::StoreError;

/// A failure to read the log.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub(crate) enum LogError {
    /// The store did not answer.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// An answer came too long after the state it was asked on was validated: it proves nothing.
    #[error("an answer came too late to be believed; the stream must be opened again")]
    Stale,
    /// The log does not continue the state: a slot is missing below one that exists, or a record
    /// names another predecessor.
    #[error("the log does not continue what was read of it: {0}")]
    Broken(String),
    /// A record fails its checksum or cannot be parsed.
    #[error("a record is damaged: {0}")]
    Damaged(String),
    /// A record of a format that this release does not know.
    #[error("a record has format {0}, which this release does not know; run a newer release")]
    UnknownFormat(u32),
}
