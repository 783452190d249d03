//! Proves, before anything is served, that a store keeps the promises on which the log rests.
//!
//! A store that ignores `If-None-Match`, or honours it only when nobody races, would lose acknowledged
//! writes without a word. So a process asks first, with real objects, and refuses to start on such a store.

mod probes;
mod unfit;

pub use unfit::{Probe, Unfit};

use crate::ObjectStore;

/// Runs every probe on `store`, with objects under `selftest/{unique_id}/` that are deleted afterwards.
///
/// `unique_id` must never have been used on this store before: the probes create keys under it. Takes about
/// 60 small requests. Fails with the first probe that fails: [`Unfit::Broken`] when the store broke a promise,
/// [`Unfit::Unproved`] when it could not be asked.
pub async fn prove(store: &dyn ObjectStore, unique_id: &str) -> Result<(), Unfit> {
    let probes = probes::Probes::new(store, unique_id);
    let verdict = probes.run().await;
    let cleared = probes.clear().await;
    verdict.and(cleared)
}
