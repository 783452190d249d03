//! One row: Wadi beside its floor, and beside others.

use serde::Serialize;

use super::Unit;
use crate::{arena::StoreKind, failure::Failure, sample::Figures};

/// One row of the table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Row {
    /// What was done.
    pub(crate) name: String,
    /// The store below.
    pub(crate) store: StoreKind,
    /// What the rates count.
    pub(crate) unit: Unit,
    /// Wadi.
    pub(crate) wadi: Figures,
    /// What its store takes for the same.
    pub(crate) floor: Figures,
    /// What else was measured beside it: other servers, or the loopback interface.
    pub(crate) others: Vec<Other>,
    /// The most memory that Wadi's process had taken before the trials, in MiB, where that is told.
    pub(crate) memory_before_mib: Option<u64>,
    /// The most memory that Wadi's process had taken after them, in MiB.
    pub(crate) memory_peak_mib: u64,
    /// What else there is to say.
    pub(crate) note: Option<String>,
}

/// Something that was measured beside Wadi.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Other {
    /// What it is called.
    pub(crate) name: String,
    /// What it came to, if it did.
    pub(crate) figures: Option<Figures>,
    /// Why it did not.
    pub(crate) failure: Option<String>,
}

impl Other {
    /// How it ended.
    pub(crate) fn new(name: String, ended: Result<Figures, Failure>) -> Self {
        match ended {
            Ok(figures) => Self { name, figures: Some(figures), failure: None },
            Err(failure) => Self { name, figures: None, failure: Some(failure.to_string()) },
        }
    }
}

impl Row {
    /// Wadi's rate over another's, where a rate says something.
    pub(crate) fn rate_over(&self, other: &Figures) -> Option<f64> {
        (self.unit.has_rate() && other.per_second > 0.0).then(|| self.wadi.per_second / other.per_second)
    }

    /// Wadi's median latency over the floor's, where their operations are the same.
    pub(crate) fn p50_over_floor(&self) -> Option<f64> {
        let comparable = self.unit.compares_latency() && self.floor.p50_millis > 0.0;
        comparable.then(|| self.wadi.p50_millis / self.floor.p50_millis)
    }
}
