//! Tokio's clock for everything, so that a test with paused time waits for nothing.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use futures::{FutureExt, future::BoxFuture};
use tokio::time::Instant;
use wadi_protocol::Timestamp;
use wadi_stream::Runtime;

/// Where the wall clock starts.
const START: Timestamp = Timestamp::from_millis(1_800_000_000_000);

/// A runtime on tokio's clock, real or paused.
#[derive(Debug)]
pub(crate) struct TestRuntime {
    started: Instant,
    random: AtomicU64,
}

impl Default for TestRuntime {
    fn default() -> Self {
        Self { started: Instant::now(), random: AtomicU64::new(0) }
    }
}

impl Runtime for TestRuntime {
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
        START.saturating_add(self.started.elapsed())
    }

    /// Another number each time, and the same ones in every run.
    fn random(&self) -> u64 {
        self.random.fetch_add(1, Ordering::Relaxed).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}
