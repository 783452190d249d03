//! How much is measured: every bound of a run in one place. Units come last.

use std::time::Duration;

/// Bytes in a mebibyte.
pub(crate) const MIB: u64 = 1024 * 1024;
/// Longest wait for one answer.
pub(crate) const ANSWER_TIME_MAX: Duration = Duration::from_secs(90);
/// Longest time that a stream is filled for a row about reading it; what was written by then is read.
pub(crate) const FILL_TIME_MAX: Duration = Duration::from_secs(150);
/// Longest wait until a stream is sealed.
pub(crate) const SEALED_TIME_MAX: Duration = Duration::from_mins(2);
/// How often it is looked at meanwhile.
pub(crate) const SEALED_LOOK_EVERY: Duration = Duration::from_millis(50);
/// Connections over which a stream is filled.
pub(crate) const FILL_CONNECTIONS: usize = 256;
/// Bytes of one append that a stream is filled with.
pub(crate) const FILL_BODY_BYTES: usize = 1024;
/// The grid of chunks.
pub(crate) const CHUNK_BYTES: u64 = 4 * MIB;
/// Requests to the store that a page of sealed bytes may take: its chunks, the manifest and a probe.
pub(crate) const SEALED_PAGE_GETS_MAX: u64 = 4;
/// Records of a stream that is about to be sealed, but is not.
pub(crate) const UNSEALED_RECORDS: u64 = 49;
/// Records after which a stream is sealed.
pub(crate) const SEALED_RECORDS: u64 = UNSEALED_RECORDS + 1;
/// Bytes of each append of the longest segment of a stream without a chunk: all of them are below the length that
/// is sealed at once.
pub(crate) const SEGMENT_BODY_BYTES_MAX: usize = 16 * 1024;
/// How long a segment gets to be written.
pub(crate) const SEGMENT_PAUSE: Duration = Duration::from_millis(300);
/// Bytes of a message that subscribers wait for, its time-stamp included.
pub(crate) const EVENT_BYTES: usize = 256;
/// Messages a second that subscribers wait for.
pub(crate) const EVENTS_PER_SECOND: u32 = 20;
/// Connections of subscribers that are being opened at once.
pub(crate) const SUBSCRIBERS_OPENING_MAX: usize = 32;
/// Longest wait for the last deliveries.
pub(crate) const DELIVERY_TIME_MAX: Duration = Duration::from_secs(10);

/// How much of everything.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale {
    /// Trials of each side of a row, in turn; medians are told.
    pub(crate) rounds: usize,
    /// Length of a trial.
    pub(crate) span: Duration,
    /// Streams appended to at once, one append in flight each.
    pub(crate) streams: &'static [usize],
    /// Bytes of their appends.
    pub(crate) body_bytes: &'static [usize],
    /// Producers that append to one stream.
    pub(crate) producers: &'static [usize],
    /// Messages in a batch.
    pub(crate) batches: &'static [usize],
    /// Streams that batches go to.
    pub(crate) batch_streams: usize,
    /// Bytes of the streams that are read whole.
    pub(crate) catch_up_bytes: &'static [u64],
    /// Bytes of the stream that is opened in new processes.
    pub(crate) opened_bytes: u64,
    /// Segments of the stream without a chunk.
    pub(crate) segments: u32,
    /// How many new processes open each.
    pub(crate) openings: usize,
    /// Bytes of the stream that is sealed.
    pub(crate) sealed_bytes: u64,
    /// Readers that follow one stream.
    pub(crate) subscribers: &'static [usize],
    /// Length of a trial of theirs.
    pub(crate) fan_out_span: Duration,
}

impl Scale {
    /// What the tables are made of: two stores in at most 15 minutes.
    pub(crate) const FULL: Self = Self {
        rounds: 3,
        span: Duration::from_secs(2),
        streams: &[1, 64, 500],
        body_bytes: &[256, 1024],
        producers: &[32, 256],
        batches: &[10, 100],
        batch_streams: 64,
        catch_up_bytes: &[64 * MIB, 1024 * MIB],
        opened_bytes: 64 * MIB,
        segments: 10,
        openings: 5,
        sealed_bytes: 64 * MIB,
        subscribers: &[200, 1000],
        fan_out_span: Duration::from_secs(4),
    };

    /// The same rows in a few seconds: whether everything runs, not how fast.
    pub(crate) const SHORT: Self = Self {
        rounds: 1,
        span: Duration::from_millis(100),
        streams: &[1, 4],
        body_bytes: &[256],
        producers: &[4],
        batches: &[10],
        batch_streams: 2,
        catch_up_bytes: &[5 * MIB],
        opened_bytes: MIB,
        segments: 2,
        openings: 1,
        sealed_bytes: 5 * MIB,
        subscribers: &[5],
        fan_out_span: Duration::from_millis(250),
    };
}

/// Memory of a function, in GB: what its time is billed by.
pub(crate) const FUNCTION_GB: f64 = 0.25;
/// Time of a function for an append: one write to a bucket of the same region, and what is around it.
pub(crate) const FUNCTION_APPEND_SECONDS: f64 = 0.06;
/// Time of a function for a page of sealed bytes.
pub(crate) const FUNCTION_PAGE_SECONDS: f64 = 0.25;
/// Bytes of a page at most.
pub(crate) const PAGE_BYTES: u64 = 8 * MIB;
/// Pause between two looks at a stream that is followed and nothing happens to.
pub(crate) const POLL_IDLE_SECONDS: f64 = 1.0;
