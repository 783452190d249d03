//! What all requests share.

use bytes::Bytes;
use wadi_protocol::Refusal;
use wadi_stream::Engine;

use crate::{
    Settings,
    body::{Budget, Drains, Incoming, Reservation},
    limits::INLINE_BYTES_MAX,
    live::{Ending, Places},
};

/// The engine, the settings, and what bounds the requests.
#[derive(Debug)]
pub(crate) struct Shell {
    pub(crate) engine: Engine,
    pub(crate) settings: Settings,
    /// Places for live reads.
    pub(crate) places: Places,
    /// When live reads are to end.
    pub(crate) ending: Ending,
    /// What is left of request bodies that were not needed.
    pub(crate) drains: Drains,
    bodies: Budget,
}

impl Shell {
    pub(crate) fn new(engine: Engine, settings: Settings, ending: Ending) -> Self {
        let settings = settings.bounded();
        let bodies = Budget::new(settings.bodies_in_flight_bytes_max);
        let places = Places::new(settings.live_reads_max);
        Self { engine, settings, places, ending, drains: Drains::new(), bodies }
    }

    /// Reads a body whole. Its share of the budget is held until the reservation is dropped.
    pub(crate) async fn read(&self, body: Incoming) -> Result<(Bytes, Reservation), Refusal> {
        self.read_at_most(body, self.settings.request_bytes_max).await
    }

    /// The same for a body that has a limit of its own.
    pub(crate) async fn read_at_most(&self, body: Incoming, bytes_max: u64) -> Result<(Bytes, Reservation), Refusal> {
        let mut reservation = self.bodies.reserve(body.bytes_at_most(bytes_max))?;
        let bytes = body.read(bytes_max).await?;
        reservation.shrink_to(bytes.len());
        Ok((bytes, reservation))
    }
}

/// Examines a body of `length` bytes: here if it is small, else on a thread that may be kept busy.
pub(crate) async fn examine<T: Send + 'static>(
    length: usize,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Refusal> {
    if length <= INLINE_BYTES_MAX {
        return Ok(work());
    }
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => Ok(done),
        Err(error) => match error.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            // The process ends before the work began: nothing was applied.
            Err(_) => Err(Refusal::StreamBusy),
        },
    }
}
