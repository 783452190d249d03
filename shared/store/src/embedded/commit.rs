//! Writing changes to the database: one generation, one commit.

use redb::{Database, Table, WriteTransaction};

use super::{
    object::{Mark, Object, Rows},
    schema::{BODIES, FILES, NUMBER_NEWEST, NUMBER_SEQUENCE, NUMBER_VERSIONS, NUMBERS, OBJECTS, Row},
};
use crate::ObjectKey;

/// Writes `rows`, and that they are all up to `mark`. Durable when it returns.
pub(super) fn commit(database: &Database, rows: &Rows, mark: Mark) -> Result<(), redb::Error> {
    let mut transaction = database.begin_write()?;
    // Saves with each commit what a start after a crash would otherwise rebuild by reading everything.
    transaction.set_quick_repair(true);
    let mut tables = Tables::open(&transaction)?;
    for (key, held) in rows {
        match held {
            Some(object) => tables.put(key, object)?,
            None => tables.delete(key)?,
        }
    }
    tables.insert_bodies(rows)?;
    drop(tables);
    let mut numbers = transaction.open_table(NUMBERS)?;
    numbers.insert(NUMBER_VERSIONS, mark.versions)?;
    numbers.insert(NUMBER_NEWEST, mark.newest.as_millis())?;
    numbers.insert(NUMBER_SEQUENCE, mark.sequence)?;
    drop(numbers);
    Ok(transaction.commit()?)
}

struct Tables<'t> {
    objects: Table<'t, &'static str, Row>,
    bodies: Table<'t, u64, &'static [u8]>,
    files: Table<'t, u64, ()>,
}

impl<'t> Tables<'t> {
    fn open(transaction: &'t WriteTransaction) -> Result<Self, redb::Error> {
        Ok(Self {
            objects: transaction.open_table(OBJECTS)?,
            bodies: transaction.open_table(BODIES)?,
            files: transaction.open_table(FILES)?,
        })
    }

    fn put(&mut self, key: &ObjectKey, object: &Object) -> Result<(), redb::Error> {
        let names = object.entry.metadata_names();
        let old = self.objects.insert(key.as_str(), object.entry.row(&names))?;
        let old = old.map(|row| version_and_file(&row.value()));
        self.forget(old)?;
        if let Some(file) = object.entry.file {
            self.files.insert(file, ())?;
        }
        Ok(())
    }

    fn delete(&mut self, key: &ObjectKey) -> Result<(), redb::Error> {
        let old = self.objects.remove(key.as_str())?.map(|row| version_and_file(&row.value()));
        self.forget(old)
    }

    /// Removes what a row named that is gone.
    fn forget(&mut self, old: Option<(u64, u64)>) -> Result<(), redb::Error> {
        match old {
            Some((version, 0)) => drop(self.bodies.remove(version)?),
            Some((_, file)) => drop(self.files.remove(file)?),
            None => {}
        }
        Ok(())
    }

    /// In order of the versions: that is the order of the table, whose end alone is touched then.
    fn insert_bodies(&mut self, rows: &Rows) -> Result<(), redb::Error> {
        let mut inline: Vec<_> = rows.values().flatten().filter(|object| object.entry.file.is_none()).collect();
        inline.sort_unstable_by_key(|object| object.entry.version);
        for object in inline {
            self.bodies.insert(object.entry.version, object.body.as_ref())?;
        }
        Ok(())
    }
}

fn version_and_file((version, _, _, file, _): &(u64, u64, u64, u64, Vec<(&str, &str)>)) -> (u64, u64) {
    (*version, *file)
}
