//! Who waits for news of a stream, and how they are woken.

use futures::channel::oneshot;

/// The tails of one stream in one process.
#[derive(Debug, Default)]
pub(crate) struct Watchers {
    waiting: Vec<oneshot::Sender<()>>,
    /// Open tails, waiting or not.
    pub(crate) tails: usize,
    /// A poller runs for them.
    pub(crate) polling: bool,
}

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

    /// Wakes everybody who waits.
    pub(crate) fn wake(&mut self) {
        for waiting in self.waiting.drain(..) {
            // One that gave up has nothing to learn.
            let _ = waiting.send(());
        }
    }
}
