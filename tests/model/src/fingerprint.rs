//! Fingerprints of states: 64 bits, mixed word by word.

/// Mixes words into a fingerprint.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mixer {
    hash: u64,
}

const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
const FINISH: u64 = 0xd6e8_feb8_6659_fd93;

impl Mixer {
    pub(crate) fn new(seed: u64) -> Self {
        Self { hash: folded(seed ^ FINISH, MULTIPLIER) }
    }

    pub(crate) fn put(&mut self, word: u64) {
        self.hash = folded(self.hash ^ word, MULTIPLIER).rotate_left(23) ^ word;
    }

    pub(crate) fn finish(self) -> u64 {
        let hash = folded(self.hash ^ MULTIPLIER, FINISH);
        folded(hash ^ (hash >> 32), MULTIPLIER)
    }
}

/// Both halves of the product, so that each bit of the input reaches each bit of the output.
fn folded(a: u64, b: u64) -> u64 {
    let (low, high) = a.carrying_mul(b, 0);
    low ^ high
}

/// Packs small numbers into one word.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Packer {
    word: u64,
    bits: u32,
}

impl Packer {
    /// Appends `value`, which must fit into `bits` bits.
    #[must_use]
    pub(crate) fn put(self, value: impl Into<u64>, bits: u32) -> Self {
        let value = value.into();
        debug_assert!(value < 1 << bits && self.bits + bits <= 64, "{value} does not fit into {bits} bits");
        Self { word: self.word | value << self.bits, bits: self.bits + bits }
    }

    pub(crate) fn word(self) -> u64 {
        self.word
    }
}
