//! A place in a log, and what its state may vouch for.

use wadi_protocol::Timestamp;

use super::RecordId;
use crate::{
    defects::{self, Defect},
    limits::LEASE,
};

/// The last record folded, and when the state was last known to be current.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    /// Its slot; 0 before the first record.
    pub(crate) seq: u64,
    /// Its id, which the next record names as its predecessor.
    pub(crate) id: RecordId,
    /// Its date.
    pub(crate) at: Timestamp,
    /// The store date at which every slot above `seq` was known to be empty or not yet covered by
    /// a checkpoint: none of them can have been collected before a grace period after it.
    pub(crate) validated: Timestamp,
}

impl Position {
    /// The slot after this one.
    pub(crate) fn next(&self) -> u64 {
        self.seq + 1
    }

    /// Whether an answer about a slot, dated `date`, may be believed.
    ///
    /// Until the lease is over a missing slot was never written, a record found is the true next
    /// one, and a create that succeeded is the true next record. After it, the slot may have been
    /// collected meanwhile, and each of these could be an illusion.
    pub(crate) fn vouches_for(&self, date: Timestamp) -> bool {
        let lease = if defects::active(Defect::LeaseDoubled) { LEASE * 2 } else { LEASE };
        date.since(self.validated) <= lease || defects::active(Defect::LateAnswersBelieved)
    }
}
