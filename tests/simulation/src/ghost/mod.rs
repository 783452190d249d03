//! What truly happened, as seen from the store: the ghost log.
//!
//! The first object ever put under the key of a slot is the true record of that slot. A manifest
//! with a token that no manifest of its name had before is a creation; a delete record is an end.
//! From these the ghost keeps every state that each stream ever had, and when. Everything else in
//! the bucket is a function of the log, and judged against it when it is put.

mod collection;
mod life;
mod name;
mod objects;
mod place;
mod record;
mod snapshots;

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use wadi_protocol::{Incarnation, Timestamp};
use wadi_store::NewObject;
use wadi_stream::Manifest;

pub(crate) use life::Life;
pub(crate) use name::{Cause, Entry, Name, Status};
pub(crate) use objects::{Objects, needed};
pub(crate) use place::{Kind, Place};
pub(crate) use record::GhostRecord;
pub(crate) use snapshots::Committed;

use crate::violation::Violation;

const NEEDED: &str = "nothing needed is collected";

/// When something took effect.
#[derive(Clone, Copy, Debug)]
pub(crate) struct When {
    pub(crate) tick: u64,
    pub(crate) time: Duration,
    /// The store's true time, in milliseconds.
    pub(crate) date: Timestamp,
    /// The latest that a server of the store may take it to be.
    pub(crate) date_max: Timestamp,
}

/// Everything that happened.
pub(crate) struct Ghost {
    pub(crate) names: BTreeMap<String, Name>,
    pub(crate) objects: Objects,
    slots: BTreeSet<String>,
    /// Objects put under slots that had been collected.
    pub(crate) strays: BTreeSet<String>,
    pub(crate) violations: Vec<Violation>,
    /// What was written and collected how often.
    pub(crate) counts: BTreeMap<String, usize>,
    /// The least time that the grace period may truly take.
    grace_min: Duration,
}

impl Ghost {
    pub(crate) fn new(grace_min: Duration) -> Self {
        Self {
            names: BTreeMap::new(),
            objects: Objects::default(),
            slots: BTreeSet::new(),
            strays: BTreeSet::new(),
            violations: Vec::new(),
            counts: BTreeMap::new(),
            grace_min,
        }
    }

    /// An object was put.
    pub(crate) fn put(&mut self, key: &str, object: &NewObject, when: When) {
        self.objects.put(key, when);
        let outcome = match Place::of(key) {
            Some(Place::Manifest(name)) => self.manifest(name, object, when),
            Some(Place::Of { name, token, kind: Kind::Slot(seq) }) => self.slot(key, (name, token, seq), object, when),
            Some(Place::Of { name, token, kind }) => {
                self.count(format!("{} written", kind.plural()));
                let life = self.names.get(name).and_then(|name| name.lives.get(&token));
                self.objects.judge(key, kind, life, object)
            }
            None => Err(Violation::new("layout", format!("an object was put under the unknown key {key}"))),
        };
        if let Err(violation) = outcome {
            self.violations.push(violation.at_key(key));
        }
    }

    /// An object was deleted, if it was there.
    pub(crate) fn deleted(&mut self, key: &str, when: When) {
        self.strays.remove(key);
        let Some(put) = self.objects.remove(key) else { return };
        let wrong = match Place::of(key) {
            Some(Place::Of { name, token, kind }) => {
                self.count(format!("{} collected", kind.plural()));
                if matches!(kind, Kind::Chunk(_)) && self.names.get(name).is_some_and(|name| !name.is_gone(token)) {
                    self.count("chunks of living streams collected".to_owned());
                }
                match self.names.get(name) {
                    Some(known) => {
                        let wrong = known.why_not_collect(token, kind, put, when.time, self.grace_min);
                        let is_needed = !known.is_gone(token) && needed(name, known).contains(key);
                        wrong.or_else(|| is_needed.then_some("that is still needed"))
                    }
                    None => Some("of a stream that nobody knows"),
                }
            }
            Some(Place::Manifest(_)) | None => Some("that nobody may delete"),
        };
        if let Some(wrong) = wrong {
            self.violations.push(Violation::new(NEEDED, format!("an object was deleted {wrong}")).at_key(key));
        }
    }

    fn count(&mut self, what: String) {
        *self.counts.entry(what).or_default() += 1;
    }

    fn manifest(&mut self, stream: &str, object: &NewObject, when: When) -> Result<(), Violation> {
        let manifest = Manifest::from_json(&object.body)
            .map_err(|error| Violation::new("layout", format!("a manifest cannot be read: {error}")))?;
        if let Some(wrong) = self.objects.wrongly_named(stream, &manifest) {
            return Err(Violation::new("manifests name what is there", format!("a manifest names {wrong}")));
        }
        let first = format!("ds/{stream}/incarnation/{}/log/{:020}.rec", manifest.incarnation(), 1);
        let name = self.names.entry(stream.to_owned()).or_default();
        if name.is_new(&manifest) && manifest.genesis.has_initial_bytes && !self.objects.holds(&first) {
            let what = "a stream came to life whose first record was collected";
            return Err(Violation::new(NEEDED, what));
        }
        let changes = name.changes(&manifest);
        let outcome = name.manifest(manifest, when, self.grace_min);
        for (what, times) in changes {
            *self.counts.entry(what.to_owned()).or_default() += times;
        }
        outcome
    }

    fn slot(
        &mut self,
        key: &str,
        place: (&str, Incarnation, u64),
        object: &NewObject,
        when: When,
    ) -> Result<(), Violation> {
        let (name, token, seq) = place;
        let entry = self.names.entry(name.to_owned()).or_default();
        if !self.slots.insert(key.to_owned()) {
            self.strays.insert(key.to_owned());
            *self.counts.entry("strays".to_owned()).or_default() += 1;
            return match entry.why_not_collect(token, Kind::Slot(seq), when.time, when.time, Duration::ZERO) {
                None => Ok(()),
                Some(_) => {
                    Err(Violation::new("one order", format!("slot {seq} was written twice and had not been collected")))
                }
            };
        }
        let prefix = key.split_once("/log/").map_or(key, |(prefix, _)| prefix);
        let record =
            GhostRecord::parse(&object.body, seq, when, |id| self.objects.body(&format!("{prefix}/body/{id}")))?;
        let gone = record.bodies().any(|id| !self.objects.holds(&format!("{prefix}/body/{id}")));
        record.check_snapshots(|id| self.objects.body(&format!("{prefix}/body/{id}")))?;
        entry.record(token, record)?;
        if gone { Err(Violation::new(NEEDED, "a record names a body that was collected")) } else { Ok(()) }
    }
}
