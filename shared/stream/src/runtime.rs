//! Time, randomness and tasks, passed in so that a simulation can own them.

use std::{fmt, time::Duration};

use futures::future::BoxFuture;
use wadi_protocol::Timestamp;

/// What the engine needs of the process it runs in.
pub trait Runtime: fmt::Debug + Send + Sync {
    /// Runs a task to its end, whatever becomes of the request that started it.
    fn spawn(&self, task: BoxFuture<'static, ()>);

    /// Waits.
    fn sleep(&self, duration: Duration) -> BoxFuture<'static, ()>;

    /// Time since some fixed start. May stand still while the process is suspended.
    fn monotonic(&self) -> Duration;

    /// The local wall clock: only to notice that time passed while the process was suspended,
    /// never to date anything.
    fn wall(&self) -> Timestamp;

    /// 64 random bits.
    fn random(&self) -> u64;
}
