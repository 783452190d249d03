//! Every limit of this crate, in one place. The unit is the last word of the name.

use std::time::Duration;

/// Longest key that every supported store takes, in bytes.
pub const KEY_BYTES_MAX: usize = 1024;

/// Largest object that every supported store takes, in bytes.
pub const OBJECT_BYTES_MAX: usize = 16 * 1024 * 1024;

/// Most keys in a page of a listing (S3's own limit).
pub const LIST_KEYS_MAX: usize = 1000;

/// How coarse the dates of the embedded and the memory store are.
pub const LOCAL_DATE_RESOLUTION: Duration = Duration::from_millis(1);

/// Most requests that [`crate::CountingStore`] records; later ones are counted only.
pub const RECORDED_REQUESTS_MAX: usize = 65_536;

/// Largest body that the embedded store keeps in its database; a larger one gets a file of its own.
///
/// Small enough to keep the database small (its commits and its start depend on its size), large enough
/// that concurrent writers of ordinary records share one sync.
pub const EMBEDDED_INLINE_BYTES_MAX: usize = 256 * 1024;

/// Most changes that wait for the writer of the embedded store; later callers wait for room.
pub const EMBEDDED_QUEUE_CHANGES_MAX: usize = 4096;

/// Most bytes of bodies under way into the embedded store; later callers wait for room.
pub const EMBEDDED_QUEUE_BYTES_MAX: usize = 64 * 1024 * 1024;

/// Most changes in one commit of the embedded store.
pub const EMBEDDED_BATCH_CHANGES_MAX: usize = 1024;

/// Bytes of small bodies after which a commit of the embedded store takes no further change.
pub const EMBEDDED_BATCH_BYTES_MAX: usize = 16 * 1024 * 1024;

/// Most reads under way in the embedded store; later callers wait.
pub const EMBEDDED_READS_MAX: usize = 64;

/// Cache of the embedded store's database.
pub const EMBEDDED_CACHE_BYTES: usize = 64 * 1024 * 1024;

const _: () = assert!(OBJECT_BYTES_MAX <= EMBEDDED_QUEUE_BYTES_MAX, "the largest object must fit into the queue");
