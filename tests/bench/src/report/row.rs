//! One row: Wadi beside its floor, and beside another server.

use serde::Serialize;

use crate::{arena::StoreKind, sample::Figures};

/// What a rate counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Unit {
    /// Operations a second.
    Operations,
    /// Messages a second, several to an operation.
    Messages,
    /// Mebibytes a second.
    Mebibytes,
}

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
    /// The same bytes put or read straight from the store.
    pub(crate) floor: Option<Figures>,
    /// The other server.
    pub(crate) peer: Option<Figures>,
    /// The most memory that Wadi's process had taken by then, in MiB.
    pub(crate) memory_peak_mib: u64,
    /// What else there is to say.
    pub(crate) note: Option<String>,
}

impl Row {
    /// Wadi's rate over the floor's.
    pub(crate) fn rate_ratio(&self) -> Option<f64> {
        let floor = self.floor.as_ref().filter(|floor| floor.per_second > 0.0)?;
        Some(self.wadi.per_second / floor.per_second)
    }

    /// Wadi's median latency over the floor's.
    pub(crate) fn p50_ratio(&self) -> Option<f64> {
        let floor = self.floor.as_ref().filter(|floor| floor.p50_millis > 0.0)?;
        Some(self.wadi.p50_millis / floor.p50_millis)
    }
}
