//! What a process that serves does for its bucket now and then.

use std::time::Duration;

use wadi_stream::{Engine, Runtime, SweepScope, TokioRuntime};

use crate::limits::SWEEPS_TO_A_FULL_ONE;

/// Sweeps the bucket for ever, with pauses of about `every`.
pub(crate) async fn sweep_now_and_then(engine: &Engine, every: Duration) {
    // Processes that were started together do not sweep together.
    let mut number = TokioRuntime::default().random() % SWEEPS_TO_A_FULL_ONE;
    loop {
        tokio::time::sleep(jittered(every)).await;
        number += 1;
        let scope = if number.is_multiple_of(SWEEPS_TO_A_FULL_ONE) { SweepScope::Full } else { SweepScope::Recent };
        match engine.sweep(scope, &|_| {}).await {
            Ok(swept) if swept.removed > 0 => {
                tracing::info!(objects = swept.removed, names = swept.looked_at, "swept the bucket");
            }
            // What could not be done is in the log, and the next sweep finds it again.
            Ok(_) | Err(_) => {}
        }
    }
}

/// Between half and all of a duration.
fn jittered(duration: Duration) -> Duration {
    let half = duration / 2;
    let span = u64::try_from(half.as_millis()).unwrap_or(u64::MAX).max(1);
    half + Duration::from_millis(TokioRuntime::default().random() % span)
}
