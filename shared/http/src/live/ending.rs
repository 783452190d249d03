//! The end of the process, which live reads do not hold up.

use std::{fmt, time::Duration};

use futures::{FutureExt, future::BoxFuture};
use tokio::sync::watch;
use wadi_protocol::Refusal;
use wadi_stream::{Tail, TailStep};

/// Tells live reads that the process is about to end. All clones are one.
///
/// From then on a long-poll is answered with what there is, and a stream of events ends between two
/// events, as it would at the end of its lifetime; their clients come back, to another process.
#[derive(Clone, Debug)]
pub struct Ending(watch::Sender<bool>);

/// The end as one live read awaits it, for as long as that is open.
pub(super) struct Awaited {
    ending: Ending,
    begun: BoxFuture<'static, ()>,
}

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

    pub(super) fn awaited(&self) -> Awaited {
        let mut begun = self.0.subscribe();
        // Its sender is held beside it.
        let begun = async move { drop(begun.wait_for(|begun| *begun).await) };
        Awaited { ending: self.clone(), begun: begun.boxed() }
    }
}

impl Awaited {
    pub(super) fn has_begun(&self) -> bool {
        *self.ending.0.borrow()
    }

    /// The next step of a tail, which waits for it no longer than the process lives.
    pub(super) async fn step(&mut self, tail: &mut Tail, bytes_max: u64, wait: Duration) -> Result<TailStep, Refusal> {
        if !self.has_begun() {
            // It stays registered from step to step, and is not asked again once it has resolved.
            let waited = tokio::select! {
                biased;
                step = tail.step(bytes_max, wait) => Some(step),
                () = &mut self.begun => None,
            };
            if let Some(step) = waited {
                return step;
            }
        }
        tail.step(bytes_max, Duration::ZERO).await
    }
}

impl fmt::Debug for Awaited {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Awaited").field(&self.has_begun()).finish()
    }
}
