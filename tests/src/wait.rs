//! Bounded waiting.

use std::time::{Duration, Instant};

/// How long anything a test waits for may take before the test gives up.
pub const LIMIT: Duration = Duration::from_mins(1);

/// How often a condition is looked at.
const INTERVAL: Duration = Duration::from_millis(10);

/// Calls `attempt` until it gives a value; panics with `what` after `limit`.
pub async fn until<T>(what: &str, limit: Duration, mut attempt: impl AsyncFnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(value) = attempt().await {
            return value;
        }
        assert!(start.elapsed() < limit, "waited {limit:?} in vain: {what}");
        tokio::time::sleep(INTERVAL).await;
    }
}

/// The pause before attempt number `attempt` (from 0): doubled each time, up to half a second.
pub async fn back_off(attempt: u32) {
    let millis = 10u64.saturating_mul(1 << attempt.min(10)).min(500);
    tokio::time::sleep(Duration::from_millis(millis)).await;
}
