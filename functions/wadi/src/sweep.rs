//! `wadi sweep`: remove what nothing needs any more.

use std::{process::ExitCode, sync::Arc, time::Duration};

use indicatif::ProgressBar;
use wadi_settings::open_store;
use wadi_store::{SharedStore, prove};
use wadi_stream::{Engine, Fitness, SweepScope, Swept, TokioRuntime};

use crate::{banner, error::StartError, proof::unique_id, settings::SweepArgs};

/// How often the progress line moves while nothing is told.
const TICK: Duration = Duration::from_millis(200);

/// Makes one pass over the bucket, with a progress line on a terminal, and says what it did.
pub(crate) async fn sweep(args: SweepArgs) -> Result<ExitCode, StartError> {
    let store = open_store(&args.store).await?;
    let engine = proved(store).await?;
    let scope = if args.recent { SweepScope::Recent } else { SweepScope::Full };
    let line = ProgressBar::new_spinner();
    line.enable_steady_tick(TICK);
    let swept = engine.sweep(scope, &|swept| line.set_message(told(swept))).await;
    line.finish_and_clear();
    let swept = swept.map_err(|_| StartError::StoreUnavailable)?;
    banner::report(&format!("{}: {}", args.store.place, told(&swept)));
    Ok(if swept.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// An engine over a store that is just proved fit: a sweep replaces manifests on conditions.
async fn proved(store: SharedStore) -> Result<Engine, StartError> {
    prove(store.as_ref(), &unique_id()).await.map_err(StartError::Unfit)?;
    Ok(Engine::new(store, Arc::new(TokioRuntime::default()), Fitness::Proved))
}

fn told(swept: &Swept) -> String {
    let Swept { names, looked_at, removed, orphans, failed } = *swept;
    let mut parts = vec![format!("{names} names, {looked_at} looked at, {removed} objects removed")];
    if orphans > 0 {
        parts.push(format!("{orphans} orphans listed for the next sweep"));
    }
    if failed > 0 {
        parts.push(format!("{failed} could not be looked at (see the log)"));
    }
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_happened_is_told() {
        let swept = Swept { names: 3, looked_at: 2, removed: 9, orphans: 0, failed: 0 };
        assert_eq!(told(&swept), "3 names, 2 looked at, 9 objects removed");
        let all = Swept { orphans: 1, failed: 1, ..swept };
        assert!(told(&all).ends_with("1 orphans listed for the next sweep, 1 could not be looked at (see the log)"));
    }
}
