//! Faults in random order, each dealt once.

use rand::{RngExt, SeedableRng, rngs::StdRng, seq::SliceRandom};

use super::{Fault, Seen};

/// A shuffled deck. About one request in `one_in` is dealt the next fault that suits it.
#[derive(Debug)]
pub struct Deck {
    faults: Vec<Fault>,
    one_in: u32,
    rng: StdRng,
}

impl Default for Deck {
    fn default() -> Self {
        Self::shuffled(Vec::new(), 1, 0)
    }
}

impl Deck {
    /// Shuffles these faults; equal seeds, equal order.
    pub fn shuffled(mut faults: Vec<Fault>, one_in: u32, seed: u64) -> Self {
        let mut rng = StdRng::seed_from_u64(seed);
        faults.shuffle(&mut rng);
        Self { faults, one_in, rng }
    }

    /// How many are left.
    pub(super) fn len(&self) -> usize {
        self.faults.len()
    }

    pub(super) fn draw(&mut self, seen: &Seen) -> Option<Fault> {
        if self.faults.is_empty() || self.rng.random_range(0..self.one_in) > 0 {
            return None;
        }
        let suitable = self.faults.iter().position(|fault| fault.suits(seen))?;
        Some(self.faults.remove(suitable))
    }
}
