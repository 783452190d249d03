//! The processor time of another process.

use std::time::Duration;

use wadi_tests::process::processor_time;

use crate::failure::Failure;

/// A process whose time is taken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Processor(pub(crate) u32);

impl Processor {
    /// What all its threads have used so far.
    pub(crate) fn used(self) -> Result<Duration, Failure> {
        processor_time(self.0).ok_or_else(|| Failure::Setting("the server's process is gone".to_owned()))
    }
}
