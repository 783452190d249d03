//! The payloads that this process wrote or read, kept within a bound.

use bytes::Bytes;
use moka::{policy::EvictionPolicy, sync::Cache};
use wadi_protocol::Incarnation;

use crate::sealed::SealedObject;

/// What holds bytes of an incarnation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Holder {
    /// The record in a slot.
    Slot(u64),
    /// A sealed object.
    Sealed(SealedObject),
}

/// A cache of payloads by incarnation and what holds them. Neither a record nor a sealed object
/// ever changes, so no entry is ever out of date; entries leave for room only, never by a clock.
#[derive(Clone, Debug)]
pub(crate) struct Payloads(Cache<(Incarnation, Holder), Bytes, ahash::RandomState>);

/// What an entry costs beside its bytes.
const ENTRY_BYTES: u32 = 128;

/// From here on the cache makes room as soon as an entry is in. Otherwise it does so after a number of entries, or a
/// part of a second: time enough for a fast reader to bring in several times what the cache may hold.
const LARGE_BYTES: usize = 256 * 1024;

impl Payloads {
    /// A cache of at most so many bytes.
    pub(crate) fn new(bytes_max: u64, hasher: ahash::RandomState) -> Self {
        let weigh = |_: &(Incarnation, Holder), payload: &Bytes| {
            u32::try_from(payload.len()).unwrap_or(u32::MAX).saturating_add(ENTRY_BYTES)
        };
        // What a reader fetches ahead it needs in a moment, however seldom it was asked for before.
        let policy = EvictionPolicy::lru();
        let cache = Cache::builder().max_capacity(bytes_max).weigher(weigh).eviction_policy(policy);
        Self(cache.build_with_hasher(hasher))
    }

    pub(crate) fn get(&self, incarnation: Incarnation, holder: Holder) -> Option<Bytes> {
        self.0.get(&(incarnation, holder))
    }

    pub(crate) fn keep(&self, incarnation: Incarnation, holder: Holder, payload: Bytes) {
        if payload.is_empty() {
            return;
        }
        let large = payload.len() >= LARGE_BYTES;
        self.0.insert((incarnation, holder), payload);
        if large {
            self.0.run_pending_tasks();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_entries_never_take_more_than_the_bound_and_the_newest_is_there() {
        let payloads = Payloads::new(4 << 20, ahash::RandomState::with_seeds(1, 2, 3, 4));
        for slot in 0..64 {
            payloads.keep(Incarnation::from_random(1), Holder::Slot(slot), vec![1; 1 << 20].into());
            let held: usize = payloads.0.iter().map(|(_, payload)| payload.len()).sum();
            assert!((1..=4 << 20).contains(&held), "{held} bytes after {slot}");
            let newest = payloads.get(Incarnation::from_random(1), Holder::Slot(slot));
            assert!(newest.is_some(), "the one that was just fetched: {slot}");
            // However often others were asked for.
            let _ = payloads.get(Incarnation::from_random(1), Holder::Slot(0));
        }
    }
}
