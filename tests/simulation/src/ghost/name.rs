//! All lives of one name, and what stood under it when.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use wadi_protocol::{Incarnation, Operation, StreamState, Timestamp};
use wadi_stream::Manifest;

use super::{GhostRecord, Life, When};
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
    floors: BTreeMap<Incarnation, u64>,
    /// Incarnations that some manifest named as dropped.
    dropped: BTreeSet<Incarnation>,
    /// Incarnations that had a checkpoint while they lived.
    pub(crate) checkpointed: BTreeSet<Incarnation>,
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
            dropped: BTreeSet::new(),
            checkpointed: BTreeSet::new(),
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
    pub(crate) fn manifest(&mut self, manifest: Manifest, when: When) -> Result<(), Violation> {
        let before = self.manifest.as_ref();
        if manifest.revision != before.map_or(0, |before| before.revision) + 1 {
            return Err(Violation::new("manifests", "a manifest does not have the next revision"));
        }
        let token = manifest.incarnation();
        let goes_on = before.is_some_and(|before| before.incarnation() == token);
        let outcome = if goes_on { self.follows(&manifest) } else { self.begins(&manifest, when) };
        let floor = self.floors.entry(token).or_default();
        *floor = (*floor).max(manifest.log.floor);
        if manifest.log.checkpoint.seq > 0 && !manifest.is_tombstone() {
            self.checkpointed.insert(token);
        }
        self.dropped.extend(manifest.dropped.iter().map(|dropped| dropped.incarnation));
        self.manifest = Some(manifest);
        outcome
    }

    /// A manifest of the same incarnation: a checkpoint, or the tombstone.
    fn follows(&self, manifest: &Manifest) -> Result<(), Violation> {
        let token = manifest.incarnation();
        let broken = |what: &str| Violation::new("checkpoint equals log", format!("incarnation {token}: {what}"));
        let Some(life) = self.lives.get(&token) else { return Err(broken("it never began")) };
        let Some(born) = &life.born else { return Err(broken("it never began")) };
        let checkpoint = &manifest.log.checkpoint;
        let index = usize::try_from(checkpoint.seq).unwrap_or(usize::MAX);
        let Some(state) = born.states.get(index) else { return Err(broken("a checkpoint ahead of the log")) };
        let record = index.checked_sub(1).and_then(|before| life.records.get(before));
        if record.is_some_and(|record| record.id != checkpoint.id.as_str() || record.at != checkpoint.at) {
            return Err(broken("a checkpoint names another record"));
        }
        let stored = manifest.state_at_checkpoint();
        let expected = if manifest.is_tombstone() { state.ended() } else { state.clone() };
        if stored != expected {
            return Err(broken("the state at a checkpoint is not the fold of the log"));
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

    /// Whether a slot may be deleted: at or below its floor, or of a life that ended.
    pub(crate) fn may_collect(&self, token: Incarnation, seq: u64) -> bool {
        let floor = self.floors.get(&token).copied().unwrap_or(0);
        seq <= floor || self.dropped.contains(&token)
    }

    fn push(&mut self, when: When, status: Status, cause: Cause) {
        self.timeline.push(Entry { tick: when.tick, time: when.time, date: when.date, status, cause });
    }
}
