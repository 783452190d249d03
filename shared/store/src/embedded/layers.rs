//! What readers see: the changes that are in memory and the journal, above what is in the database.

use std::{
    ops::Bound,
    sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard},
};

use super::{
    gaps::Gaps,
    object::{Held, Object, Rows},
    schema::Entry,
    snapshot::Snapshot,
};
use crate::{ObjectKey, limits::EMBEDDED_ROWS_AT_ONCE_MAX};

/// Two generations of changes above a committed state. All of it is durable.
///
/// The lock is held for look-ups in memory and for a few changes at a time, never for an access to the disk.
pub(super) struct Layers(RwLock<State>);

struct State {
    /// Grows.
    newest: Rows,
    /// Is being written to the database.
    older: Option<Arc<Rows>>,
    committed: Arc<Snapshot>,
    /// Of `committed`.
    gaps: Gaps,
}

/// What memory knows about a key.
pub(super) enum Found {
    Object(Arc<Object>),
    /// It has no object.
    Missing,
    /// This state of the database tells.
    Beneath(Arc<Snapshot>),
}

/// The layers at one moment, for a listing.
pub(super) struct Cut {
    pub(super) newest: Vec<(ObjectKey, Held)>,
    pub(super) older: Option<Arc<Rows>>,
    pub(super) committed: Arc<Snapshot>,
}

impl Layers {
    /// Nothing above `committed`.
    pub(super) fn new(committed: Snapshot) -> Self {
        let committed = Arc::new(committed);
        Self(RwLock::new(State { newest: Rows::new(), older: None, committed, gaps: Gaps::default() }))
    }

    /// What memory knows about `key`. Does not touch the disk.
    pub(super) fn find(&self, key: &str) -> Found {
        let state = self.read();
        let older = || state.older.as_ref().and_then(|rows| rows.get(key));
        match state.newest.get(key).or_else(older) {
            Some(Some(object)) => Found::Object(Arc::clone(object)),
            Some(None) => Found::Missing,
            None if state.gaps.contain(key) => Found::Missing,
            None => Found::Beneath(Arc::clone(&state.committed)),
        }
    }

    /// The row of `key` in `committed`, and a note where there is none. Blocks.
    pub(super) fn look_beneath(&self, committed: &Arc<Snapshot>, key: &str) -> Result<Option<Entry>, redb::Error> {
        let found = committed.entry(key)?;
        if found.is_none() {
            let gap = committed.gap(key)?;
            let mut state = self.write();
            // A gap of a state that is no longer the committed one may have been filled.
            if Arc::ptr_eq(&state.committed, committed) {
                state.gaps.note(gap);
            }
        }
        Ok(found)
    }

    /// The layers as they are now. Of the newest, what a page needs: the keys from `from` on that begin with
    /// `prefix`, up to the one that holds the object number `objects_max`.
    pub(super) fn cut(&self, from: Bound<&str>, prefix: &str, objects_max: usize) -> Cut {
        let state = self.read();
        let mut objects = 0;
        let in_range = state.newest.range::<str, _>((from, Bound::Unbounded));
        let newest = in_range
            .take_while(|(key, held)| {
                let wanted = objects < objects_max && key.as_str().starts_with(prefix);
                objects += usize::from(held.is_some());
                wanted
            })
            .map(|(key, held)| (key.clone(), held.clone()))
            .collect();
        Cut { newest, older: state.older.clone(), committed: Arc::clone(&state.committed) }
    }

    /// Shows changes that are durable.
    pub(super) fn apply(&self, rows: Rows) {
        let mut rows = rows.into_iter().peekable();
        while rows.peek().is_some() {
            // A few at a time: a reader on the async runtime may be waiting.
            self.write().newest.extend(rows.by_ref().take(EMBEDDED_ROWS_AT_ONCE_MAX));
        }
    }

    /// How many rows the newest generation has.
    pub(super) fn rows(&self) -> usize {
        self.read().newest.len()
    }

    /// Makes the newest generation the older one, to be written to the database. There must be no older one.
    pub(super) fn turn(&self) -> Arc<Rows> {
        let mut state = self.write();
        let rows = Arc::new(std::mem::take(&mut state.newest));
        state.older = Some(Arc::clone(&rows));
        rows
    }

    /// Puts the state that has the older generation in the place of both, at one instant for every reader.
    pub(super) fn settle(&self, committed: Snapshot) {
        let committed = Arc::new(committed);
        let mut state = self.write();
        let gone =
            (state.older.take(), std::mem::replace(&mut state.committed, committed), std::mem::take(&mut state.gaps));
        drop(state);
        // Outside of the lock: freeing thousands of rows takes a while.
        drop(gone);
    }

    // Nothing in here panics half-way through a change, so a poisoned lock guards sound data.
    fn read(&self) -> RwLockReadGuard<'_, State> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, State> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}
