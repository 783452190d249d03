//! The servers of the store, whose clocks may disagree.

use wadi_protocol::Timestamp;
use wadi_store::{GetOutcome, ObjectKey, PutOutcome};

use crate::{
    network::floored,
    plan::Plan,
    random::Rng,
    request::{Reply, Request},
};

const SERVERS: u64 = 3;

/// How far the clock of each server is off, in milliseconds.
pub(crate) struct Servers {
    off_ms: Vec<i64>,
    resolution: std::time::Duration,
}

impl Servers {
    pub(crate) fn new(plan: &Plan) -> Self {
        let mut rng = Rng::part(plan.seed, "servers", 0);
        let most = i64::try_from(plan.disagreement.as_millis()).unwrap_or(0);
        let off_ms = (0..SERVERS).map(|_| i64::try_from(rng.below(2 * most.unsigned_abs() + 1)).unwrap_or(0) - most);
        Self { off_ms: off_ms.collect(), resolution: plan.resolution }
    }

    /// Dates an answer by the clock of some server, and an object by that of the one that took it.
    pub(crate) fn date(&self, request: &Request, reply: &mut Reply, rng: &mut Rng) {
        let off = *rng.pick(&self.off_ms);
        match reply {
            Reply::Got(GetOutcome::Found(object)) => {
                if let Request::Get(key, _) = request {
                    let off = self.taker(key, object.last_modified);
                    self.shift(&mut object.last_modified, off);
                }
                self.shift(&mut object.date, off);
            }
            Reply::Got(
                GetOutcome::NotModified { date } | GetOutcome::OutOfRange { date } | GetOutcome::Missing { date },
            )
            | Reply::Put(
                PutOutcome::Stored { date, .. }
                | PutOutcome::PreconditionFailed { date }
                | PutOutcome::Conflict { date },
            )
            | Reply::Deleted(date) => self.shift(date, off),
            Reply::Listed(listing) => {
                for object in &mut listing.objects {
                    let off = self.taker(&object.key, object.last_modified);
                    self.shift(&mut object.last_modified, off);
                }
                self.shift(&mut listing.date, off);
            }
            Reply::Failed(_) => {}
        }
    }

    /// How far the clock is off of the server that took an object.
    fn taker(&self, key: &ObjectKey, modified: Timestamp) -> i64 {
        let text = key.as_str().bytes().fold(0, |sum: u64, byte| sum + u64::from(byte));
        let taker = usize::try_from((text + modified.as_millis()) % SERVERS).unwrap_or(0);
        self.off_ms.get(taker).copied().unwrap_or(0)
    }

    fn shift(&self, date: &mut Timestamp, off_ms: i64) {
        let shifted = Timestamp::from_millis(date.as_millis().saturating_add_signed(off_ms));
        *date = floored(shifted, self.resolution);
    }
}
