//! The thread that owns all changes, and its queue.

use std::{io, sync::Arc, thread};

use bytes::Bytes;
use redb::Database;
use tokio::sync::{OwnedSemaphorePermit, mpsc, oneshot};
use wadi_protocol::Timestamp;

use super::{
    apply::{Applied, Verdict, apply},
    bodies::{Bodies, UnnamedFile},
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

    /// Bytes that this change adds to its transaction.
    fn weight(&self) -> usize {
        match self {
            Self::Put { body: NewBody::Inline(bytes), .. } => bytes.len(),
            Self::Put { .. } | Self::Delete { .. } => 0,
        }
    }
}

/// What the writer works with.
pub(super) struct Writer {
    pub(super) database: Arc<Database>,
    pub(super) bodies: Arc<Bodies>,
    pub(super) dates: Arc<Dates>,
    pub(super) queue: mpsc::Receiver<Change>,
}

impl Writer {
    /// Runs it on a thread of its own, until the queue is closed and empty.
    pub(super) fn spawn(mut self) -> io::Result<thread::JoinHandle<()>> {
        thread::Builder::new().name("wadi-store-writer".to_owned()).spawn(move || {
            while let Some(first) = self.queue.blocking_recv() {
                let batch = self.drain(first);
                self.commit(batch);
            }
        })
    }

    /// Takes what waits already: it shares one commit.
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

    fn commit(&self, batch: Vec<Change>) {
        match apply(&self.database, &self.bodies, batch.iter(), self.dates.now()) {
            Ok(applied) => self.answer(batch, applied),
            Err(error) => {
                tracing::error!(%error, changes = batch.len(), "a commit of the embedded store failed");
                let reason = format!("the embedded store could not commit: {error}; check its disk, then restart");
                for change in batch {
                    fail(change, StoreError::Unavailable { reason: reason.clone() });
                }
            }
        }
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
            // Whether the commit reached the disk is unknown, so its file must stay; the next opening tells.
            keep(body);
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
