//! One file of the journal.

use std::io;

use super::disk::Disk;
use crate::limits::EMBEDDED_JOURNAL_STEP_BYTES;

/// One file, written from its beginning, again and again.
pub(super) struct JournalFile {
    disk: Box<dyn Disk>,
    /// Where the next entry goes.
    position: u64,
    /// Bytes that the file has on disk.
    allocated: u64,
}

impl JournalFile {
    /// A file that is empty.
    pub(super) fn new(disk: Box<dyn Disk>) -> Self {
        Self { disk, position: 0, allocated: 0 }
    }

    /// Writes an entry, durably.
    ///
    /// The file grows in large steps: a sync of bytes that the file has already need not wait for the file
    /// system to write down where they are.
    pub(super) fn append(&mut self, entry: &[u8]) -> io::Result<()> {
        self.disk.write_at(self.position, entry)?;
        let end = self.position + entry.len() as u64;
        if end > self.allocated {
            let step = usize::try_from(end.next_multiple_of(EMBEDDED_JOURNAL_STEP_BYTES) - end).unwrap_or_default();
            self.disk.write_at(end, &vec![0; step])?;
            self.allocated = end + step as u64;
        }
        self.disk.sync()?;
        self.position = end;
        Ok(())
    }

    /// Bytes of the entries in it.
    pub(super) fn bytes(&self) -> u64 {
        self.position
    }

    /// Begins anew, over what it holds.
    pub(super) fn rewind(&mut self) {
        self.position = 0;
    }

    /// Drops what it holds.
    pub(super) fn clear(&mut self) -> io::Result<()> {
        (self.position, self.allocated) = (0, 0);
        self.disk.clear()
    }
}
