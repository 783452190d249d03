//! The runtime of a real process: the one place in this crate that reads clocks and dice.
#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "this is what everything else goes through")]

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use futures::{FutureExt, future::BoxFuture};
use rand::{Rng, rand_core::UnwrapErr, rngs::SysRng};
use wadi_protocol::Timestamp;

use crate::Runtime;

/// Tokio's tasks and timers, the machine's clocks, and the system's random generator.
#[derive(Debug)]
pub struct TokioRuntime {
    started: Instant,
}

impl Default for TokioRuntime {
    fn default() -> Self {
        Self { started: Instant::now() }
    }
}

impl Runtime for TokioRuntime {
    fn spawn(&self, task: BoxFuture<'static, ()>) {
        drop(tokio::spawn(task));
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'static, ()> {
        tokio::time::sleep(duration).boxed()
    }

    fn monotonic(&self) -> Duration {
        self.started.elapsed()
    }

    fn wall(&self) -> Timestamp {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Timestamp::from_millis(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
    }

    /// Panics where the system has no randomness to give: no id could be made.
    fn random(&self) -> u64 {
        // A generator in memory would go on alike in two processes that were restored from one snapshot,
        // and both would write under the same ids.
        UnwrapErr(SysRng).next_u64()
    }
}
