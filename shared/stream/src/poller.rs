//! Finding what other processes append: one poller a stream, while somebody tails it here.

use std::{sync::Arc, time::Duration};

use futures::FutureExt;
use wadi_protocol::decide::decide_expiry;

use crate::cell::{Cell, Lookup};

/// How often the next slot is looked at for the tails of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Polling {
    /// Right after something was found.
    pub busy: Duration,
    /// At the longest; each look that finds nothing doubles the pause up to it.
    pub idle: Duration,
}

impl Default for Polling {
    fn default() -> Self {
        Self { busy: Duration::from_millis(50), idle: Duration::from_secs(1) }
    }
}

impl Cell {
    /// Starts the poller of this stream, unless it runs.
    pub(crate) fn poll_for_tails(self: &Arc<Self>) {
        if !std::mem::replace(&mut self.inner().watchers.polling, true) {
            let cell = self.clone();
            self.bucket().runtime().spawn(async move { Poller { cell, over: false }.run().await }.boxed());
        }
    }
}

struct Poller {
    cell: Arc<Cell>,
    /// It found nobody tailing. From then on the cell may be another poller's.
    over: bool,
}

impl Poller {
    async fn run(mut self) {
        let Polling { busy, idle } = self.cell.shared.polling;
        // Slowly at first: most tails are of streams where nothing happens.
        let mut pause = idle;
        loop {
            self.cell.bucket().runtime().sleep(pause).await;
            if !self.goes_on() {
                return;
            }
            pause = if self.look(pause).await { busy } else { (pause * 2).min(idle) };
        }
    }

    /// Looks at the next slot, unless somebody else has within the last pause. True when there was
    /// news. Whoever waits is woken where the news is taken in, whoever brings it.
    async fn look(&self, pause: Duration) -> bool {
        let before = self.cell.view();
        if let Some(view) = &before
            && self.cell.bucket().now().is_some_and(|now| now.since(view.position.validated) < pause)
        {
            return false;
        }
        match self.cell.current().await {
            Ok(Lookup::Live(view)) => {
                if decide_expiry(&view.state, self.cell.bucket().moment()).is_some() {
                    // A failure shows again at the next look.
                    let _ = self.cell.end_if_expired().await;
                }
                before.is_none_or(|before| before.position.seq != view.position.seq)
            }
            Ok(Lookup::Missing) => {
                let news = self.cell.inner().watchers.news();
                news.wake();
                true
            }
            Err(_) => false,
        }
    }

    fn goes_on(&mut self) -> bool {
        let mut inner = self.cell.inner();
        self.over = inner.watchers.tails == 0;
        inner.watchers.polling = !self.over;
        !self.over
    }
}

impl Drop for Poller {
    /// Should the task end before its time, the next tail starts another.
    fn drop(&mut self) {
        if !self.over {
            self.cell.inner().watchers.polling = false;
        }
    }
}
