//! A process that is suspended, as a function between two requests is.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use futures::{FutureExt, future::BoxFuture};
use tokio::{sync::watch, time::Instant};
use wadi_protocol::Timestamp;
use wadi_stream::Runtime;

use super::VirtualRuntime;

/// Virtual time that stands still while the process is suspended. The wall clock goes on.
///
/// Requests under way are not touched: a test holds them with a fault script.
#[derive(Debug)]
pub struct SuspendableRuntime {
    inner: VirtualRuntime,
    clock: Arc<Clock>,
}

#[derive(Debug)]
struct Clock {
    started: Instant,
    lost: Mutex<(Duration, Option<Instant>)>,
    suspended: watch::Sender<bool>,
}

impl SuspendableRuntime {
    pub fn new(seed: u64) -> Self {
        let clock = Clock { started: Instant::now(), lost: Mutex::default(), suspended: watch::Sender::new(false) };
        Self { inner: VirtualRuntime::new(seed), clock: Arc::new(clock) }
    }

    pub fn suspend(&self) {
        self.clock.lost.lock().unwrap().1 = Some(Instant::now());
        self.clock.suspended.send_replace(true);
    }

    pub fn resume(&self) {
        {
            let mut lost = self.clock.lost.lock().unwrap();
            let since = lost.1.take().map_or(Duration::ZERO, |since| since.elapsed());
            lost.0 += since;
        }
        self.clock.suspended.send_replace(false);
    }
}

impl Clock {
    fn now(&self) -> Duration {
        let lost = self.lost.lock().unwrap();
        let since = lost.1.map_or(Duration::ZERO, |since| since.elapsed());
        self.started.elapsed().saturating_sub(lost.0 + since)
    }
}

impl Runtime for SuspendableRuntime {
    fn spawn(&self, task: BoxFuture<'static, ()>) {
        self.inner.spawn(task);
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'static, ()> {
        let clock = self.clock.clone();
        let until = clock.now() + duration;
        async move {
            while clock.now() < until {
                tokio::time::sleep(until.saturating_sub(clock.now())).await;
                let _ = clock.suspended.subscribe().wait_for(|suspended| !suspended).await;
            }
        }
        .boxed()
    }

    fn monotonic(&self) -> Duration {
        self.clock.now()
    }

    fn wall(&self) -> Timestamp {
        self.inner.wall()
    }

    fn random(&self) -> u64 {
        self.inner.random()
    }
}
