//! The end of the process, which live reads do not hold up.

use std::time::Duration;

use tokio::sync::watch;
use wadi_protocol::Refusal;
use wadi_stream::{Tail, TailStep};

/// Tells live reads that the process is about to end. All clones are one.
///
/// From then on a long-poll is answered with what there is, and a stream of events ends between two
/// events, as it would at the end of its lifetime; their clients come back, to another process.
#[derive(Clone, Debug)]
pub struct Ending(watch::Sender<bool>);

impl Default for Ending {
    fn default() -> Self {
        Self(watch::Sender::new(false))
    }
}

impl Ending {
    /// The process is about to end.
    pub fn begin(&self) {
        self.0.send_replace(true);
    }

    pub(super) fn has_begun(&self) -> bool {
        *self.0.borrow()
    }

    /// The next step of a tail, which waits for it no longer than the process lives.
    pub(super) async fn step(&self, tail: &mut Tail, bytes_max: u64, wait: Duration) -> Result<TailStep, Refusal> {
        let mut begun = self.0.subscribe();
        let waited = tokio::select! {
            step = tail.step(bytes_max, wait) => Some(step),
            _ = begun.wait_for(|begun| *begun) => None,
        };
        match waited {
            Some(step) => step,
            None => tail.step(bytes_max, Duration::ZERO).await,
        }
    }
}
