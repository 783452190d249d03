//! A timer that is always due soon.

use std::time::Duration;

/// How often it is due: before any bound of a request.
const TICK_EVERY: Duration = Duration::from_secs(2);

/// Ticks for ever, and does nothing.
///
/// Whoever sets a timer that is due before all others wakes the thread that waits for the first of them. The bounds
/// of a request are set anew with each and hardly ever reached: behind a tick they wake nobody.
pub(crate) async fn tick() {
    loop {
        tokio::time::sleep(TICK_EVERY).await;
    }
}
