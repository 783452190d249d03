//! The directory of an embedded store: its lock, its creation and its opening.

use std::{
    fs::{self, File, TryLockError},
    io::{self, Read, Seek, Write},
    path::{Path, PathBuf},
};

use redb::{Database, ReadableDatabase};
use thiserror::Error;
use wadi_protocol::Timestamp;

use super::{
    bodies::{Bodies, sync_directory},
    schema::{BODIES, FILES, FORMAT, NUMBER_FORMAT, NUMBER_NEWEST, NUMBERS, OBJECTS},
};
use crate::limits::EMBEDDED_CACHE_BYTES;

const LOCK_FILE: &str = "lock";
const DATABASE_FILE: &str = "objects.redb";
const NEW_DATABASE_FILE: &str = "objects.redb.new";
const BODIES_DIRECTORY: &str = "bodies";

/// Why an embedded store could not be opened.
#[derive(Debug, Error)]
pub enum OpenError {
    /// Another process has it open.
    #[error("the data directory {} is in use by another process{}; stop that process, or give this one a directory of its own",
        directory.display(), owner.map(|pid| format!(" (pid {pid})")).unwrap_or_default())]
    InUse {
        /// The directory.
        directory: PathBuf,
        /// The other process, where it could be read.
        owner: Option<u32>,
    },
    /// It was written by another release, in a layout that this one does not know.
    #[error("the data directory {} has format {found}, this release reads format {FORMAT}; use the release that wrote it",
        directory.display())]
    Format {
        /// The directory.
        directory: PathBuf,
        /// The format found.
        found: u64,
    },
    /// The file system refused.
    #[error("the data directory {} cannot be used: {source}; check that it exists on a writable disk with free space",
        directory.display())]
    Io {
        /// The directory.
        directory: PathBuf,
        /// What failed.
        source: io::Error,
    },
    /// The database in it cannot be read.
    #[error("the database in {} cannot be opened: {reason}; restore the directory from a backup if this persists",
        directory.display())]
    Database {
        /// The directory.
        directory: PathBuf,
        /// What failed.
        reason: String,
    },
}

/// An opened directory.
pub(super) struct Opened {
    pub(super) database: Database,
    pub(super) bodies: Bodies,
    pub(super) lock: File,
    pub(super) newest: Timestamp,
}

/// A failure before it is told which directory it concerns.
enum Failure {
    Store(redb::Error),
    Format(u64),
}

impl<E: Into<redb::Error>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::Store(error.into())
    }
}

/// Opens the store in `directory`, or makes a new one. Blocks.
pub(super) fn open(directory: &Path) -> Result<Opened, OpenError> {
    let lock = lock(directory)?;
    open_locked(directory, lock).map_err(|failure| match failure {
        Failure::Store(redb::Error::Io(source)) => OpenError::Io { directory: directory.to_owned(), source },
        Failure::Store(error) => OpenError::Database { directory: directory.to_owned(), reason: error.to_string() },
        Failure::Format(found) => OpenError::Format { directory: directory.to_owned(), found },
    })
}

/// Takes the lock, which ends with the process however that ends.
fn lock(directory: &Path) -> Result<File, OpenError> {
    let io = |source| OpenError::Io { directory: directory.to_owned(), source };
    fs::create_dir_all(directory).map_err(io)?;
    let path = directory.join(LOCK_FILE);
    let mut file = File::options().read(true).write(true).create(true).truncate(false).open(path).map_err(io)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            return Err(OpenError::InUse { directory: directory.to_owned(), owner: owner(&mut file) });
        }
        Err(TryLockError::Error(source)) => return Err(io(source)),
    }
    record_owner(&mut file).map_err(io)?;
    Ok(file)
}

fn record_owner(file: &mut File) -> io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    write!(file, "{}", std::process::id())
}

fn owner(file: &mut File) -> Option<u32> {
    let mut text = String::new();
    file.read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}

fn open_locked(directory: &Path, lock: File) -> Result<Opened, Failure> {
    let path = directory.join(DATABASE_FILE);
    if !path.try_exists()? {
        create(directory, &path)?;
    }
    let database = builder().open(&path)?;
    let transaction = database.begin_read()?;
    let numbers = transaction.open_table(NUMBERS)?;
    let number = |name: &str| numbers.get(name).map(|found| found.map_or(0, |guard| guard.value()));
    match number(NUMBER_FORMAT)? {
        FORMAT => {}
        found => return Err(Failure::Format(found)),
    }
    let newest = Timestamp::from_millis(number(NUMBER_NEWEST)?);
    let files = transaction.open_table(FILES)?;
    let is_named = |number: u64| Ok::<_, Failure>(files.get(number)?.is_some());
    let bodies = Bodies::open(directory.join(BODIES_DIRECTORY), is_named)?;
    sync_directory(directory)?;
    Ok(Opened { database, bodies, lock, newest })
}

/// Makes a new database under another name first, so that a crash half-way leaves none.
fn create(directory: &Path, path: &Path) -> Result<(), Failure> {
    let new_path = directory.join(NEW_DATABASE_FILE);
    match fs::remove_file(&new_path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
        _ => {}
    }
    let database = builder().create(&new_path)?;
    let transaction = database.begin_write()?;
    transaction.open_table(OBJECTS)?;
    transaction.open_table(BODIES)?;
    transaction.open_table(FILES)?;
    transaction.open_table(NUMBERS)?.insert(NUMBER_FORMAT, FORMAT)?;
    transaction.commit()?;
    drop(database);
    fs::rename(&new_path, path)?;
    sync_directory(directory)?;
    // A new directory is durable only with its name in the one above.
    match directory.canonicalize()?.parent() {
        Some(parent) => Ok(sync_directory(parent)?),
        None => Ok(()),
    }
}

fn builder() -> redb::Builder {
    let mut builder = Database::builder();
    builder.set_cache_size(EMBEDDED_CACHE_BYTES);
    builder
}
