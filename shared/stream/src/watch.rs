//! Who waits for news of a stream, and how they are woken.

use std::sync::Arc;

use futures::channel::oneshot;

use crate::shared_page::{PageKey, SharedPage, SharedPages};

/// The tails of one stream in one process.
#[derive(Debug, Default)]
pub(crate) struct Watchers {
    waiting: Vec<oneshot::Sender<()>>,
    /// Open tails, waiting or not.
    pub(crate) tails: usize,
    /// A poller runs for them.
    pub(crate) polling: bool,
    pages: SharedPages,
}

/// Those who wait for news that has come. They are woken once the stream is not locked any more: the first thing
/// that they do is to take that lock, on every processor there is.
#[derive(Debug, Default)]
#[must_use]
pub(crate) struct News(Vec<oneshot::Sender<()>>);

impl Watchers {
    /// Resolves at the next news.
    pub(crate) fn wait(&mut self) -> oneshot::Receiver<()> {
        // Those that gave up waiting leave when the list would grow.
        if self.waiting.len() == self.waiting.capacity() {
            self.waiting.retain(|waiting| !waiting.is_canceled());
        }
        let (news, wait) = oneshot::channel();
        self.waiting.push(news);
        wait
    }

    /// There is news, for everybody who waits. Pages of what was known before are nobody's next any more.
    pub(crate) fn news(&mut self) -> News {
        self.pages = SharedPages::default();
        News(std::mem::take(&mut self.waiting))
    }

    /// A page that another tail has read.
    pub(crate) fn page(&mut self, key: &PageKey) -> Option<Arc<SharedPage>> {
        self.pages.take(key)
    }

    /// Leaves a page to the other tails.
    pub(crate) fn share(&mut self, key: PageKey, page: &Arc<SharedPage>) {
        self.pages.leave(key, page, self.tails.saturating_sub(1));
    }

    /// A tail is gone. Pages are kept for those that are open only.
    pub(crate) fn leave(&mut self) {
        self.tails = self.tails.saturating_sub(1);
        if self.tails == 0 {
            self.pages = SharedPages::default();
        }
    }
}

impl News {
    /// Wakes them.
    pub(crate) fn wake(self) {
        for waiting in self.0 {
            // One that gave up has nothing to learn.
            let _ = waiting.send(());
        }
    }
}
