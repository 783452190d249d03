//! The part of a file that the journal needs: what a test lets fail.

use std::{
    fs::File,
    io::{self, Seek, SeekFrom, Write},
    sync::Arc,
};

/// A file that is written and synced.
pub(in crate::embedded) trait Disk: Send {
    /// Writes all of `bytes` at `offset`.
    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()>;

    /// Makes durable what was written, and a length that grew.
    fn sync(&mut self) -> io::Result<()>;

    /// Cuts the file to no bytes.
    fn clear(&mut self) -> io::Result<()>;
}

/// What makes a disk of an opened file.
pub(in crate::embedded) type WrapDisk = Arc<dyn Fn(File) -> Box<dyn Disk>>;

/// The file as it is.
pub(in crate::embedded) fn plain_disk() -> WrapDisk {
    Arc::new(|file| Box::new(file))
}

impl Disk for File {
    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.seek(SeekFrom::Start(offset))?;
        self.write_all(bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_data()
    }

    fn clear(&mut self) -> io::Result<()> {
        self.set_len(0)
    }
}
