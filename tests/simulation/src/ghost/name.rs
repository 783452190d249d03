//! All lives of one name, and what stood under it when.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use wadi_protocol::{Incarnation, Operation, StreamState, Timestamp};
use wadi_stream::Manifest;

use super::{GhostRecord, Life, When, collection::Published};
use crate::violation::Violation;

/// What stands under a name.
#[derive(Clone, Debug)]
pub(crate) enum Status {
    Missing,
    Live(Box<StreamState>),
}

impl Status {
    /// The token that lives.
    pub(crate) fn token(&self) -> Option<Incarnation> {
        match self {
            Self::Missing => None,
            Self::Live(state) => Some(state.incarnation),
        }
    }
}

/// Why it stands there.
#[derive(Clone, Debug)]
pub(crate) enum Cause {
    Start,
    Created,
    Applied { operation: Box<Operation>, at: Timestamp, seq: u64 },
}

/// A change of what stands under a name.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) tick: u64,
    pub(crate) time: Duration,
    pub(crate) date: Timestamp,
    pub(crate) status: Status,
    pub(crate) cause: Cause,
}

/// All lives of a name.
pub(crate) struct Name {
    pub(crate) manifest: Option<Manifest>,
    pub(crate) lives: BTreeMap<Incarnation, Life>,
    /// In order; the first entry is from before everything.
    pub(crate) timeline: Vec<Entry>,
    /// The highest floor that each incarnation's manifests named.
    pub(super) floors: BTreeMap<Incarnation, u64>,
    /// Incarnations that some manifest named as dropped, and when the first did.
    pub(super) dropped: BTreeMap<Incarnation, Duration>,
    /// Incarnations that some manifest named as orphans.
    pub(super) orphans: BTreeSet<Incarnation>,
    /// The checkpoints that each incarnation had while it lived.
    pub(super) checkpoints: BTreeMap<Incarnation, Vec<Published>>,
}

impl Default for Name {
    fn default() -> Self {
        let start = Entry {
            tick: 0,
            time: Duration::ZERO,
            date: Timestamp::EPOCH,
            status: Status::Missing,
            cause: Cause::Start,
        };
        Self {
            manifest: None,
            lives: BTreeMap::new(),
            timeline: vec![start],
            floors: BTreeMap::new(),
            dropped: BTreeMap::new(),
            orphans: BTreeSet::new(),
            checkpoints: BTreeMap::new(),
        }
    }
}

impl Name {
    /// The record of a slot that was empty until now.
    pub(crate) fn record(&mut self, token: Incarnation, record: GhostRecord) -> Result<(), Violation> {
        let (when, at, seq) = (record.when, record.at, record.seq);
        let steps = self.lives.entry(token).or_default().record(token, record)?;
        for step in steps {
            let status = match step.after.deleted {
                Some(_) => Status::Missing,
                None => Status::Live(Box::new(step.after)),
            };
            self.push(when, status, Cause::Applied { operation: Box::new(step.operation), at, seq });
        }
        Ok(())
    }

    /// A manifest took the place of the one before.
    pub(crate) fn manifest(&mut self, manifest: Manifest, when: When, grace_min: Duration) -> Result<(), Violation> {
        let before = self.manifest.as_ref();
        if manifest.revision != before.map_or(0, |before| before.revision) + 1 {
            return Err(Violation::new("manifests", "a manifest does not have the next revision"));
        }
        let outcome = if self.is_new(&manifest) { self.begins(&manifest, when) } else { self.follows(&manifest) };
        let floor = self.raise_floor(&manifest, when, grace_min);
        for dropped in &manifest.dropped {
            self.dropped.entry(dropped.incarnation).or_insert(when.time);
        }
        self.orphans.extend(manifest.orphans.iter().map(|orphan| orphan.incarnation));
        if !manifest.is_tombstone() {
            self.checkpoint(&manifest, when);
        }
        self.manifest = Some(manifest);
        outcome.and(floor)
    }

    /// Whether a manifest is of an incarnation that the one before is not of. A name that only has
    /// orphans has a tombstone of none that ever lived.
    pub(crate) fn is_new(&self, manifest: &Manifest) -> bool {
        let goes_on = self.manifest.as_ref().is_some_and(|before| before.incarnation() == manifest.incarnation());
        !goes_on && !manifest.is_tombstone()
    }

    /// A manifest of the same incarnation: a checkpoint, or the tombstone.
    fn follows(&self, manifest: &Manifest) -> Result<(), Violation> {
        let token = manifest.incarnation();
        let broken = |what: &str| Violation::new("checkpoint equals log", format!("incarnation {token}: {what}"));
        let Some((life, born)) = self.lives.get(&token).and_then(|life| Some((life, life.born.as_ref()?))) else {
            // A tombstone may be of nobody: where there was nothing but orphans.
            let none = |before: &Manifest| before.is_tombstone() && before.incarnation() == token;
            let fine = manifest.is_tombstone() && self.manifest.as_ref().is_none_or(none);
            return if fine { Ok(()) } else { Err(broken("it never began")) };
        };
        let checkpoint = &manifest.log.checkpoint;
        let index = usize::try_from(checkpoint.seq).unwrap_or(usize::MAX);
        let Some(state) = born.states.get(index) else { return Err(broken("a checkpoint ahead of the log")) };
        let record = index.checked_sub(1).and_then(|before| life.records.get(before));
        if record.is_some_and(|record| record.id != checkpoint.id.as_str() || record.at != checkpoint.at) {
            return Err(broken("a checkpoint names another record"));
        }
        let expected = if manifest.is_tombstone() { state.ended() } else { state.clone() };
        // A state that lies in an object of its own was judged when that was put.
        if manifest.state_object.is_none() && manifest.state_at_checkpoint() != expected {
            return Err(broken("the state at a checkpoint is not the fold of the log"));
        }
        if !manifest.is_tombstone() && manifest.sealed.end() != state.tail {
            return Err(broken("what is sealed does not end at the tail of the checkpoint"));
        }
        if !manifest.is_tombstone() {
            self.lets_go_of_chunks(manifest, state.retained)?;
        }
        let earlier = self.manifest.as_ref().map_or(0, |before| before.log.checkpoint.seq);
        if checkpoint.seq < earlier {
            return Err(broken("a checkpoint goes back"));
        }
        if manifest.is_tombstone() && index + 1 != born.states.len() {
            return Err(broken("a tombstone before the end of the log"));
        }
        Ok(())
    }

    /// The manifest of a new incarnation.
    fn begins(&mut self, manifest: &Manifest, when: When) -> Result<(), Violation> {
        let token = manifest.incarnation();
        let before = self.manifest.as_ref().map(Manifest::incarnation);
        let open = before.and_then(|before| self.lives.get(&before)).and_then(Life::state);
        if open.is_some_and(|state| state.deleted.is_none()) {
            let what = format!("incarnation {token} was created over one whose log goes on");
            return Err(Violation::new("one life at a time", what));
        }
        let life = self.lives.entry(token).or_default();
        if life.born.is_some() {
            return Err(Violation::new("one life at a time", format!("incarnation {token} began twice")));
        }
        if life.records.is_empty() == manifest.genesis.has_initial_bytes {
            let what = format!("incarnation {token} was created without the first record that its manifest promises");
            return Err(Violation::new("one life at a time", what));
        }
        life.begin(manifest.genesis.clone(), when)?;
        if let Some(state) = life.state().cloned() {
            self.push(when, Status::Live(Box::new(state)), Cause::Created);
        }
        Ok(())
    }

    fn push(&mut self, when: When, status: Status, cause: Cause) {
        self.timeline.push(Entry { tick: when.tick, time: when.time, date: when.date, status, cause });
    }
}
