//! The state of a stream: the fold of its operations.

mod apply;
mod genesis;
mod producers;
mod snapshot;
mod stream;
mod usage;

#[cfg(test)]
mod apply_tests;
#[cfg(test)]
mod shape_tests;

pub use apply::FoldError;
pub use genesis::Genesis;
pub use producers::{ClosedEpoch, Opened, ProducerRecord, Producers, Receipt};
pub use snapshot::{Snapshot, SnapshotName};
pub use stream::{StreamState, Summary};
pub use usage::{Counters, Month, Usage};
