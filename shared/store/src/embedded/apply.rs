//! Applying a batch of changes in one transaction.

use redb::{Database, ReadableTable, Table, WriteTransaction};
use wadi_protocol::Timestamp;

use super::{
    bodies::Bodies,
    schema::{BODIES, Entry, FILES, NUMBER_NEWEST, NUMBER_VERSIONS, NUMBERS, OBJECTS, Row, tag},
    writer::{Change, NewBody},
};
use crate::{Attributes, ObjectKey, ObjectTag, PutCondition, rules};

/// What became of one change of a batch that was committed.
pub(super) enum Verdict {
    Stored(ObjectTag),
    ConditionFailed,
    Deleted,
}

/// A batch that was committed.
pub(super) struct Applied {
    pub(super) verdicts: Vec<Verdict>,
    /// Files that no row names any more.
    pub(super) unnamed: Vec<u64>,
}

/// Applies `changes` in order, each seeing those before it, and makes them durable together.
///
/// After an error nothing is applied, or (when the commit itself failed) nobody knows.
pub(super) fn apply<'a>(
    database: &Database,
    bodies: &Bodies,
    changes: impl Iterator<Item = &'a Change> + Clone,
    date: Timestamp,
) -> Result<Applied, redb::Error> {
    if changes.clone().any(Change::has_file) {
        bodies.sync_directory()?;
    }
    let mut transaction = database.begin_write()?;
    // Saves with each commit what a start after a crash would otherwise rebuild by reading everything.
    transaction.set_quick_repair(true);
    let applied = {
        let mut batch = Batch::open(&transaction, date)?;
        let verdicts = changes.map(|change| batch.change(change)).collect::<Result<_, _>>()?;
        let unnamed = batch.close(&transaction)?;
        Applied { verdicts, unnamed }
    };
    transaction.commit()?;
    Ok(applied)
}

struct Batch<'t> {
    objects: Table<'t, &'static str, Row>,
    bodies: Table<'t, u64, &'static [u8]>,
    files: Table<'t, u64, ()>,
    versions: u64,
    date: Timestamp,
    unnamed: Vec<u64>,
}

impl<'t> Batch<'t> {
    fn open(transaction: &'t WriteTransaction, date: Timestamp) -> Result<Self, redb::Error> {
        let numbers = transaction.open_table(NUMBERS)?;
        let versions = numbers.get(NUMBER_VERSIONS)?.map_or(0, |number| number.value());
        Ok(Self {
            objects: transaction.open_table(OBJECTS)?,
            bodies: transaction.open_table(BODIES)?,
            files: transaction.open_table(FILES)?,
            versions,
            date,
            unnamed: Vec::new(),
        })
    }

    fn close(self, transaction: &WriteTransaction) -> Result<Vec<u64>, redb::Error> {
        let mut numbers = transaction.open_table(NUMBERS)?;
        numbers.insert(NUMBER_VERSIONS, self.versions)?;
        numbers.insert(NUMBER_NEWEST, self.date.as_millis())?;
        Ok(self.unnamed)
    }

    fn change(&mut self, change: &Change) -> Result<Verdict, redb::Error> {
        match change {
            Change::Put { key, body, attributes, condition, .. } => self.put(key, body, attributes, condition),
            Change::Delete { keys, .. } => {
                for key in keys {
                    self.remove(key)?;
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
        let current = self.objects.get(key.as_str())?.map(|row| tag(row.value().0));
        if !rules::condition_holds(condition, current.as_ref()) {
            return Ok(Verdict::ConditionFailed);
        }
        self.remove(key)?;
        self.versions += 1;
        let entry = Entry {
            version: self.versions,
            size: body.size(),
            modified: self.date,
            file: body.file_number(),
            attributes: attributes.clone(),
        };
        match body {
            NewBody::Inline(bytes) => drop(self.bodies.insert(entry.version, bytes.as_ref())?),
            NewBody::File(file) => drop(self.files.insert(file.number(), ())?),
        }
        let names = entry.metadata_names();
        self.objects.insert(key.as_str(), entry.row(&names))?;
        Ok(Verdict::Stored(entry.tag()))
    }

    fn remove(&mut self, key: &ObjectKey) -> Result<(), redb::Error> {
        let Some(entry) = self.objects.remove(key.as_str())?.map(|row| Entry::from_row(row.value())) else {
            return Ok(());
        };
        if let Some(file) = entry.file {
            self.files.remove(file)?;
            self.unnamed.push(file);
        } else {
            self.bodies.remove(entry.version)?;
        }
        Ok(())
    }
}
