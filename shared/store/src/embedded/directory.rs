//! The directory of an embedded store: its lock, its creation and its opening.

use std::{
    fs::{self, File, TryLockError},
    io::{self, Read, Seek, Write},
    path::{Path, PathBuf},
    sync::Arc,
};

use redb::{Database, ReadableDatabase};
use thiserror::Error;

use super::{
    bodies::{Bodies, sync_directory},
    commit::commit,
    format::{Numbers, establish, journal_key, upgrade},
    journal::{FrameKey, JournalWriter, RecoveryError, recover},
    object::Mark,
    options::Options,
    schema::{BODIES, FILES, FORMAT, FORMAT_WITHOUT_JOURNAL, OBJECTS},
};
use crate::limits::EMBEDDED_CACHE_BYTES;

const LOCK_FILE: &str = "lock";
const DATABASE_FILE: &str = "objects.redb";
const NEW_DATABASE_FILE: &str = "objects.redb.new";
const BODIES_DIRECTORY: &str = "bodies";
const JOURNAL_DIRECTORY: &str = "journal";

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
    /// Its journal lost changes that were acknowledged.
    #[error("the journal in {} is damaged: {reason}; restore the directory from a backup, or move its {JOURNAL_DIRECTORY:?} \
        aside to open it without its last changes", directory.display())]
    Journal {
        /// The directory.
        directory: PathBuf,
        /// What is missing.
        reason: String,
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

impl OpenError {
    /// The database in `directory` failed.
    pub(super) fn database(directory: &Path, error: &redb::Error) -> Self {
        Self::Database { directory: directory.to_owned(), reason: error.to_string() }
    }
}

/// An opened directory. Its journal is empty: all is in the database.
pub(super) struct Opened {
    pub(super) database: Arc<Database>,
    pub(super) journal: JournalWriter,
    pub(super) bodies: Bodies,
    pub(super) lock: File,
    pub(super) mark: Mark,
}

/// A failure before it is told which directory it concerns.
enum Failure {
    Store(redb::Error),
    Journal(String),
    Format(u64),
}

impl<E: Into<redb::Error>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::Store(error.into())
    }
}

/// Opens the store in `directory`, or makes a new one. Blocks.
pub(super) fn open(directory: &Path, options: &Options) -> Result<Opened, OpenError> {
    let lock = lock(directory)?;
    open_locked(directory, lock, options).map_err(|failure| match failure {
        Failure::Store(redb::Error::Io(source)) => OpenError::Io { directory: directory.to_owned(), source },
        Failure::Store(error) => OpenError::database(directory, &error),
        Failure::Journal(reason) => OpenError::Journal { directory: directory.to_owned(), reason },
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

fn open_locked(directory: &Path, lock: File, options: &Options) -> Result<Opened, Failure> {
    let path = directory.join(DATABASE_FILE);
    if !path.try_exists()? {
        create(directory, &path)?;
    }
    let database = Arc::new(builder().open(&path)?);
    let numbers = Numbers::read(&database)?;
    let key = match numbers.format {
        FORMAT => journal_key(&database)?,
        FORMAT_WITHOUT_JOURNAL => upgrade(&database)?,
        found => return Err(Failure::Format(found)),
    };
    let journal = directory.join(JOURNAL_DIRECTORY);
    fs::create_dir_all(&journal)?;
    let mark = replay(&database, &journal, &key, numbers.mark)?;
    let journal = JournalWriter::open(&journal, key, &options.disk)?;
    let bodies = open_bodies(&database, directory.join(BODIES_DIRECTORY))?;
    sync_directory(directory)?;
    Ok(Opened { database, journal, bodies, lock, mark })
}

/// Writes to the database what a crash left in the journal.
fn replay(database: &Database, journal: &Path, key: &FrameKey, mark: Mark) -> Result<Mark, Failure> {
    match recover(journal, key, mark.sequence) {
        Ok(None) => Ok(mark),
        Ok(Some((mark, rows))) => {
            commit(database, &rows, mark)?;
            Ok(mark)
        }
        Err(RecoveryError::Io(error)) => Err(error.into()),
        Err(RecoveryError::Damaged(reason)) => Err(Failure::Journal(reason)),
    }
}

fn open_bodies(database: &Database, directory: PathBuf) -> Result<Bodies, Failure> {
    let files = database.begin_read()?.open_table(FILES)?;
    Bodies::open(directory, |number| Ok::<_, Failure>(files.get(number)?.is_some()))
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
    establish(&transaction)?;
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
