//! How an engine works, beside what it works on.

use std::time::Duration;

use crate::{
    Polling, Sealing,
    limits::{GRACE, PAYLOAD_CACHE_BYTES, SEAL_RECORDS, STATE_CACHE_BYTES},
};

/// The settings of an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineSettings {
    /// How often it looks for what other processes append to streams tailed here.
    pub polling: Polling,
    /// Who seals the streams that it writes.
    pub sealing: Sealing,
    /// Records after which a stream is due for sealing. Bytes and a close make it due, too.
    pub seal_records: u64,
    /// How long what nobody needs stays in the bucket. Never less than [`GRACE`] outside tests.
    pub grace: Duration,
    /// Estimated bytes of stream states kept.
    pub state_cache_bytes: u64,
    /// Payload bytes kept of what this process wrote or read.
    pub payload_cache_bytes: u64,
    /// Pages fetched ahead of readers who catch up: none where nothing runs between requests.
    pub pages_ahead_max: usize,
}

impl Default for EngineSettings {
    fn default() -> Self {
        Self {
            polling: Polling::default(),
            sealing: Sealing::default(),
            seal_records: SEAL_RECORDS,
            grace: GRACE,
            state_cache_bytes: STATE_CACHE_BYTES,
            payload_cache_bytes: PAYLOAD_CACHE_BYTES,
            pages_ahead_max: 0,
        }
    }
}
