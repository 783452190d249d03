//! One sweep, within the time of its invocation.

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use serde::Serialize;
use tokio::time::timeout;
use wadi_store::ObjectKey;
use wadi_stream::{Engine, SweepScope, Swept};

use super::{ScheduleEvent, Sealed, Sealer, UpkeepError};
use crate::limits::{BOOKMARK_WAIT_MAX, MARK_AGE_MIN, SWEEP_SPARE};

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
    /// False when the time was over before the work was. The next one goes on from there.
    pub finished: bool,
}

/// Seals the streams whose marks were forgotten, and sweeps the bucket. Stops in time before `left` is over.
///
/// [`UpkeepError`] when the bucket does not answer, or something could not be looked at.
pub async fn sweep(sealer: &Sealer, event: &ScheduleEvent, left: Duration) -> Result<SweepReport, UpkeepError> {
    let run = Run { sealer, done: Mutex::default() };
    let time = left.saturating_sub(SWEEP_SPARE);
    if time.is_zero() {
        return run.report(false);
    }
    if let Ok(done) = timeout(time, run.all(event.scope())).await {
        done?;
        return run.report(true);
    }
    run.stop().await;
    run.report(false)
}

/// A sweep under way.
struct Run<'a> {
    sealer: &'a Sealer,
    done: Mutex<Done>,
}

#[derive(Default)]
struct Done {
    marked: Sealed,
    swept: Swept,
    /// Where the pass that is under way could go on.
    at: Option<(SweepScope, ObjectKey)>,
}

impl Run<'_> {
    async fn all(&self, scope: SweepScope) -> Result<(), UpkeepError> {
        let marked = seal_forgotten(self.sealer).await?;
        self.done().marked = marked;
        let from = self.bookmark(scope).await?;
        self.pass(scope, from).await?;
        // A full one that had no time to finish goes on in the time that a small one leaves.
        if scope == SweepScope::Recent
            && let Some(from) = self.bookmark(SweepScope::Full).await?
        {
            self.pass(SweepScope::Full, Some(from)).await?;
        }
        Ok(())
    }

    async fn pass(&self, scope: SweepScope, from: Option<ObjectKey>) -> Result<(), UpkeepError> {
        let before = self.done().swept;
        let had_bookmark = from.is_some();
        let progress = |swept: &Swept, at: &ObjectKey| {
            let mut done = self.done();
            done.swept = before + *swept;
            done.at = Some((scope, at.clone()));
        };
        let swept = self.engine().sweep_from(scope, from, &progress).await.map_err(unavailable)?;
        self.finished(before + swept);
        if had_bookmark { self.engine().set_sweep_bookmark(scope, None).await.map_err(unavailable) } else { Ok(()) }
    }

    fn finished(&self, swept: Swept) {
        let mut done = self.done();
        done.swept = swept;
        done.at = None;
    }

    /// Leaves a bookmark. Without it the next sweep starts where this one did.
    async fn stop(&self) {
        tracing::warn!("the time was over before the sweep was; the next one goes on from there");
        let at = self.done().at.take();
        if let Some((scope, at)) = at {
            let _ = timeout(BOOKMARK_WAIT_MAX, self.engine().set_sweep_bookmark(scope, Some(&at))).await;
        }
    }

    async fn bookmark(&self, scope: SweepScope) -> Result<Option<ObjectKey>, UpkeepError> {
        self.engine().sweep_bookmark(scope).await.map_err(unavailable)
    }

    fn report(&self, finished: bool) -> Result<SweepReport, UpkeepError> {
        let done = self.done();
        let (marked, swept) = (done.marked, done.swept);
        if swept.failed > 0 {
            return Err(UpkeepError::Unswept(swept.failed));
        }
        Ok(SweepReport {
            marked: marked.streams,
            sealed: marked.sealed,
            names: swept.looked_at,
            removed: swept.removed,
            orphans: swept.orphans,
            finished,
        })
    }

    fn engine(&self) -> &Engine {
        &self.sealer.engine
    }

    fn done(&self) -> MutexGuard<'_, Done> {
        self.done.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn seal_forgotten(sealer: &Sealer) -> Result<Sealed, UpkeepError> {
    let marks = sealer.engine.seal_marks(MARK_AGE_MIN).await.map_err(unavailable)?;
    match sealer.seal_marked(marks).await {
        // What cannot be sealed is no reason to leave the garbage of all others.
        Err(UpkeepError::Unsealed { streams, .. }) => Ok(Sealed { streams, sealed: 0 }),
        done => done,
    }
}

fn unavailable(_: wadi_protocol::Refusal) -> UpkeepError {
    UpkeepError::StoreUnavailable
}
