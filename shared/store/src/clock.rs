//! The dates that a store without a server puts on its answers.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use wadi_protocol::Timestamp;

/// Where a store takes the time from. Passed in, so that tests and simulations decide it.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// A clock made fit for dating answers: it never goes backwards, even when its source is set back.
pub(crate) struct Dates {
    clock: Clock,
    newest_millis: AtomicU64,
}

impl Dates {
    /// Dates from `clock`, none earlier than `floor`.
    pub(crate) fn new(clock: Clock, floor: Timestamp) -> Self {
        Self { clock, newest_millis: AtomicU64::new(floor.as_millis()) }
    }

    /// The date of an answer given now.
    pub(crate) fn now(&self) -> Timestamp {
        let read = (self.clock)().as_millis();
        let before = self.newest_millis.fetch_max(read, Ordering::AcqRel);
        Timestamp::from_millis(before.max(read))
    }
}

impl fmt::Debug for Dates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dates").field("newest_millis", &self.newest_millis).finish_non_exhaustive()
    }
}
