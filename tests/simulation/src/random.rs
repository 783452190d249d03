//! Random numbers from one seed: every part of a simulation draws from a stream of its own, so that
//! a change in one does not shift the draws of the others.

use std::{ops::RangeInclusive, time::Duration};

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub(crate) struct Rng {
    state: u64,
}

impl Rng {
    /// The stream of a seed.
    pub(crate) fn new(seed: u64) -> Self {
        let mut rng = Self { state: seed ^ 0x6a09_e667_f3bc_c909 };
        rng.next();
        rng
    }

    /// A stream of its own for a part with this name and number.
    pub(crate) fn part(seed: u64, name: &str, number: u64) -> Self {
        let named = name
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        let mut mixed = Self::new(seed ^ named.rotate_left(17));
        Self::new(mixed.next() ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    /// 64 random bits.
    pub(crate) fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`, which is not zero.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.next() % end.max(1)
    }

    /// An index into something of this length.
    pub(crate) fn index(&mut self, length: usize) -> usize {
        usize::try_from(self.below(length as u64)).unwrap_or(0)
    }

    /// A number of the range.
    pub(crate) fn within(&mut self, range: RangeInclusive<u64>) -> u64 {
        range.start() + self.below(range.end() - range.start() + 1)
    }

    /// True this many times in a million.
    pub(crate) fn millionths(&mut self, chance: u32) -> bool {
        self.below(1_000_000) < u64::from(chance)
    }

    /// True this many times in a hundred.
    pub(crate) fn percent(&mut self, chance: u32) -> bool {
        self.millionths(chance * 10_000)
    }

    /// One of these.
    pub(crate) fn pick<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.index(choices.len())]
    }

    /// A duration of the range: each order of magnitude is as likely as the next.
    pub(crate) fn duration(&mut self, range: &RangeInclusive<Duration>) -> Duration {
        let (low, high) = (micros(*range.start()).max(1), micros(*range.end()).max(1));
        let doublings = u64::from((high / low).max(1).ilog2());
        let base = low << self.within(0..=doublings);
        Duration::from_micros((base + self.below(base)).clamp(low, high))
    }
}

fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::Rng;

    /// Two streams of which one runs behind the other would be one stream, shifted.
    #[test]
    fn no_part_draws_what_another_draws() {
        let mut seen = HashSet::new();
        let mut draws = 0;
        for seed in 0..4 {
            for name in ["network", "client", "instance"] {
                for number in 0..8 {
                    let mut rng = Rng::part(seed, name, number);
                    seen.extend((0..1000).map(|_| rng.next()));
                    draws += 1000;
                }
            }
        }
        assert_eq!(seen.len(), draws, "64 bits do not meet by chance");
    }
}
