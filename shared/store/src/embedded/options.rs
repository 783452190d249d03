//! What can be chosen when a store is opened.

use std::{io, sync::Arc};

use super::journal::{WrapDisk, plain_disk};
use crate::limits::EMBEDDED_GENERATION_BYTES;

/// What is called before a generation is written to the database. Where it fails, writing it failed.
pub(super) type BeforeCommit = Arc<dyn Fn() -> io::Result<()> + Send + Sync>;

/// The choices. All but the first are for tests of what goes wrong.
#[derive(Clone)]
pub(super) struct Options {
    /// Bytes of changes after which they are written to the database.
    pub(super) generation_bytes: usize,
    /// Whether an orderly end writes everything to the database; else it stays in the journal, as after a crash.
    pub(super) flush_at_end: bool,
    /// What the journal writes to.
    pub(super) disk: WrapDisk,
    /// See [`BeforeCommit`].
    pub(super) before_commit: BeforeCommit,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            generation_bytes: EMBEDDED_GENERATION_BYTES,
            flush_at_end: true,
            disk: plain_disk(),
            before_commit: Arc::new(|| Ok(())),
        }
    }
}
