//! When a stream is due for sealing, and the task that seals it in the background.

use std::sync::Arc;

use futures::FutureExt;
use wadi_protocol::Refusal;

use super::Sealing;
use crate::{
    cell::{Cell, Lookup},
    limits::{SEAL_BYTES, SEAL_OVERDUE_BYTES, SEAL_OVERDUE_RATIO, SEAL_PAUSE_AFTER_FAILURE},
    log::LogError,
    view::View,
};

impl View {
    /// Whether enough was added since the last checkpoint, as many as `seal_records` or
    /// [`SEAL_BYTES`]. A sparse stream is left alone until it is closed.
    pub(crate) fn is_due_for_sealing(&self, seal_records: u64) -> bool {
        let (records, bytes) = self.unsealed();
        let closed = self.state.closed && self.manifest.manifest.sealed.chunks_end < self.state.tail;
        self.state.deleted.is_none() && records > 0 && (records >= seal_records || bytes >= SEAL_BYTES || closed)
    }

    /// Whether sealing is so late that whoever should do it must have gone.
    fn is_overdue_for_sealing(&self, seal_records: u64) -> bool {
        let (records, bytes) = self.unsealed();
        let many = records >= seal_records.saturating_mul(SEAL_OVERDUE_RATIO);
        self.state.deleted.is_none() && (many || bytes >= SEAL_OVERDUE_BYTES)
    }

    /// Records and bytes since the last checkpoint.
    fn unsealed(&self) -> (u64, u64) {
        let manifest = &self.manifest.manifest;
        let records = self.position.seq.saturating_sub(manifest.log.checkpoint.seq);
        let bytes = self.state.tail.get().saturating_sub(manifest.sealed.end().get());
        (records, bytes)
    }
}

impl Cell {
    /// Starts sealing the stream, if it is due and nobody in this process is at it: after a write of
    /// this process.
    pub(crate) fn seal_when_due(self: &Arc<Self>, view: &View) {
        if self.needs_sealing(view) {
            self.seal_in_background();
        }
    }

    /// The same, of a stream that others write: they seal it, unless they have gone.
    pub(crate) fn seal_when_overdue(self: &Arc<Self>, view: &View) {
        if view.is_overdue_for_sealing(self.shared.seal_records) {
            self.seal_in_background();
        }
    }

    fn needs_sealing(&self, view: &View) -> bool {
        view.is_due_for_sealing(self.shared.seal_records)
    }

    fn seal_in_background(self: &Arc<Self>) {
        if self.shared.sealing != Sealing::Background {
            return;
        }
        if !std::mem::replace(&mut self.inner().sealing, true) {
            let task = SealingTask { cell: self.clone(), over: false };
            self.bucket().runtime().spawn(async move { task.run().await }.boxed());
        }
    }

    /// Whether the stream that was looked up is due.
    pub(crate) fn is_due_for_sealing(&self, lookup: &Lookup) -> bool {
        matches!(lookup, Lookup::Live(view) if self.needs_sealing(view))
    }

    /// Seals the stream that was looked up, if it is due. True when a checkpoint was published.
    pub(crate) async fn seal_if_due(self: &Arc<Self>, lookup: Lookup) -> Result<bool, Refusal> {
        match lookup {
            Lookup::Live(view) if self.needs_sealing(&view) => {
                match self.seal(&view).await {
                    // Another sealer was faster by so much that what it replaced is collected. A
                    // view that probes keep warm would never learn of that.
                    Err(LogError::Stale) => {
                        self.discard(&view);
                        Ok(false)
                    }
                    sealed => sealed.map_err(|error| self.unreadable(&error)),
                }
            }
            Lookup::Live(_) | Lookup::Missing => Ok(false),
        }
    }
}

/// The task that seals one stream while it is due.
struct SealingTask {
    cell: Arc<Cell>,
    /// It found the stream sealed. From then on it may be another task's.
    over: bool,
}

impl SealingTask {
    async fn run(mut self) {
        while self.goes_on() {
            if !matches!(self.seal_in_turn().await, Ok(true)) {
                // Somebody else may be sealing it, or the store is in trouble.
                self.cell.bucket().runtime().sleep(SEAL_PAUSE_AFTER_FAILURE).await;
            }
        }
    }

    /// Seals it once, when it is its turn. It waits without one after a failure.
    async fn seal_in_turn(&self) -> Result<bool, Refusal> {
        let _turn = self.cell.shared.seal_turns.acquire().await;
        // What this process wrote is enough to seal: no look at what others write.
        self.cell.seal_if_due(self.cell.usable().await?).await
    }

    fn goes_on(&mut self) -> bool {
        let mut inner = self.cell.inner();
        self.over = !inner.view().is_some_and(|view| self.cell.needs_sealing(view));
        inner.sealing = !self.over;
        !self.over
    }
}

impl Drop for SealingTask {
    /// Should the task end before its time, the next write may start another.
    fn drop(&mut self) {
        if !self.over {
            self.cell.inner().sealing = false;
        }
    }
}
