//! What waits for the writer: bounded in changes and in bytes.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

use super::writer::Change;
use crate::{
    StoreError,
    limits::{EMBEDDED_QUEUE_BYTES_MAX, EMBEDDED_QUEUE_CHANGES_MAX},
};

/// The queue, as those see it who put changes in. Who finds it full waits.
pub(super) struct Queue {
    /// `None` once it is closed.
    changes: Option<mpsc::Sender<Change>>,
    /// Bytes of bodies that may be under way at once.
    room: Arc<Semaphore>,
}

impl Queue {
    /// A queue and its other end.
    pub(super) fn new() -> (Self, mpsc::Receiver<Change>) {
        let (changes, queue) = mpsc::channel(EMBEDDED_QUEUE_CHANGES_MAX);
        (Self { changes: Some(changes), room: Arc::new(Semaphore::new(EMBEDDED_QUEUE_BYTES_MAX)) }, queue)
    }

    /// Room for a body of `bytes`, taken until it is dropped.
    pub(super) async fn room(&self, bytes: usize) -> Result<OwnedSemaphorePermit, StoreError> {
        let bytes = u32::try_from(bytes).map_err(|_| closed())?;
        Arc::clone(&self.room).acquire_many_owned(bytes).await.map_err(|_| closed())
    }

    /// Puts in a change.
    pub(super) async fn send(&self, change: Change) -> Result<(), StoreError> {
        let changes = self.changes.as_ref().ok_or_else(closed)?;
        changes.send(change).await.map_err(|_| closed())
    }

    /// Lets the writer end when it has done what waits.
    pub(super) fn close(&mut self) {
        self.changes = None;
    }
}

/// Nothing goes to the writer any more.
pub(super) fn closed() -> StoreError {
    StoreError::NotSent { reason: "the embedded store is closed; start the process again".to_owned() }
}
