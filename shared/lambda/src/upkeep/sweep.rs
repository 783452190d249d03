//! One sweep, within the time of its invocation.

use std::time::Duration;

use serde::Serialize;
use tokio::time::timeout;
use wadi_stream::Swept;

use super::{ScheduleEvent, Sealed, Sealer, UpkeepError};
use crate::limits::{MARK_AGE_MIN, SWEEP_SPARE};

/// What a sweep did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SweepReport {
    /// Streams whose marks had been forgotten.
    pub marked: usize,
    /// Those of them that were due and are sealed now.
    pub sealed: usize,
    /// Names that were looked at.
    pub names: u64,
    /// Objects removed.
    pub removed: u64,
    /// Incarnations that no manifest names, listed for the next sweep.
    pub orphans: u64,
    /// False when the time was over before the work was. Nothing is lost: the next one starts again.
    pub finished: bool,
}

/// Seals the streams whose marks were forgotten, and sweeps the bucket. Stops in time before `left` is over.
///
/// [`UpkeepError`] when the bucket does not answer, or something could not be looked at.
pub async fn sweep(sealer: &Sealer, event: &ScheduleEvent, left: Duration) -> Result<SweepReport, UpkeepError> {
    let work = async {
        let marked = seal_forgotten(sealer).await?;
        let swept = sealer.engine.sweep(event.scope(), &|_| {}).await.map_err(|_| UpkeepError::StoreUnavailable)?;
        Ok((marked, swept))
    };
    let time = left.saturating_sub(SWEEP_SPARE);
    if time.is_zero() {
        return Ok(unfinished());
    }
    match timeout(time, work).await {
        Ok(Ok((_, Swept { failed, .. }))) if failed > 0 => Err(UpkeepError::Unswept(failed)),
        Ok(Ok((marked, swept))) => Ok(report(marked, &swept)),
        Ok(Err(error)) => Err(error),
        Err(_) => Ok(unfinished()),
    }
}

async fn seal_forgotten(sealer: &Sealer) -> Result<Sealed, UpkeepError> {
    let marks = sealer.engine.seal_marks(MARK_AGE_MIN).await.map_err(|_| UpkeepError::StoreUnavailable)?;
    match sealer.seal_marked(marks).await {
        // What cannot be sealed is no reason to leave the garbage of all others.
        Err(UpkeepError::Unsealed { streams, .. }) => Ok(Sealed { streams, sealed: 0 }),
        done => done,
    }
}

fn unfinished() -> SweepReport {
    tracing::warn!("the time was over before the sweep was: give the function more, or sweep by the command");
    SweepReport::default()
}

fn report(marked: Sealed, swept: &Swept) -> SweepReport {
    SweepReport {
        marked: marked.streams,
        sealed: marked.sealed,
        names: swept.looked_at,
        removed: swept.removed,
        orphans: swept.orphans,
        finished: true,
    }
}
