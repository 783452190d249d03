//! Writing the journal.

use std::{fs::File, io, path::Path};

use bytes::Bytes;

use super::{
    FILES,
    changes::{Encoded, Planned, encode},
    disk::WrapDisk,
    file::JournalFile,
    frame::FrameKey,
};
use crate::embedded::{
    bodies::sync_directory,
    object::{Mark, Rows},
};

/// The two files, one of which is written.
pub(in crate::embedded) struct JournalWriter {
    current: JournalFile,
    other: JournalFile,
    key: FrameKey,
}

impl JournalWriter {
    /// Opens the files in `directory`, which [`super::recover`] has read, and whose changes are in the database,
    /// and empties them. Makes both where there are none.
    pub(in crate::embedded) fn open(directory: &Path, key: FrameKey, wrap: &WrapDisk) -> io::Result<Self> {
        let open = |name| File::options().write(true).create(true).truncate(true).open(directory.join(name));
        let new = FILES.iter().any(|name| !directory.join(name).exists());
        let [current, other] = FILES.map(open);
        let (current, other) = (JournalFile::new(wrap(current?)), JournalFile::new(wrap(other?)));
        if new {
            sync_directory(directory)?;
        }
        Ok(Self { current, other, key })
    }

    /// Writes a batch as entry number `mark.sequence`, durably, and returns its changes for showing them.
    ///
    /// After an error nobody knows whether the entry is on disk, and a later sync may tell nothing of it.
    pub(in crate::embedded) fn append(&mut self, mark: Mark, planned: Planned) -> io::Result<Rows> {
        let (mut entry, bodies) = encode(mark, &planned)?.into_parts();
        self.key.seal(mark.sequence, &mut entry);
        self.current.append(&entry)?;
        Ok(Encoded::rows(&Bytes::from(entry), bodies, planned))
    }

    /// Bytes written since the last turn.
    pub(in crate::embedded) fn bytes(&self) -> u64 {
        self.current.bytes()
    }

    /// Goes on in the other file, over what it holds: that must be in the database.
    pub(in crate::embedded) fn turn(&mut self) {
        std::mem::swap(&mut self.current, &mut self.other);
        self.current.rewind();
    }

    /// Drops all entries, which must be in the database.
    pub(in crate::embedded) fn clear(&mut self) -> io::Result<()> {
        self.current.clear()?;
        self.other.clear()
    }
}
