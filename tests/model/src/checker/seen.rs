//! The states seen, by fingerprint.

use std::{
    collections::{HashMap, hash_map::Entry},
    hash::{BuildHasherDefault, Hasher},
    sync::{Mutex, MutexGuard, PoisonError},
};

/// Shards, so that threads seldom wait for each other.
const SHARDS: usize = 64;

/// A fingerprint is spread well already.
#[derive(Clone, Copy, Debug, Default)]
struct AsIs(u64);

impl Hasher for AsIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0 << 8 | u64::from(*byte);
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = word;
    }
}

type Shard = HashMap<u64, u64, BuildHasherDefault<AsIs>>;

/// Each state seen, with the state from which it was first reached.
#[derive(Debug)]
pub(super) struct Seen {
    shards: Vec<Mutex<Shard>>,
}

impl Seen {
    /// Only the initial state was seen: it comes from itself.
    pub(super) fn starting_from(initial: u64) -> Self {
        let seen = Self { shards: (0..SHARDS).map(|_| Mutex::default()).collect() };
        seen.insert(initial, initial);
        seen
    }

    /// Whether the state is new.
    pub(super) fn insert(&self, state: u64, from: u64) -> bool {
        match self.shard(state).entry(state) {
            Entry::Occupied(_) => false,
            Entry::Vacant(place) => {
                place.insert(from);
                true
            }
        }
    }

    /// The states from the initial one to this one.
    pub(super) fn way_to(&self, state: u64) -> Vec<u64> {
        let mut way = vec![state];
        let mut here = state;
        while let Some(from) = self.shard(here).get(&here).copied().filter(|from| *from != here) {
            way.push(from);
            here = from;
        }
        way.reverse();
        way
    }

    pub(super) fn len(&self) -> usize {
        self.shards.iter().map(|shard| shard.lock().unwrap_or_else(PoisonError::into_inner).len()).sum()
    }

    fn shard(&self, state: u64) -> MutexGuard<'_, Shard> {
        // The map itself uses the low bits and the topmost seven.
        let index = (state >> 48) as usize % SHARDS;
        self.shards[index].lock().unwrap_or_else(PoisonError::into_inner)
    }
}
