//! The payloads that this process wrote or read, kept within a bound.

use bytes::Bytes;
use moka::sync::Cache;
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

impl Payloads {
    /// A cache of at most so many bytes.
    pub(crate) fn new(bytes_max: u64, hasher: ahash::RandomState) -> Self {
        let weigh = |_: &(Incarnation, Holder), payload: &Bytes| {
            u32::try_from(payload.len()).unwrap_or(u32::MAX).saturating_add(ENTRY_BYTES)
        };
        Self(Cache::builder().max_capacity(bytes_max).weigher(weigh).build_with_hasher(hasher))
    }

    pub(crate) fn get(&self, incarnation: Incarnation, holder: Holder) -> Option<Bytes> {
        self.0.get(&(incarnation, holder))
    }

    pub(crate) fn keep(&self, incarnation: Incarnation, holder: Holder, payload: Bytes) {
        if !payload.is_empty() {
            self.0.insert((incarnation, holder), payload);
        }
    }
}
