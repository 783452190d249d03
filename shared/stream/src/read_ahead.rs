//! Reading ahead of readers who catch up: while a page is on its way to one, the next comes into the cache.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use futures::{FutureExt, channel::oneshot};
use wadi_protocol::{Incarnation, Offset};
use wadi_store::{Meter, current_meter, metered};

use crate::{
    cell::Cell,
    limits::{READ_AHEAD_AFTER_BYTES_MIN, READ_AHEAD_WAIT_MAX},
    read::ReadAnswer,
    view::View,
};

/// The pages that readers are expected to ask for next. They are few, so that all of them fit the cache.
#[derive(Debug)]
pub(crate) struct ReadAhead {
    pages_max: usize,
    pages: Mutex<Vec<Expected>>,
}

/// A page that is in the cache, or on its way there.
#[derive(Debug)]
struct Expected {
    incarnation: Incarnation,
    start: Offset,
    /// When it was asked for, in local monotonic time.
    asked: Duration,
    /// Ends with the fetching.
    fetching: oneshot::Receiver<()>,
    /// What fetching it asked of the store.
    meter: Meter,
}

impl Expected {
    fn is(&self, incarnation: Incarnation, start: Offset) -> bool {
        self.incarnation == incarnation && self.start == start
    }
}

impl ReadAhead {
    /// Reads ahead for at most so many readers at once.
    pub(crate) fn new(pages_max: usize) -> Self {
        Self { pages_max, pages: Mutex::default() }
    }

    /// Waits for a page that is on its way. What fetching it cost is told with the request that it was fetched for.
    pub(crate) async fn arrived(&self, incarnation: Incarnation, start: Offset) {
        let Some(page) = self.take(incarnation, start) else { return };
        // It ends in any case, and what it did not bring the reader fetches.
        let _ = page.fetching.await;
        if let Some(meter) = current_meter() {
            meter.add(page.meter.usage().requests);
        }
    }

    fn take(&self, incarnation: Incarnation, start: Offset) -> Option<Expected> {
        let mut pages = self.pages();
        let index = pages.iter().position(|page| page.is(incarnation, start))?;
        Some(pages.swap_remove(index))
    }

    /// A place for a page, unless it is expected already or each place is another's. Who does not come for a page in time
    /// loses its place. To be dropped: the sender, when the page has been fetched.
    fn claim(&self, incarnation: Incarnation, start: Offset, now: Duration) -> Option<(oneshot::Sender<()>, Meter)> {
        let mut pages = self.pages();
        pages.retain(|page| now.saturating_sub(page.asked) < READ_AHEAD_WAIT_MAX);
        if pages.len() >= self.pages_max || pages.iter().any(|page| page.is(incarnation, start)) {
            return None;
        }
        let (done, fetching) = oneshot::channel();
        // Only its counts are told on: nobody waits for all of the time that it takes.
        let meter = Meter::new(|| Duration::ZERO);
        pages.push(Expected { incarnation, start, asked: now, fetching, meter: meter.clone() });
        Some((done, meter))
    }

    fn pages(&self) -> MutexGuard<'_, Vec<Expected>> {
        self.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Cell {
    /// Fetches the page of at most `bytes_max` that follows, where a reader takes large ones and what follows is sealed.
    pub(crate) fn read_ahead(self: &Arc<Self>, view: &Arc<View>, bytes_max: u64, answer: &ReadAnswer) {
        let (next, sealed_to) = (answer.next, view.spans_from());
        if (answer.body.len() as u64) < READ_AHEAD_AFTER_BYTES_MIN || next >= sealed_to {
            return;
        }
        let now = self.bucket().monotonic();
        let Some((done, meter)) = self.shared.read_ahead.claim(view.state.incarnation, next, now) else { return };
        let (cell, view, end) = (self.clone(), view.clone(), next.saturating_add(bytes_max).min(sealed_to));
        let fetching = async move {
            cell.prefetch(&view, next, end).await;
            drop(done);
        };
        self.bucket().runtime().spawn(metered(Some(meter), fetching).boxed());
    }
}
