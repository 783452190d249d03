//! The invariants, one file each. Whether slots are dense, chained and never followed by anything
//! after the end, and whether checkpoints equal the log, the ghost judges as things happen.

mod bytes;
mod effects;
mod exactly_once;
mod garbage;
mod linearizable;
mod matching;
mod model;
mod monotone;
mod producers;
mod publishes;
mod recovery;
mod tails;

use std::time::Duration;

pub(crate) use garbage::left;

use crate::{ghost::Ghost, history::Call, plan::Plan, violation::Violation};

/// All that is known at the end.
pub(crate) struct Evidence<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) ghost: &'a Ghost,
    pub(crate) calls: &'a [Call],
    /// What is in the bucket.
    pub(crate) keys: &'a [String],
}

impl Evidence<'_> {
    fn resolution(&self) -> Duration {
        self.plan.resolution
    }
}

/// What is broken: at most one finding an invariant.
pub(crate) fn all(evidence: &Evidence<'_>) -> Vec<Violation> {
    let checks = [
        exactly_once::check,
        effects::check,
        bytes::check,
        producers::check,
        publishes::check,
        linearizable::check,
        tails::check,
        monotone::check,
        recovery::check,
        garbage::check,
    ];
    checks.iter().filter_map(|check| check(evidence).err()).collect()
}
