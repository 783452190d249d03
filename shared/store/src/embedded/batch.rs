//! What a batch of requests will change: conditions are checked here, in order, each seeing those before it.

use bytes::Bytes;
use wadi_protocol::Timestamp;

use super::{
    journal::Planned,
    layers::{Found, Layers},
    object::Object,
    schema::{Entry, tag},
    writer::{Change, NewBody},
};
use crate::{Attributes, ObjectKey, ObjectTag, PutCondition, rules};

/// What becomes of one request of a batch, once the batch is durable.
pub(super) enum Verdict {
    Stored(ObjectTag),
    ConditionFailed,
    Deleted,
}

/// A batch that is being planned. Changes nothing by itself.
pub(super) struct Batch<'l> {
    layers: &'l Layers,
    pub(super) date: Timestamp,
    /// Versions given so far.
    pub(super) versions: u64,
    pub(super) planned: Planned,
    /// Files that no object will name any more.
    pub(super) unnamed: Vec<u64>,
}

/// What a key has at this point of the batch.
struct Current {
    version: u64,
    file: Option<u64>,
}

impl From<&Entry> for Current {
    fn from(entry: &Entry) -> Self {
        Self { version: entry.version, file: entry.file }
    }
}

impl<'l> Batch<'l> {
    /// A batch upon what `layers` show, whose objects are dated `date`.
    pub(super) fn new(layers: &'l Layers, date: Timestamp, versions: u64) -> Self {
        Self { layers, date, versions, planned: Planned::new(), unnamed: Vec::new() }
    }

    /// Adds one request. May read the database.
    pub(super) fn change(&mut self, change: &Change) -> Result<Verdict, redb::Error> {
        match change {
            Change::Put { key, body, attributes, condition, .. } => self.put(key, body, attributes, condition),
            Change::Delete { keys, .. } => {
                for key in keys {
                    self.delete(key)?;
                }
                Ok(Verdict::Deleted)
            }
        }
    }

    fn put(
        &mut self,
        key: &ObjectKey,
        body: &NewBody,
        attributes: &Attributes,
        condition: &PutCondition,
    ) -> Result<Verdict, redb::Error> {
        let current = self.current(key)?;
        if !rules::condition_holds(condition, current.as_ref().map(|current| tag(current.version)).as_ref()) {
            return Ok(Verdict::ConditionFailed);
        }
        self.unnamed.extend(current.and_then(|current| current.file));
        self.versions += 1;
        let entry = Entry {
            version: self.versions,
            size: body.size(),
            modified: self.date,
            file: body.file_number(),
            attributes: attributes.clone(),
        };
        let stored = entry.tag();
        let body = match body {
            NewBody::Inline(bytes) => bytes.clone(),
            NewBody::File(_) => Bytes::new(),
        };
        self.planned.insert(key.clone(), Some(Object { entry, body }));
        Ok(Verdict::Stored(stored))
    }

    fn delete(&mut self, key: &ObjectKey) -> Result<(), redb::Error> {
        if let Some(current) = self.current(key)? {
            self.unnamed.extend(current.file);
            self.planned.insert(key.clone(), None);
        }
        Ok(())
    }

    fn current(&self, key: &ObjectKey) -> Result<Option<Current>, redb::Error> {
        if let Some(planned) = self.planned.get(key) {
            return Ok(planned.as_ref().map(|object| Current::from(&object.entry)));
        }
        Ok(match self.layers.find(key.as_str()) {
            Found::Object(object) => Some(Current::from(&object.entry)),
            Found::Missing => None,
            Found::Beneath(committed) => {
                self.layers.look_beneath(&committed, key.as_str())?.as_ref().map(Current::from)
            }
        })
    }
}
