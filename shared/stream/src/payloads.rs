//! The payloads that this process wrote or read, kept within a bound.

use bytes::Bytes;
use moka::sync::Cache;
use wadi_protocol::Incarnation;

use crate::limits::PAYLOAD_CACHE_BYTES;

/// A cache of record payloads by incarnation and slot. A record never changes, so no entry is
/// ever out of date; entries leave for room only, never by a clock.
#[derive(Clone, Debug)]
pub(crate) struct Payloads(Cache<(Incarnation, u64), Bytes, ahash::RandomState>);

/// What an entry costs beside its bytes.
const ENTRY_BYTES: u32 = 128;

impl Payloads {
    pub(crate) fn new(hasher: ahash::RandomState) -> Self {
        let weigh = |_: &(Incarnation, u64), payload: &Bytes| {
            u32::try_from(payload.len()).unwrap_or(u32::MAX).saturating_add(ENTRY_BYTES)
        };
        Self(Cache::builder().max_capacity(PAYLOAD_CACHE_BYTES).weigher(weigh).build_with_hasher(hasher))
    }

    pub(crate) fn get(&self, incarnation: Incarnation, seq: u64) -> Option<Bytes> {
        self.0.get(&(incarnation, seq))
    }

    pub(crate) fn keep(&self, incarnation: Incarnation, seq: u64, payload: Bytes) {
        if !payload.is_empty() {
            self.0.insert((incarnation, seq), payload);
        }
    }
}
