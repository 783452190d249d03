//! Decisions: what a request does to a stream, given its state and the time.
//!
//! Pure functions of state, request and moment. A decision is an answer, or an operation to
//! commit with the answer to give once it is committed.

mod bootstrap;
mod boundary;
mod chunk;
mod create;
mod delete;
mod evaluate;
mod forget;
mod parts;
mod read;
mod retention;
mod snapshot;
mod touch;
mod write;

#[cfg(test)]
mod chunk_tests;
#[cfg(test)]
mod close_tests;
#[cfg(test)]
mod create_tests;
#[cfg(test)]
mod delete_tests;
#[cfg(test)]
mod evaluate_tests;
#[cfg(test)]
mod expiry_tests;
#[cfg(test)]
pub(crate) mod fixtures;
#[cfg(test)]
mod forget_tests;
#[cfg(test)]
mod if_match_tests;
#[cfg(test)]
mod invariants_tests;
#[cfg(test)]
mod order_tests;
#[cfg(test)]
mod parts_tests;
#[cfg(test)]
mod random_tests;
#[cfg(test)]
mod read_tests;
#[cfg(test)]
mod retention_tests;
#[cfg(test)]
mod snapshot_tests;
#[cfg(test)]
mod write_tests;

use std::time::Duration;

pub use bootstrap::{BootstrapPlan, decide_bootstrap};
pub use boundary::NeedsByte;
pub use chunk::{ChunkPlan, decide_chunk};
pub use create::{decide_create_missing, decide_create_over};
pub use delete::decide_delete;
pub use evaluate::{Evaluation, evaluate_producer};
pub use parts::{decide_commit, decide_parts};
pub use read::{ReadPlan, decide_head, decide_read};
pub use retention::decide_retention;
pub use snapshot::{SnapshotPlan, decide_publish, decide_snapshot};
pub use touch::{decide_expiry, decide_touch};
pub use write::decide_write;

use crate::{DeleteReason, Incarnation, Operation, Refusal, StreamState, Timestamp};

/// The time of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// Now, by the store's clock.
    pub now: Timestamp,
    /// How coarse that clock is.
    pub resolution: Duration,
}

/// What a request comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision<T> {
    /// Nothing to commit.
    Answer(Result<T, Refusal>),
    /// Commit the operation; its answer may be given once that is done.
    Commit {
        /// The operation, with its results.
        operation: Operation,
        /// What to answer then.
        answer: Result<T, Refusal>,
    },
}

impl<T> Decision<T> {
    fn refuse(refusal: Refusal) -> Self {
        Self::Answer(Err(refusal))
    }

    /// The same decision, with another value where it succeeds.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Decision<U> {
        match self {
            Self::Answer(answer) => Decision::Answer(answer.map(change)),
            Self::Commit { operation, answer } => Decision::Commit { operation, answer: answer.map(change) },
        }
    }
}

/// The decision on any request to a stream that lives no more: a deleted stream is not found, and
/// one past its expiry is ended by whoever finds it so. `None` for a stream that lives.
fn ended<T>(state: &StreamState, moment: Moment) -> Option<Decision<T>> {
    if state.deleted.is_some() {
        return Some(Decision::refuse(Refusal::StreamNotFound));
    }
    decide_expiry(state, moment).map(|operation| Decision::Commit { operation, answer: Err(Refusal::StreamNotFound) })
}

fn same_incarnation(state: &StreamState, wanted: Option<Incarnation>) -> Result<(), Refusal> {
    match wanted {
        Some(wanted) if wanted != state.incarnation => {
            Err(Refusal::IncarnationMismatch { current: Some(state.incarnation) })
        }
        _ => Ok(()),
    }
}

const fn expired() -> Operation {
    Operation::Delete { reason: DeleteReason::Expired }
}
