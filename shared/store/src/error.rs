//! What can go wrong at a store, told apart by what it proves about a write.

use thiserror::Error;

/// A request to the store that got no usable answer.
///
/// A failed condition is not an error: it is an answer, see [`crate::PutOutcome`].
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum StoreError {
    /// Nothing reached the store (no connection, no credentials): a write of this request can never appear.
    #[error("nothing was sent to the store: {reason}")]
    NotSent {
        /// What failed and what to do about it, for the log.
        reason: String,
    },
    /// The store understood the request and refused it (a 4xx other than a failed condition):
    /// it changed nothing.
    #[error("the store refused the request ({status} {code}): {message}; check credentials, bucket and permissions")]
    Rejected {
        /// HTTP status, or the nearest one for a store that speaks no HTTP.
        status: u16,
        /// The store's own error code, such as `AccessDenied`.
        code: String,
        /// The store's own message, for the log.
        message: String,
    },
    /// No answer, or a 5xx: a write of this request may have applied, or may still apply later.
    #[error("the store did not answer usably: {reason}; the same request may be sent again")]
    Unavailable {
        /// What failed, for the log.
        reason: String,
    },
    /// The object that a read asked for began to come and broke off: the store is there, so asking once more is
    /// worth it. Only of reads.
    #[error("an object broke off before its end: {reason}; the same request may be sent again")]
    BrokenOff {
        /// What failed, for the log.
        reason: String,
    },
}

impl StoreError {
    /// True when this error proves that the write it answered changed nothing and never will.
    pub fn proves_nothing_written(&self) -> bool {
        match self {
            Self::NotSent { .. } | Self::Rejected { .. } => true,
            Self::Unavailable { .. } | Self::BrokenOff { .. } => false,
        }
    }
}
