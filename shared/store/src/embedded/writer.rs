//! The thread that owns all changes, and its queue.

use std::{io, sync::Arc, thread};

use bytes::Bytes;
use tokio::sync::{OwnedSemaphorePermit, mpsc, oneshot};
use wadi_protocol::Timestamp;

use super::{
    batch::{Batch, Verdict},
    bodies::{Bodies, UnnamedFile},
    durable::Durable,
    layers::Layers,
};
use crate::{
    Attributes, ObjectKey, PutCondition, PutOutcome, StoreError,
    clock::Dates,
    limits::{EMBEDDED_BATCH_BYTES_MAX, EMBEDDED_BATCH_CHANGES_MAX},
};

/// A change waiting for the writer, with the means to answer it.
pub(super) enum Change {
    Put {
        key: ObjectKey,
        body: NewBody,
        attributes: Attributes,
        condition: PutCondition,
        answer: oneshot::Sender<Result<PutOutcome, StoreError>>,
        /// The body's share of the queue's room, given back when the change ends.
        _room: OwnedSemaphorePermit,
    },
    Delete {
        keys: Vec<ObjectKey>,
        answer: oneshot::Sender<Result<Timestamp, StoreError>>,
    },
}

/// The body of a write on its way in.
pub(super) enum NewBody {
    Inline(Bytes),
    File(UnnamedFile),
}

impl NewBody {
    pub(super) fn size(&self) -> u64 {
        match self {
            Self::Inline(bytes) => bytes.len() as u64,
            Self::File(file) => file.size(),
        }
    }

    pub(super) fn file_number(&self) -> Option<u64> {
        match self {
            Self::Inline(_) => None,
            Self::File(file) => Some(file.number()),
        }
    }
}

impl Change {
    pub(super) fn has_file(&self) -> bool {
        matches!(self, Self::Put { body: NewBody::File(_), .. })
    }

    /// About how many bytes this change adds to its entry.
    fn weight(&self) -> usize {
        match self {
            Self::Put { key, body: NewBody::Inline(bytes), .. } => key.as_str().len() + bytes.len(),
            Self::Put { key, .. } => key.as_str().len(),
            Self::Delete { keys, .. } => keys.iter().map(|key| key.as_str().len()).sum(),
        }
    }
}

/// What the writer works with.
pub(super) struct Writer {
    pub(super) bodies: Arc<Bodies>,
    pub(super) dates: Arc<Dates>,
    pub(super) layers: Arc<Layers>,
    pub(super) durable: Durable,
    pub(super) queue: mpsc::Receiver<Change>,
}

/// A batch that is durable.
struct Applied {
    verdicts: Vec<Verdict>,
    /// Files that no object names any more.
    unnamed: Vec<u64>,
}

impl Writer {
    /// Runs it on a thread of its own, until the queue is closed and empty.
    pub(super) fn spawn(mut self) -> io::Result<thread::JoinHandle<()>> {
        thread::Builder::new().name("wadi-store-writer".to_owned()).spawn(move || {
            let mut shared = false;
            while let Some(first) = self.queue.blocking_recv() {
                if shared {
                    // There are several who write. Where the processors are busy, those about to put in a change come first:
                    // each that does saves a sync. Where they are not, this returns at once.
                    thread::yield_now();
                }
                let batch = self.drain(first);
                shared = batch.len() > 1;
                self.write(batch);
            }
            self.durable.finish(&self.layers);
        })
    }

    /// Takes what waits already: it shares one sync.
    fn drain(&mut self, first: Change) -> Vec<Change> {
        let mut bytes = first.weight();
        let mut batch = vec![first];
        while batch.len() < EMBEDDED_BATCH_CHANGES_MAX && bytes < EMBEDDED_BATCH_BYTES_MAX {
            let Ok(change) = self.queue.try_recv() else { break };
            bytes += change.weight();
            batch.push(change);
        }
        batch
    }

    fn write(&mut self, batch: Vec<Change>) {
        match self.apply(&batch) {
            Ok(applied) => self.answer(batch, applied),
            Err(error) => {
                tracing::error!(%error, changes = batch.len(), "a write of the embedded store failed");
                for change in batch {
                    fail(change, error.clone());
                }
            }
        }
    }

    /// Checks the conditions, makes durable what passes, and shows it to readers.
    fn apply(&mut self, changes: &[Change]) -> Result<Applied, StoreError> {
        self.durable.prepare(&self.layers)?;
        if changes.iter().any(Change::has_file) {
            self.bodies.sync_directory().map_err(|error| nothing_written(&error))?;
        }
        let mut batch = Batch::new(&self.layers, self.dates.now(), self.durable.versions());
        let verdicts = changes.iter().map(|change| batch.change(change)).collect::<Result<_, _>>();
        let verdicts = verdicts.map_err(|error| nothing_written(&error))?;
        let Batch { date, versions, planned, unnamed, .. } = batch;
        self.durable.write(&self.layers, planned, versions, date)?;
        Ok(Applied { verdicts, unnamed })
    }

    fn answer(&self, batch: Vec<Change>, applied: Applied) {
        let date = self.dates.now();
        // Readers that opened such a file before now keep it; later ones see the row that replaced it.
        for file in applied.unnamed {
            self.bodies.delete(file);
        }
        for (change, verdict) in batch.into_iter().zip(applied.verdicts) {
            succeed(change, verdict, date);
        }
    }
}

fn nothing_written(error: &dyn std::fmt::Display) -> StoreError {
    StoreError::NotSent { reason: format!("the embedded store could not read: {error}; check its disk, then restart") }
}

/// Tells the caller. A caller that went away meanwhile is none of the writer's business.
fn succeed(change: Change, verdict: Verdict, date: Timestamp) {
    match change {
        Change::Put { body, answer, .. } => {
            let outcome = match verdict {
                Verdict::Stored(tag) => {
                    keep(body);
                    PutOutcome::Stored { tag, date }
                }
                Verdict::ConditionFailed | Verdict::Deleted => PutOutcome::PreconditionFailed { date },
            };
            let _ = answer.send(Ok(outcome));
        }
        Change::Delete { answer, .. } => {
            let _ = answer.send(Ok(date));
        }
    }
}

fn fail(change: Change, error: StoreError) {
    match change {
        Change::Put { body, answer, .. } => {
            // Where nobody knows whether the change is on disk its file must stay; the next opening tells.
            if !error.proves_nothing_written() {
                keep(body);
            }
            let _ = answer.send(Err(error));
        }
        Change::Delete { answer, .. } => {
            let _ = answer.send(Err(error));
        }
    }
}

fn keep(body: NewBody) {
    if let NewBody::File(file) = body {
        file.keep();
    }
}
