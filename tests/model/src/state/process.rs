//! What one process knows and is doing.

use super::{Object, Record, Records};
use crate::fingerprint::{Mixer, Packer};

/// How far a process has come with the request it is at. Each phase but the first waits for one
/// answer of the store, or for the moment at which the process sends its next request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Phase {
    /// At the start of a request, with a view or without.
    #[default]
    Idle,
    /// Reading on to the tail.
    Scanning,
    /// Its PUT of a record is not answered yet.
    Waiting,
    /// About to read the slot of its record, to learn what became of it.
    FindingOut,
    /// Folded a delete record; about to read the manifest.
    Burying,
    /// About to replace the manifest that it read by a tombstone.
    BuryingInPlace,
    /// About to replace the tombstone that it read by a new incarnation.
    Creating,
    /// Its create was not answered; about to read the manifest.
    FindingOutCreate,
    /// Reading records in order to put a checkpoint in place.
    Sealing,
    /// Without the rule that a record of unknown fate is left alone: about to read the manifest.
    Suspecting,
    /// Without that rule: about to delete its own record.
    Voiding,
}

/// What a process knows of one incarnation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct View {
    pub(crate) incarnation: u8,
    /// The records folded.
    pub(crate) fold: Records,
    /// How long ago every slot above the fold was known to be empty or not covered.
    pub(crate) validated: u8,
}

impl View {
    /// The slot after the last record folded.
    pub(crate) const fn next(&self) -> u8 {
        self.fold.len() + 1
    }

    /// What is known by two views together; `None` when the second knows nothing more.
    pub(crate) fn merged(mine: Option<Self>, other: Self) -> Option<Self> {
        let Some(mine) = mine else { return Some(other) };
        let order = (other.incarnation, other.fold.len()).cmp(&(mine.incarnation, mine.fold.len()));
        let knows_more = order.is_gt() || order.is_eq() && other.validated < mine.validated;
        knows_more.then_some(other)
    }
}

/// What a scan knows of the slot after the next one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Ahead {
    #[default]
    Unread,
    /// It was empty, so many ticks ago.
    Missing(u8),
    Found(Object),
}

/// A place in the history of the name: incarnation, and slot in its log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Mark {
    pub(crate) incarnation: u8,
    pub(crate) slot: u8,
}

/// One process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Process {
    /// Which task of its script it is at.
    pub(crate) task: u8,
    pub(crate) phase: Phase,
    pub(crate) view: Option<View>,
    /// How often it has decided this task before.
    pub(crate) attempt: u8,
    /// How often it has sent the record of this attempt.
    pub(crate) sends: u8,
    /// How long ago its record landed while its answer was given up.
    pub(crate) landed: Option<u8>,
    /// Of a read that has begun: the last thing that had been acknowledged then.
    pub(crate) must: Option<Mark>,
    /// Of a sealer: whether the manifest is still the one it read.
    pub(crate) is_manifest_current: bool,
    pub(crate) ahead: Ahead,
}

impl Process {
    /// The record that it is sending, or would send now.
    pub(crate) fn record(&self, process: usize) -> Record {
        Record::new(process, self.task, self.attempt)
    }

    pub(crate) fn discard(&mut self) {
        self.view = None;
        self.ahead = Ahead::Unread;
    }

    /// What other tasks of the process may go on from.
    pub(crate) fn shared(&self) -> Option<View> {
        self.view.filter(|_| !matches!(self.phase, Phase::Burying | Phase::BuryingInPlace))
    }

    /// Forgets all of its view but which incarnation it is of.
    pub(crate) fn know_incarnation_only(&mut self, oldest: u8) {
        if let Some(view) = &mut self.view {
            *view = View { incarnation: view.incarnation, fold: Records::default(), validated: oldest };
        }
    }

    /// Goes on to its next task, with the view that it has.
    pub(crate) fn finish(&mut self) {
        *self = Self { task: self.task + 1, view: self.view, ..Self::default() };
    }

    /// The manifest was replaced by somebody: what hangs on the version read before is lost.
    pub(crate) fn manifest_changed(&mut self) {
        self.is_manifest_current = false;
        match self.phase {
            Phase::BuryingInPlace => self.phase = Phase::Burying,
            Phase::Creating => self.phase = Phase::Idle,
            _ => {}
        }
    }

    /// One tick passes; ages of views above `oldest` are all the same.
    pub(crate) fn age(&mut self, oldest: u8) {
        let older = |age: &mut u8| *age = (*age + 1).min(oldest);
        self.view.iter_mut().for_each(|view| older(&mut view.validated));
        self.landed.iter_mut().for_each(older);
        if let Ahead::Missing(age) = &mut self.ahead {
            older(age);
        }
    }

    #[must_use]
    pub(crate) fn renamed(self, names: &[usize]) -> Self {
        let view = self.view.map(|view| View { fold: view.fold.renamed(names), ..view });
        let ahead = match self.ahead {
            Ahead::Found(Object { record, prev }) => {
                Ahead::Found(Object { record: record.renamed(names), prev: prev.renamed(names) })
            }
            ahead => ahead,
        };
        Self { view, ahead, ..self }
    }

    pub(crate) fn mix(&self, mixer: &mut Mixer) {
        let view = self.view.unwrap_or_default();
        let must = self.must.unwrap_or_default();
        let (ahead, ahead_age, found) = match self.ahead {
            Ahead::Unread => (0_u8, 0, None),
            Ahead::Missing(age) => (1, age, None),
            Ahead::Found(object) => (2, 0, Some(object)),
        };
        let packer = Packer::default()
            .put(self.task, 3)
            .put(self.phase as u8, 4)
            .put(self.view.is_some(), 1)
            .put(view.incarnation, 1)
            .put(view.validated, 4)
            .put(self.attempt, 2)
            .put(self.sends, 2)
            .put(self.landed.map_or(0, |age| age + 1), 4)
            .put(self.must.is_some(), 1)
            .put(must.incarnation, 1)
            .put(must.slot, 4)
            .put(self.is_manifest_current, 1)
            .put(ahead, 2)
            .put(ahead_age, 4);
        mixer.put(packer.word());
        mixer.put(view.fold.word());
        if let Some(Object { record, prev }) = found {
            mixer.put(u64::from(record.byte()) << 8 | u64::from(prev.byte()));
        }
    }
}
