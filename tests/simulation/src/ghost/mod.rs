//! What truly happened, as seen from the store: the ghost log.
//!
//! The first object ever put under the key of a slot is the true record of that slot. A manifest
//! with a token that no manifest of its name had before is a creation; a delete record is an end.
//! From these the ghost keeps every state that each stream ever had, and when.

mod life;
mod name;
mod record;

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use bytes::Bytes;
use wadi_protocol::{Incarnation, Timestamp};
use wadi_stream::Manifest;

pub(crate) use life::Life;
pub(crate) use name::{Cause, Entry, Name, Status};
pub(crate) use record::{GhostRecord, Said};

use crate::violation::Violation;

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

/// What a key is of.
pub(crate) enum Place<'a> {
    Manifest(&'a str),
    Slot { name: &'a str, token: Incarnation, seq: u64 },
    Body { name: &'a str, token: Incarnation, id: &'a str },
}

impl<'a> Place<'a> {
    /// Takes a key apart; `None` for one that should not be there.
    pub(crate) fn of(key: &'a str) -> Option<Self> {
        if let Some(name) = key.strip_prefix("manifest/") {
            return Some(Self::Manifest(name));
        }
        let (name, rest) = key.strip_prefix("ds/")?.split_once("/incarnation/")?;
        let (token, rest) = rest.split_once('/')?;
        let token = Incarnation::parse(token).ok()?;
        if let Some(id) = rest.strip_prefix("body/") {
            return Some(Self::Body { name, token, id });
        }
        let seq = rest.strip_prefix("log/")?.strip_suffix(".rec")?;
        (seq.len() == 20).then_some(())?;
        Some(Self::Slot { name, token, seq: seq.parse().ok()? })
    }
}

/// Everything that happened.
#[derive(Default)]
pub(crate) struct Ghost {
    pub(crate) names: BTreeMap<String, Name>,
    bodies: BTreeMap<String, Bytes>,
    slots: BTreeSet<String>,
    /// Objects put under slots that had been collected.
    pub(crate) strays: BTreeSet<String>,
    pub(crate) violations: Vec<Violation>,
    /// Slots that were deleted, and strays that there ever were.
    pub(crate) collected: usize,
    pub(crate) strays_seen: usize,
}

impl Ghost {
    /// An object was put.
    pub(crate) fn put(&mut self, key: &str, object: &Bytes, when: When) {
        let outcome = match Place::of(key) {
            Some(Place::Manifest(name)) => self.manifest(name, object, when),
            Some(Place::Slot { name, token, seq }) => self.slot(key, (name, token, seq), object, when),
            Some(Place::Body { .. }) => {
                self.bodies.insert(key.to_owned(), object.clone());
                Ok(())
            }
            None => Err(Violation::new("layout", format!("an object was put under the unknown key {key}"))),
        };
        if let Err(violation) = outcome {
            self.violations.push(violation.at_key(key));
        }
    }

    /// An object was deleted.
    pub(crate) fn deleted(&mut self, key: &str) {
        self.strays.remove(key);
        self.collected += 1;
        let allowed = match Place::of(key) {
            Some(Place::Slot { name, token, seq }) => {
                self.names.get(name).is_some_and(|name| name.may_collect(token, seq))
            }
            Some(Place::Body { .. }) => true,
            Some(Place::Manifest(_)) | None => false,
        };
        if !allowed {
            let what = "an object was deleted that is still needed";
            self.violations.push(Violation::new("nothing needed is collected", what).at_key(key));
        }
    }

    fn manifest(&mut self, name: &str, object: &Bytes, when: When) -> Result<(), Violation> {
        let manifest = Manifest::from_json(object)
            .map_err(|error| Violation::new("layout", format!("a manifest cannot be read: {error}")))?;
        self.names.entry(name.to_owned()).or_default().manifest(manifest, when)
    }

    fn slot(
        &mut self,
        key: &str,
        place: (&str, Incarnation, u64),
        object: &Bytes,
        when: When,
    ) -> Result<(), Violation> {
        let (name, token, seq) = place;
        let entry = self.names.entry(name.to_owned()).or_default();
        if !self.slots.insert(key.to_owned()) {
            self.strays.insert(key.to_owned());
            self.strays_seen += 1;
            return if entry.may_collect(token, seq) {
                Ok(())
            } else {
                Err(Violation::new("one order", format!("slot {seq} was written twice and had not been collected")))
            };
        }
        let prefix = key.split_once("/log/").map_or(key, |(prefix, _)| prefix);
        let body = |id: &str| self.bodies.get(&format!("{prefix}/body/{id}")).cloned();
        let record = GhostRecord::parse(object, seq, when, body)?;
        entry.record(token, record)
    }
}
