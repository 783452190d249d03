//! What ends a benchmark early.

use thiserror::Error;
use wadi_store::StoreError;

/// Why a figure could not be measured.
#[derive(Debug, Error)]
pub(crate) enum Failure {
    /// A connection could not be made, or broke.
    #[error("{what}: {reason}; is the server still there?")]
    Connection {
        /// What was being done.
        what: &'static str,
        /// What went wrong.
        reason: String,
    },
    /// A server answered what no step of a benchmark expects.
    #[error("{what} was answered {status}: {body}")]
    Answer {
        /// What was asked.
        what: &'static str,
        /// The status of the answer.
        status: u16,
        /// Its body.
        body: String,
    },
    /// The store below failed.
    #[error("the floor could not be measured: {0}")]
    Store(#[from] StoreError),
    /// Something acknowledged is missing, or something came twice.
    #[error("the counts of `{row}` do not add up: {expected} expected, {found} found")]
    Counts {
        /// The row of the table.
        row: String,
        /// What was acknowledged.
        expected: u64,
        /// What is there.
        found: u64,
    },
    /// Something that was waited for did not come.
    #[error("waited too long for {0}")]
    Late(&'static str),
    /// An argument, a file or the environment is not as it must be.
    #[error("{0}")]
    Setting(String),
}

impl Failure {
    /// A connection that failed.
    pub(crate) fn connection(what: &'static str, error: impl std::fmt::Display) -> Self {
        Self::Connection { what, reason: error.to_string() }
    }

    /// Something around that failed.
    pub(crate) fn setting(error: impl std::fmt::Display) -> Self {
        Self::Setting(error.to_string())
    }
}
