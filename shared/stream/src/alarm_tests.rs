//! When an alarm rings, and how often a timer is set for it.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::{
    future::{pending, ready},
    sync::atomic::{AtomicU32, Ordering},
};

use futures::FutureExt;
use wadi_protocol::Timestamp;

use super::*;
use crate::TokioRuntime;

/// Counts how often it is asked to sleep, and has the time of paused tests.
#[derive(Debug)]
struct Counting {
    started: tokio::time::Instant,
    sleeps: AtomicU32,
}

impl Counting {
    fn new() -> Self {
        Self { started: tokio::time::Instant::now(), sleeps: AtomicU32::new(0) }
    }

    fn sleeps(&self) -> u32 {
        self.sleeps.load(Ordering::Relaxed)
    }
}

impl Runtime for Counting {
    fn spawn(&self, task: BoxFuture<'static, ()>) {
        TokioRuntime::default().spawn(task);
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'static, ()> {
        self.sleeps.fetch_add(1, Ordering::Relaxed);
        TokioRuntime::default().sleep(duration)
    }

    fn monotonic(&self) -> Duration {
        self.started.elapsed()
    }

    fn wall(&self) -> Timestamp {
        Timestamp::EPOCH
    }

    fn random(&self) -> u64 {
        0
    }
}

const SECOND: Duration = Duration::from_secs(1);

#[tokio::test(start_paused = true)]
async fn events_that_keep_coming_set_a_timer_once() {
    let (runtime, mut alarm) = (Counting::new(), Alarm::default());
    for _ in 0..100 {
        tokio::time::advance(Duration::from_millis(1)).await;
        let deadline = runtime.monotonic() + SECOND;
        assert_eq!(alarm.before(deadline, &runtime, ready(7)).await, Some(7));
    }
    assert_eq!(runtime.sleeps(), 1);
}

#[tokio::test(start_paused = true)]
async fn it_rings_at_the_deadline_whether_it_was_set_for_an_earlier_or_a_later_time() {
    let (runtime, mut alarm) = (Counting::new(), Alarm::default());
    for set_for in [SECOND, 10 * SECOND] {
        let earlier = runtime.monotonic() + set_for;
        assert_eq!(alarm.before(earlier, &runtime, ready(())).await, Some(()));
        let deadline = runtime.monotonic() + 5 * SECOND;
        assert_eq!(alarm.before(deadline, &runtime, pending::<()>()).await, None);
        assert_eq!(runtime.monotonic(), deadline);
    }
    assert_eq!(runtime.sleeps(), 4);
}

#[tokio::test(start_paused = true)]
async fn a_wait_that_is_broken_off_leaves_an_alarm_that_rings() {
    let (runtime, mut alarm) = (Counting::new(), Alarm::default());
    let deadline = SECOND;
    assert_eq!(alarm.before(deadline, &runtime, pending::<()>()).now_or_never(), None);
    tokio::time::advance(2 * SECOND).await;
    assert_eq!(alarm.before(deadline, &runtime, pending::<()>()).await, None);
}
