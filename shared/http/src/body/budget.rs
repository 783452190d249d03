//! How many bytes of request bodies are held at once.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use wadi_protocol::Refusal;

/// The bytes that all bodies in flight share.
#[derive(Clone, Debug)]
pub(crate) struct Budget {
    bytes: Arc<Semaphore>,
    total: u32,
}

/// A share of the budget, given back when dropped.
#[derive(Debug)]
pub(crate) struct Reservation(OwnedSemaphorePermit);

impl Budget {
    /// A budget of this many bytes, at most 4 GiB.
    pub(crate) fn new(bytes: u64) -> Self {
        let total = saturated(bytes);
        Self { bytes: Arc::new(Semaphore::new(total as usize)), total }
    }

    /// Takes a share at once, or refuses: nobody waits, so nothing piles up.
    ///
    /// A body larger than the whole budget takes all of it.
    pub(crate) fn reserve(&self, bytes: u64) -> Result<Reservation, Refusal> {
        let share = saturated(bytes).min(self.total);
        let permit = Arc::clone(&self.bytes).try_acquire_many_owned(share);
        permit.map(Reservation).map_err(|_| Refusal::StreamBusy)
    }
}

impl Reservation {
    /// Gives back what is beyond `bytes`.
    pub(crate) fn shrink_to(&mut self, bytes: usize) {
        let surplus = self.0.num_permits().saturating_sub(bytes);
        drop(self.0.split(surplus));
    }
}

fn saturated(bytes: u64) -> u32 {
    u32::try_from(bytes).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_budget_refuses_and_what_is_given_back_can_be_taken_again() {
        let budget = Budget::new(10);
        let mut first = budget.reserve(8).unwrap();
        assert_eq!(budget.reserve(3).unwrap_err(), Refusal::StreamBusy);
        first.shrink_to(2);
        let second = budget.reserve(8).unwrap();
        assert_eq!(budget.reserve(1).unwrap_err(), Refusal::StreamBusy);
        assert!(budget.reserve(0).is_ok());
        drop((first, second));
        assert!(budget.reserve(u64::MAX).is_ok());
    }
}
