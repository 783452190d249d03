//! The self-test of the store, until it has a verdict.

use std::time::Duration;

use wadi_store::{SharedStore, Unfit, prove};
use wadi_stream::{Engine, Fitness, Runtime, TokioRuntime};

/// First and longest pause before a store that could not be asked is asked again.
const PAUSE_MIN: Duration = Duration::from_secs(1);
const PAUSE_MAX: Duration = Duration::from_secs(30);

/// Tests the store and tells the engine, which refuses writes until the store is proved fit.
///
/// A store that cannot be asked is asked again. One that broke a promise is not: nothing is ever
/// written to it. Returns the verdict.
pub(crate) async fn settle(store: SharedStore, engine: Engine) -> Fitness {
    let verdict = verdict(&store).await;
    engine.set_fitness(verdict.clone());
    verdict
}

async fn verdict(store: &SharedStore) -> Fitness {
    let mut pause = PAUSE_MIN;
    loop {
        match prove(store.as_ref(), &unique_id()).await {
            Ok(()) => {
                tracing::info!("the store is fit: it honours conditional writes");
                return Fitness::Proved;
            }
            Err(unfit @ Unfit::Broken { .. }) => {
                tracing::error!(%unfit, "no write is accepted");
                return Fitness::Unfit { probe: probe_of(&unfit) };
            }
            Err(unproved) => {
                tracing::warn!(%unproved, retry_in_seconds = pause.as_secs(), "no write is accepted yet");
                tokio::time::sleep(pause).await;
                pause = (pause * 2).min(PAUSE_MAX);
            }
        }
    }
}

/// An id that was never used before.
pub(crate) fn unique_id() -> String {
    let runtime = TokioRuntime::default();
    format!("{:016x}{:016x}", runtime.random(), runtime.random())
}

fn probe_of(unfit: &Unfit) -> String {
    match unfit {
        Unfit::Broken { probe, .. } | Unfit::Unproved { probe, .. } => probe.to_string(),
    }
}
