//! Every limit of this crate, in one place. The unit is the last word of the name.

use std::time::Duration;

/// Longest key that every supported store takes, in bytes.
pub const KEY_BYTES_MAX: usize = 1024;

/// Largest object that every supported store takes, in bytes.
pub const OBJECT_BYTES_MAX: usize = 16 * 1024 * 1024;

/// Smallest part of an upload but the last, in bytes (S3's own limit).
pub const UPLOAD_PART_BYTES_MIN: usize = 5 * 1024 * 1024;

/// Most parts of one upload (S3's own limit).
pub const UPLOAD_PARTS_MAX: u32 = 10_000;

/// Most uploads in parts that are open at once in a store without a server.
pub const LOCAL_UPLOADS_MAX: usize = 64;

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

/// Most changes in one entry of the embedded store's journal.
pub const EMBEDDED_BATCH_CHANGES_MAX: usize = 1024;

/// Bytes after which an entry of the embedded store's journal takes no further change.
pub const EMBEDDED_BATCH_BYTES_MAX: usize = 4 * 1024 * 1024;

/// Bytes of a generation of changes, after which the embedded store writes it to its database as soon as the one
/// before is written.
///
/// Large enough that many changes share the pages and the syncs of one commit; twice this and twice the next
/// limit is what waits in memory, and what a start after a crash reads at most.
pub const EMBEDDED_GENERATION_BYTES: usize = 8 * 1024 * 1024;

/// Keys of a generation of changes, after which it is written as [`EMBEDDED_GENERATION_BYTES`] says.
pub const EMBEDDED_GENERATION_KEYS: usize = 32 * 1024;

/// How far a generation may grow beyond its size while the one before is being written. Then writers wait.
pub const EMBEDDED_GENERATION_GROWTH_MAX: usize = 2;

/// The unit that a disk writes whole or not at all, or larger: entries of the journal share none.
pub const EMBEDDED_PAGE_BYTES: usize = 4096;

/// By how much a file of the journal grows at least.
pub const EMBEDDED_JOURNAL_STEP_BYTES: u64 = 1024 * 1024;

/// Most rows shown to readers under one lock.
pub const EMBEDDED_ROWS_AT_ONCE_MAX: usize = 64;

/// Most ranges without a key that the embedded store remembers of its database.
pub const EMBEDDED_GAPS_MAX: usize = 4096;

/// Most reads under way in the embedded store; later callers wait.
pub const EMBEDDED_READS_MAX: usize = 64;

/// Cache of the embedded store's database.
pub const EMBEDDED_CACHE_BYTES: usize = 64 * 1024 * 1024;

const _: () = assert!(OBJECT_BYTES_MAX <= EMBEDDED_QUEUE_BYTES_MAX, "the largest object must fit into the queue");

/// How coarse the dates of S3 are: HTTP dates have whole seconds.
pub const S3_DATE_RESOLUTION: Duration = Duration::from_secs(1);

/// Longest time to connect to S3; without a connection nothing was sent, so it is safe to give up early.
pub const S3_CONNECT_TIME_MAX: Duration = Duration::from_secs(1);

/// Most attempts at a read, a listing or a delete.
pub const S3_READ_ATTEMPTS_MAX: u32 = 3;

/// Longest wait for the answer to one attempt at a read to begin.
pub const S3_READ_ATTEMPT_TIME_MAX: Duration = Duration::from_secs(10);

/// Longest time for a read with all its attempts and its body.
pub const S3_READ_TIME_MAX: Duration = Duration::from_secs(30);

/// Longest time for a write of nothing; see [`S3_WRITE_TIME_PER_MIB`].
pub const S3_WRITE_TIME_BASE: Duration = Duration::from_secs(5);

/// Added to [`S3_WRITE_TIME_BASE`] for each mebibyte begun: a slow uplink is no outage.
pub const S3_WRITE_TIME_PER_MIB: Duration = Duration::from_secs(1);

/// Longest wait until an upload in parts is complete: the server may put its parts together first. Below what
/// a caller waits for one request.
pub const S3_COMPLETE_TIME_MAX: Duration = Duration::from_secs(28);

/// Most keys in one request to delete many (S3's own limit).
pub const S3_DELETE_KEYS_MAX: usize = 1000;

/// Most single deletes under way at once.
pub const S3_SINGLE_DELETES_AT_ONCE_MAX: usize = 16;
