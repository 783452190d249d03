//! A meter: requests by kind, and the time they took.

use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use crate::{Operation, RequestCounts};

/// Counts the requests of one piece of work. All clones are one.
#[derive(Clone)]
pub struct Meter {
    monotonic: Arc<dyn Fn() -> Duration + Send + Sync>,
    tally: Arc<Mutex<Tally>>,
}

/// What was asked of the store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// The requests that were sent, answered or not.
    pub requests: RequestCounts,
    /// The time in which at least one of them was under way.
    pub waited: Duration,
}

#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    requests: RequestCounts,
    under_way: u64,
    /// When the first of those under way was sent.
    since: Duration,
    waited: Duration,
}

/// A request under way, until it is dropped: answered, or given up.
#[derive(Debug)]
pub(super) struct UnderWay(Meter);

impl Meter {
    /// A meter at zero; `monotonic` is the time since some fixed start.
    pub fn new(monotonic: impl Fn() -> Duration + Send + Sync + 'static) -> Self {
        Self { monotonic: Arc::new(monotonic), tally: Arc::default() }
    }

    /// What it shows, requests under way included.
    pub fn usage(&self) -> Usage {
        let now = (self.monotonic)();
        let tally = self.tally();
        let open = if tally.under_way > 0 { now.saturating_sub(tally.since) } else { Duration::ZERO };
        Usage { requests: tally.requests, waited: tally.waited + open }
    }

    /// Counts requests that another meter has counted: work that was done for this one in advance.
    pub fn add(&self, requests: RequestCounts) {
        let mut tally = self.tally();
        tally.requests = tally.requests + requests;
    }

    pub(super) fn start(&self, operation: Operation) -> UnderWay {
        let now = (self.monotonic)();
        let mut tally = self.tally();
        match operation {
            Operation::Get => tally.requests.get += 1,
            Operation::Put | Operation::BeginUpload | Operation::PutPart | Operation::CompleteUpload => {
                tally.requests.put += 1;
            }
            Operation::Delete | Operation::AbortUpload => tally.requests.delete += 1,
            Operation::List => tally.requests.list += 1,
        }
        if tally.under_way == 0 {
            tally.since = now;
        }
        tally.under_way += 1;
        drop(tally);
        UnderWay(self.clone())
    }

    fn tally(&self) -> MutexGuard<'_, Tally> {
        self.tally.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        let now = (self.0.monotonic)();
        let mut tally = self.0.tally();
        tally.under_way = tally.under_way.saturating_sub(1);
        if tally.under_way == 0 {
            let waited = now.saturating_sub(tally.since);
            tally.waited += waited;
        }
    }
}

impl fmt::Debug for Meter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Meter").field(&self.usage()).finish()
    }
}
