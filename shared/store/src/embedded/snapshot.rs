//! One committed state of the database.

use std::{ops::Bound, sync::Arc};

use redb::{Database, ReadOnlyTable, ReadableDatabase};

use super::{
    gaps::Gap,
    schema::{BODIES, Entry, OBJECTS, Row},
};

/// One committed state, however often the database is written meanwhile. Reading it blocks.
pub(super) struct Snapshot {
    objects: ReadOnlyTable<&'static str, Row>,
    bodies: ReadOnlyTable<u64, &'static [u8]>,
    /// Closed only after the last reader.
    _database: Arc<Database>,
}

impl Snapshot {
    /// The state that is committed now.
    pub(super) fn of(database: &Arc<Database>) -> Result<Self, redb::Error> {
        let transaction = database.begin_read()?;
        let objects = transaction.open_table(OBJECTS)?;
        let bodies = transaction.open_table(BODIES)?;
        Ok(Self { objects, bodies, _database: Arc::clone(database) })
    }

    /// The row of a key.
    pub(super) fn entry(&self, key: &str) -> Result<Option<Entry>, redb::Error> {
        Ok(self.objects.get(key)?.map(|row| Entry::from_row(row.value())))
    }

    /// The small body of a version.
    pub(super) fn body(&self, version: u64) -> Result<Vec<u8>, redb::Error> {
        Ok(self.bodies.get(version)?.map(|body| body.value().to_vec()).unwrap_or_default())
    }

    /// The gap around a key that has no row.
    pub(super) fn gap(&self, key: &str) -> Result<Gap, redb::Error> {
        let below = self.objects.range::<&str>((Bound::Unbounded, Bound::Excluded(key)))?.next_back().transpose()?;
        let above = self.objects.range::<&str>((Bound::Excluded(key), Bound::Unbounded))?.next().transpose()?;
        Ok(Gap {
            after: below.map(|(key, _)| key.value().to_owned()).unwrap_or_default(),
            before: above.map(|(key, _)| key.value().to_owned()),
        })
    }

    /// The rows from a key on, in byte order.
    pub(super) fn range(&self, from: Bound<&str>) -> Result<redb::Range<'static, &'static str, Row>, redb::Error> {
        Ok(self.objects.range::<&str>((from, Bound::Unbounded))?)
    }
}
