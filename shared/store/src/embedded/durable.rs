//! What is durable: the journal first, the database later.

use std::fmt::Display;

use wadi_protocol::Timestamp;

use super::{
    flusher::Flusher,
    journal::{JournalWriter, Planned},
    layers::Layers,
    object::Mark,
    options::Options,
};
use crate::{
    StoreError,
    limits::{EMBEDDED_GENERATION_GROWTH_MAX, EMBEDDED_GENERATION_KEYS},
};

/// The journal and the thread that empties it. Owned by the writer; all its calls block.
pub(super) struct Durable {
    journal: JournalWriter,
    flusher: Flusher,
    mark: Mark,
    generation_bytes: usize,
    flush_at_end: bool,
    /// Why nothing is written any more.
    broken: Option<String>,
}

impl Durable {
    /// Goes on from `mark`, with an empty journal.
    pub(super) fn new(journal: JournalWriter, flusher: Flusher, mark: Mark, options: &Options) -> Self {
        let &Options { generation_bytes, flush_at_end, .. } = options;
        Self { journal, flusher, mark, generation_bytes, flush_at_end, broken: None }
    }

    /// Versions given so far.
    pub(super) fn versions(&self) -> u64 {
        self.mark.versions
    }

    /// Makes room for a batch: begins another generation where this one is full, and waits for the one before where it
    /// must. [`StoreError::NotSent`] when nothing can be written any more.
    pub(super) fn prepare(&mut self, layers: &Layers) -> Result<(), StoreError> {
        if self.broken.is_none()
            && let Err(error) = self.turn_when_full(layers)
        {
            self.give_up(&error);
        }
        match &self.broken {
            None => Ok(()),
            Some(reason) => Err(StoreError::NotSent { reason: reason.clone() }),
        }
    }

    /// Makes a batch durable and shows it to readers.
    ///
    /// [`StoreError::Unavailable`] when nobody knows what became of it. Then nothing is written any more: a sync that
    /// failed may have dropped what it should have written, and the next one would not tell.
    pub(super) fn write(
        &mut self,
        layers: &Layers,
        planned: Planned,
        versions: u64,
        newest: Timestamp,
    ) -> Result<(), StoreError> {
        if planned.is_empty() {
            return Ok(());
        }
        let mark = Mark { sequence: self.mark.sequence + 1, versions, newest };
        match self.journal.append(mark, planned) {
            Ok(rows) => {
                self.mark = mark;
                layers.apply(rows);
                Ok(())
            }
            Err(error) => Err(StoreError::Unavailable { reason: self.give_up(&error) }),
        }
    }

    /// Writes everything to the database, so that the next start finds an empty journal.
    pub(super) fn finish(&mut self, layers: &Layers) {
        if self.broken.is_some() || !self.flush_at_end {
            return;
        }
        let flushed = self.turn(layers).and_then(|()| self.flusher.wait());
        match flushed.and_then(|()| Ok(self.journal.clear()?)) {
            Ok(()) => {}
            // All of it is in the journal, where the next start finds it.
            Err(error) => tracing::error!(%error, "the embedded store could not write its journal to its database"),
        }
    }

    fn turn_when_full(&mut self, layers: &Layers) -> Result<(), redb::Error> {
        let full = |times: usize| {
            self.journal.bytes() >= (times * self.generation_bytes) as u64
                || layers.rows() >= times * EMBEDDED_GENERATION_KEYS
        };
        let (due, overdue) = (full(1), full(EMBEDDED_GENERATION_GROWTH_MAX));
        if overdue || (due && self.flusher.is_idle()?) { self.turn(layers) } else { Ok(()) }
    }

    /// Begins another generation, and has this one written.
    fn turn(&mut self, layers: &Layers) -> Result<(), redb::Error> {
        self.flusher.wait()?;
        if layers.rows() == 0 {
            return Ok(());
        }
        let rows = layers.turn();
        self.journal.turn();
        self.flusher.start(rows, self.mark)
    }

    fn give_up(&mut self, error: &dyn Display) -> String {
        let reason =
            format!("the embedded store can no longer write: {error}; check its disk and its free space, then restart");
        self.broken = Some(reason.clone());
        reason
    }
}
