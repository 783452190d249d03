//! Bounds of the engine, in one place. Units come last.

use std::time::Duration;

/// How long after its validation a state may vouch for an answer about a slot.
pub const LEASE: Duration = Duration::from_mins(1);

/// How long what a checkpoint covers stays in the bucket.
pub const GRACE: Duration = Duration::from_hours(24);

/// The longest that one request to the store may take.
pub const STORE_REQUEST_TIMEOUT: Duration = Duration::from_secs(30);

/// How far the store's clocks may disagree with each other.
pub const STORE_CLOCK_DISAGREEMENT: Duration = Duration::from_mins(15);

// A write that was believed must have left the network before anything it rests on is collected.
const _: () = assert!(
    LEASE.as_secs() + STORE_REQUEST_TIMEOUT.as_secs() + STORE_CLOCK_DISAGREEMENT.as_secs() < GRACE.as_secs(),
    "LEASE + longest upload + clock disagreement must stay below GRACE"
);

/// How long a write may take, lost races and retries included, before it is given up.
pub const WRITE_DEADLINE: Duration = Duration::from_secs(20);

/// The longest that a request waits for its answer, should the store hang through all other bounds.
pub const ANSWER_DEADLINE: Duration = Duration::from_secs(80);

/// How long an answer waits for work on its side: a renewal, a tombstone. What takes longer goes
/// on by itself.
pub const SIDE_WORK_WAIT_MAX: Duration = Duration::from_secs(5);

/// How much longer the wall clock may find the time since the store's last answer than the
/// monotonic clock does, before the process is taken to have been suspended.
pub const SUSPENSION_UNNOTICED_MAX: Duration = Duration::from_secs(1);

/// Attempts at a write that nothing of reached the store.
pub const UNSENT_ATTEMPTS_MAX: u32 = 3;

/// Shortest and longest pause after a lost race or a failed attempt.
pub const BACKOFF_MIN: Duration = Duration::from_millis(5);
/// See [`BACKOFF_MIN`].
pub const BACKOFF_MAX: Duration = Duration::from_millis(50);

/// Longest pause between attempts at a record that the store does not answer usably. It doubles
/// from [`BACKOFF_MAX`].
pub const BACKOFF_FAILING_MAX: Duration = Duration::from_secs(2);

/// Requests for one object whose bytes break off. The store was there a moment ago, so one more is worth it.
pub const BROKEN_OFF_ATTEMPTS_MAX: usize = 2;

/// Attempts at replacing a manifest before it is left to the next process.
pub const MANIFEST_ATTEMPTS_MAX: u32 = 5;

/// Times an opener starts over when the log moves under it or looks broken.
pub const OPEN_ATTEMPTS_MAX: u32 = 3;

/// Slots read at once.
pub const SLOTS_IN_PARALLEL_MAX: usize = 64;

/// Records after which a scan of the log pauses, so that what it found can be folded and let go.
pub const SCAN_RECORDS_MAX: usize = 256;

/// Bytes read of a slot at first: enough for nearly every record whole, and for nearly every
/// header of the others.
pub const SLOT_FIRST_BYTES: u64 = 64 * 1024;

/// Operations in one record.
pub const RECORD_OPERATIONS_MAX: usize = 1024;

/// Payload of one record, unless a single operation is larger.
pub const RECORD_PAYLOAD_BYTES_MAX: usize = 8 * 1024 * 1024;

/// Header of one record.
pub const RECORD_HEADER_BYTES_MAX: usize = 256 * 1024;

/// Room that the header's own fields and the small state take, at most.
pub const RECORD_HEADER_RESERVE_BYTES: usize = 8 * 1024;

/// Largest record object: what a reader must be ready to hold.
pub const RECORD_BYTES_MAX: u64 = (RECORD_PAYLOAD_BYTES_MAX * 2 + RECORD_HEADER_BYTES_MAX) as u64;

/// Payloads above this go to a body object of their own once a write has lost
/// [`LOST_RACES_BEFORE_BODY`] races, so that racing records stay small.
pub const CONTENDED_PAYLOAD_BYTES_MAX: usize = 256 * 1024;

/// See [`CONTENDED_PAYLOAD_BYTES_MAX`].
pub const LOST_RACES_BEFORE_BODY: u32 = 2;

/// Writes that may wait for one stream.
pub const WAITING_WRITES_MAX: usize = 4096;

/// Reads that may wait for one probe.
pub const WAITING_READS_MAX: usize = 65_536;

/// Records that one page is put together from.
pub const PAGE_RECORDS_MAX: usize = 1024;

/// Records fetched at once for one page.
pub const PAGE_FETCHES_IN_PARALLEL: usize = 16;

/// Pages fetched ahead, for as many readers: of 8 MiB each, with what else the objects hold that they begin and end in.
/// Together they fit [`PAYLOAD_CACHE_BYTES`].
pub const PAGES_AHEAD_MAX: usize = 4;

/// Bytes of a page after which the next is fetched ahead: who takes so many at once catches up.
pub const READ_AHEAD_AFTER_BYTES_MIN: u64 = 4 * 1024 * 1024;

/// How long a page that was fetched ahead is expected to be asked for.
pub const READ_AHEAD_WAIT_MAX: Duration = Duration::from_secs(10);

/// Pages of a stream that are kept for tails that have still to take them: of those that keep up there is one, and
/// one of those that fell behind together.
pub const SHARED_PAGES_MAX: usize = 2;

/// Most bytes of a page that is kept for other tails; a longer one each reads for itself.
pub const SHARED_PAGE_BYTES_MAX: usize = 64 * 1024;

/// What is made of a page in so many ways is kept with it.
pub const SHARED_PAGE_FORMS_MAX: usize = 4;

/// Payload bytes kept of what this process wrote or read, unless the settings say otherwise.
pub const PAYLOAD_CACHE_BYTES: u64 = 64 * 1024 * 1024;

/// Estimated bytes of stream states kept, unless the settings say otherwise.
pub const STATE_CACHE_BYTES: u64 = 256 * 1024 * 1024;

/// Records after which a stream is sealed.
pub const SEAL_RECORDS: u64 = 50;

/// Bytes after which a stream is sealed.
pub const SEAL_BYTES: u64 = 1024 * 1024;

/// How many times the records after which a stream is due make it overdue: then a process seals a
/// stream that others write, who should have.
pub const SEAL_OVERDUE_RATIO: u64 = 4;

/// Most bytes of a mark that tells a sealer of a stream: more than any name has.
pub const SEAL_MARK_BYTES_MAX: u64 = 1024;

/// Attempts at leaving a mark, all of them within [`SIDE_WORK_WAIT_MAX`].
pub const SEAL_MARK_ATTEMPTS_MAX: u32 = 3;

/// Times a sealer tries to have a stream that is due sealed, should others change it meanwhile.
pub const SEAL_ATTEMPTS_MAX: u32 = 4;

/// Bytes after which a process seals a stream that others write.
pub const SEAL_OVERDUE_BYTES: u64 = 8 * SEAL_BYTES;

/// Streams that a process seals in the background at once: each holds the bytes of a cell, and what is sealed takes
/// requests that appends could have.
pub const SEALINGS_AT_ONCE_MAX: usize = 16;

/// How long a stream is left alone after its sealing failed.
pub const SEAL_PAUSE_AFTER_FAILURE: Duration = Duration::from_secs(10);

/// Attempts at writing one sealed object.
pub const SEALED_OBJECT_ATTEMPTS_MAX: u32 = 4;

/// Segments between the last chunk and the checkpoint.
pub const SEGMENTS_MAX: usize = 10;

/// A segment is merged with the bytes that follow it unless it is more than so many times as long.
pub const SEGMENT_RATIO: u64 = 1;

/// States above this lie in an object of their own.
pub const STATE_IN_MANIFEST_BYTES_MAX: usize = 16 * 1024;

/// Largest state object: what a reader must be ready to hold.
pub const STATE_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// How far apart in time the covers are that a manifest lists.
pub const COVERS_APART_MIN: Duration = Duration::from_hours(1);

/// Objects of one kind that one pass of collection over one stream removes.
pub const COLLECTED_PER_PASS_MAX: u64 = 20_000;

/// Keys in one page of a listing, and in one request to delete.
pub const KEYS_AT_ONCE_MAX: usize = 1000;

/// Changes of one manifest that one pass of collection makes.
pub const COLLECT_ROUNDS_MAX: u32 = 4;

/// How long ago a manifest must have changed for a sweep of recent ones to leave it alone.
pub const SWEEP_LOOKS_BACK: Duration = Duration::from_hours(72);

/// Most bytes of the bookmark of a sweep: more than any key has.
pub const BOOKMARK_BYTES_MAX: u64 = 4096;

/// Problems that a verification tells of one stream.
pub const PROBLEMS_TOLD_MAX: usize = 20;

/// Bytes of a snapshot's body that a reader holds at once: as many as a page has at most.
pub const SNAPSHOT_PIECE_BYTES: u64 = 8 * 1024 * 1024;

/// Parts of a snapshot read at once, [`SNAPSHOT_PIECE_BYTES`] of them at most.
pub const PARTS_IN_PARALLEL: usize = 16;

/// Snapshots put together from parts at once in one process, and again as many copied to their own keys. Each
/// holds four pieces at most.
pub const PART_COPIES_MAX: usize = 2;

/// How long a sealer leaves the copy of a snapshot alone after it could not be made.
pub const COPY_PAUSE_AFTER_FAILURE: Duration = Duration::from_mins(10);

/// Attempts at one part of an upload, which changes nothing until the upload is complete.
pub const UPLOAD_PART_ATTEMPTS_MAX: u32 = 3;

/// The longest that an upload in parts may take from its beginning to its end, by the store's dates. S3 dates
/// such an object from its beginning, and collection goes by that date.
pub const UPLOAD_TIME_MAX: Duration = Duration::from_hours(1);

const _: () = assert!(
    UPLOAD_TIME_MAX.as_secs()
        + LEASE.as_secs()
        + 2 * STORE_REQUEST_TIMEOUT.as_secs()
        + STORE_CLOCK_DISAGREEMENT.as_secs()
        < GRACE.as_secs(),
    "a body must be named by a record before it looks old"
);

/// How long a process goes by the parts that it found staged, and those it staged since.
pub const STAGED_BELIEVED_MAX: Duration = Duration::from_mins(1);

/// How long it goes by them when they leave no room.
pub const STAGED_FULL_BELIEVED_MAX: Duration = Duration::from_secs(5);

/// Times a publish starts over when the stream changes under it, or its upload grows old.
pub const PUBLISH_ATTEMPTS_MAX: u32 = 5;
