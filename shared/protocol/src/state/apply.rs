//! The fold: applies the results that operations carry. It decides nothing.

use thiserror::Error;

use super::{ProducerRecord, Receipt, Snapshot, StreamState};
use crate::{Offset, Operation, ProducerUpdate, Timestamp, Write};

/// An operation that cannot follow the state: the log is damaged, or written by a release that
/// this one does not know. The reader stops.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum FoldError {
    /// Operations after the end of the stream.
    #[error("an operation follows the delete of the stream")]
    AfterDelete,
    /// Bytes that do not start at the tail.
    #[error("an append starts at {start} where the tail is {tail}")]
    NotAtTail {
        /// Where the operation says it starts.
        start: u64,
        /// Where the stream ends.
        tail: u64,
    },
    /// A snapshot of bytes that were never appended.
    #[error("a snapshot at {offset} where the tail is {tail}")]
    BeyondTail {
        /// Where it was taken.
        offset: u64,
        /// Where the stream ends.
        tail: u64,
    },
    /// Retention that goes back, or beyond the tail.
    #[error("retention moves from {kept} to {retained} where the tail is {tail}")]
    RetentionOutside {
        /// The earliest readable offset before it.
        kept: u64,
        /// Where the operation moves it.
        retained: u64,
        /// Where the stream ends.
        tail: u64,
    },
    /// A write of a producer whose epoch was never claimed.
    #[error("a write of a producer that is not known")]
    UnknownProducer,
}

impl StreamState {
    /// Applies one operation that was committed at `at`. On an error the state is unchanged.
    pub fn apply(&mut self, operation: &Operation, at: Timestamp) -> Result<(), FoldError> {
        if self.deleted.is_some() {
            return Err(FoldError::AfterDelete);
        }
        match operation {
            Operation::Append(write) | Operation::Close(write) => self.apply_write(write, at)?,
            Operation::Snapshot(snapshot) => self.apply_snapshot(snapshot)?,
            Operation::Retention { retained } => self.apply_retention(*retained)?,
            Operation::Touch => self.renewed_at = self.renewed_at.max(at),
            Operation::Delete { reason } => self.deleted = Some(*reason),
        }
        self.last_at = self.last_at.max(at);
        Ok(())
    }

    fn apply_write(&mut self, write: &Write, at: Timestamp) -> Result<(), FoldError> {
        if write.start != self.tail || write.end < write.start {
            return Err(FoldError::NotAtTail { start: write.start.get(), tail: self.tail.get() });
        }
        if let Some(update) = &write.producer {
            self.apply_producer(update, write, at)?;
        }
        if write.end > write.start {
            self.usage.count(at, write.messages, write.end.get() - write.start.get());
        }
        self.tail = write.end;
        self.closed |= write.closes;
        self.renewed_at = self.renewed_at.max(at);
        if write.stream_seq.is_some() {
            self.stream_seq.clone_from(&write.stream_seq);
        }
        Ok(())
    }

    fn apply_snapshot(&mut self, snapshot: &Snapshot) -> Result<(), FoldError> {
        if snapshot.offset > self.tail {
            return Err(FoldError::BeyondTail { offset: snapshot.offset.get(), tail: self.tail.get() });
        }
        self.snapshot = Some(snapshot.clone());
        Ok(())
    }

    fn apply_retention(&mut self, retained: Offset) -> Result<(), FoldError> {
        if retained < self.retained || retained > self.tail {
            let (kept, retained, tail) = (self.retained.get(), retained.get(), self.tail.get());
            return Err(FoldError::RetentionOutside { kept, retained, tail });
        }
        self.retained = retained;
        Ok(())
    }

    fn apply_producer(&mut self, update: &ProducerUpdate, write: &Write, at: Timestamp) -> Result<(), FoldError> {
        let known = self.producers.get(&update.id);
        let newest = Receipt { start: write.start, end: write.end, closed: write.closes, digest: update.digest };
        let record = match (&update.claim, known) {
            (Some(claim), _) => ProducerRecord {
                epoch: update.epoch,
                last_seq: update.seq,
                claim_digest: update.digest,
                newest,
                closed_epoch: claim.closed,
                opened: claim.opened,
                history: self.history,
                last_seen: at,
            },
            (None, Some(known)) => ProducerRecord { last_seq: update.seq, newest, last_seen: at, ..known.clone() },
            (None, None) => return Err(FoldError::UnknownProducer),
        };
        for id in &update.forgotten {
            self.producers.remove(id);
        }
        if let Some(floor) = update.floor {
            self.producers.raise_floor(floor);
        }
        self.producers.insert(update.id.clone(), record);
        Ok(())
    }
}
