//! Whether the store was proved to honour its conditions.

use std::sync::{Mutex, PoisonError};

use wadi_protocol::Refusal;

/// The verdict of the store's self-test. No write is acknowledged before it is `Proved`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fitness {
    /// The self-test has not ended yet.
    Untested,
    /// The store honours its conditions.
    Proved,
    /// It does not: writes could be lost.
    Unfit {
        /// The probe that failed, in words.
        probe: String,
    },
}

#[derive(Debug)]
pub(crate) struct FitnessCell(Mutex<Fitness>);

impl FitnessCell {
    pub(crate) fn new(fitness: Fitness) -> Self {
        Self(Mutex::new(fitness))
    }

    pub(crate) fn get(&self) -> Fitness {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn set(&self, fitness: Fitness) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = fitness;
    }

    /// Refuses a write on a store that is not proved.
    pub(crate) fn check(&self) -> Result<(), Refusal> {
        match self.get() {
            Fitness::Proved => Ok(()),
            // Nothing is known against the store yet: it is worth coming back.
            Fitness::Untested => Err(Refusal::StoreUntested),
            Fitness::Unfit { probe } => Err(Refusal::StoreUnfit { probe }),
        }
    }
}
