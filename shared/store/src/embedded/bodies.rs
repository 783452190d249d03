//! Large bodies: one file each, named by number, whole and synced before a row names it.

use std::{
    fs::{self, File},
    io::{self, Read, Seek, SeekFrom, Write},
    ops::Range,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
};

/// The directory of large bodies.
#[derive(Debug)]
pub(super) struct Bodies {
    directory: PathBuf,
    next: AtomicU64,
}

/// A file that no row names yet. Dropped, it is deleted; a file left by a crash is deleted at opening.
#[derive(Debug)]
pub(super) struct UnnamedFile {
    path: PathBuf,
    number: u64,
    size: u64,
    named: bool,
}

/// A file that is being written, and that no row names yet.
#[derive(Debug)]
pub(super) struct GrowingFile {
    file: File,
    unnamed: UnnamedFile,
}

impl GrowingFile {
    /// Writes a piece in place of what lies behind `start`.
    pub(super) fn write_at(&mut self, start: u64, piece: &[u8]) -> io::Result<()> {
        self.file.set_len(start)?;
        self.file.seek(SeekFrom::Start(start))?;
        self.file.write_all(piece)?;
        self.unnamed.size = start + piece.len() as u64;
        Ok(())
    }

    /// Makes durable what was written so far. Without it [`Self::finish`] would wait for all bytes at once, and on a
    /// slow disk longer than anybody waits for one request.
    pub(super) fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }

    /// Makes the bytes durable. The directory is synced later: [`Bodies::sync_directory`].
    pub(super) fn finish(self) -> io::Result<UnnamedFile> {
        self.file.sync_all()?;
        Ok(self.unnamed)
    }
}

impl Bodies {
    /// Opens the directory, and deletes the files for which `is_named` is false.
    pub(super) fn open<E: From<io::Error>>(
        directory: PathBuf,
        is_named: impl Fn(u64) -> Result<bool, E>,
    ) -> Result<Self, E> {
        fs::create_dir_all(&directory)?;
        let mut highest = 0;
        for found in fs::read_dir(&directory)? {
            let found = found?;
            let Some(number) = number_of(&found.path()) else { continue };
            highest = highest.max(number);
            if !is_named(number)? {
                fs::remove_file(found.path())?;
            }
        }
        Ok(Self { directory, next: AtomicU64::new(highest + 1) })
    }

    /// Writes a body to a new file and syncs it. The directory is synced later: [`Self::sync_directory`].
    pub(super) fn write(&self, body: &[u8]) -> io::Result<UnnamedFile> {
        let mut growing = self.begin()?;
        growing.write_at(0, body)?;
        growing.finish()
    }

    /// Begins a file for a body that comes piece by piece.
    pub(super) fn begin(&self) -> io::Result<GrowingFile> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let path = self.path(number);
        let file = File::create_new(&path)?;
        // From here on a failure deletes the file again.
        Ok(GrowingFile { file, unnamed: UnnamedFile { path, number, size: 0, named: false } })
    }

    /// Makes the names of all files written so far durable.
    pub(super) fn sync_directory(&self) -> io::Result<()> {
        sync_directory(&self.directory)
    }

    /// Reads a part of a file.
    pub(super) fn read(&self, number: u64, range: &Range<usize>) -> io::Result<Vec<u8>> {
        let mut file = File::open(self.path(number))?;
        file.seek(SeekFrom::Start(range.start as u64))?;
        // Not filled with zeros first: of large bodies that is a tenth of what reading them costs.
        let mut body = Vec::with_capacity(range.len());
        let read = file.take(range.len() as u64).read_to_end(&mut body)?;
        if read == range.len() { Ok(body) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }

    /// Deletes a file that no row names any more. Its failure costs space until the next opening, no more.
    pub(super) fn delete(&self, number: u64) {
        delete(&self.path(number));
    }

    fn path(&self, number: u64) -> PathBuf {
        self.directory.join(format!("{number:016x}"))
    }
}

impl UnnamedFile {
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    pub(super) fn size(&self) -> u64 {
        self.size
    }

    /// Keeps the file: a row names it, or may name it.
    pub(super) fn keep(mut self) {
        self.named = true;
    }
}

impl Drop for UnnamedFile {
    fn drop(&mut self) {
        if !self.named {
            delete(&self.path);
        }
    }
}

/// Makes the names in `directory` durable.
pub(super) fn sync_directory(directory: &Path) -> io::Result<()> {
    // Only Unix can sync a directory; elsewhere the file system orders its own metadata.
    if cfg!(unix) { File::open(directory)?.sync_all() } else { Ok(()) }
}

fn number_of(path: &Path) -> Option<u64> {
    u64::from_str_radix(path.file_name()?.to_str()?, 16).ok()
}

fn delete(path: &Path) {
    if let Err(error) = fs::remove_file(path) {
        tracing::warn!(path = %path.display(), %error, "an unused body stays on disk until the next start");
    }
}
