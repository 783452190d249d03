//! Places for live reads: each open one takes a connection and memory, so they are bounded.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use wadi_protocol::Refusal;

/// The places of this process.
#[derive(Clone, Debug)]
pub(crate) struct Places(Arc<Semaphore>);

/// One place, free again when this is dropped.
#[derive(Debug)]
pub(crate) struct Place {
    _permit: OwnedSemaphorePermit,
}

impl Places {
    pub(crate) fn new(live_reads_max: usize) -> Self {
        Self(Arc::new(Semaphore::new(live_reads_max.min(Semaphore::MAX_PERMITS))))
    }

    /// Takes a place, or refuses at once.
    pub(crate) fn take(&self) -> Result<Place, Refusal> {
        let permit = self.0.clone().try_acquire_owned().map_err(|_| Refusal::TooManyLiveReads)?;
        Ok(Place { _permit: permit })
    }
}
