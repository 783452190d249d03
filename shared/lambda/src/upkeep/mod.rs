//! What keeps the bucket fast to read and free of garbage, started by events.

mod bucket_event;
mod schedule;
mod sealer;
mod sweep;

use thiserror::Error;

pub use self::{
    bucket_event::BucketEvent,
    schedule::ScheduleEvent,
    sealer::{Sealed, Sealer},
    sweep::{SweepReport, sweep},
};

/// Why an invocation failed. Each is worth another try.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum UpkeepError {
    /// Some streams are not sealed.
    #[error("{failed} of {streams} streams could not be sealed; the log says why. Sealing them again does no harm")]
    Unsealed {
        /// Those that are not.
        failed: usize,
        /// All that were told of.
        streams: usize,
    },
    /// The bucket does not answer.
    #[error("the bucket does not answer; the log says why")]
    StoreUnavailable,
    /// Some names are not swept.
    #[error("{0} names could not be swept; the log says why")]
    Unswept(u64),
}
