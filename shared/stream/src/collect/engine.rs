//! Collection over the whole bucket as the engine offers it.

use wadi_protocol::Refusal;
use wadi_store::ObjectKey;

use super::{Sweep, SweepScope, Swept, bookmark};
use crate::{Engine, log::LogError};

impl Engine {
    /// Makes one pass of collection over the bucket. `progress` is called as it goes on.
    ///
    /// [`Refusal::StoreUnavailable`] when the bucket cannot be listed; a name that cannot be looked
    /// at is counted and left to the next sweep.
    pub async fn sweep(&self, scope: SweepScope, progress: &(dyn Fn(&Swept) + Send + Sync)) -> Result<Swept, Refusal> {
        self.sweep_from(scope, None, &|swept, _| progress(swept)).await
    }

    /// The same from behind `from` on, a place that another sweep of this scope told its `progress`: all before it
    /// was looked at by then. From the beginning where there is none.
    pub async fn sweep_from(
        &self,
        scope: SweepScope,
        from: Option<ObjectKey>,
        progress: &(dyn Fn(&Swept, &ObjectKey) + Send + Sync),
    ) -> Result<Swept, Refusal> {
        self.shared.fitness.check()?;
        let mut sweep = Sweep { shared: &self.shared, swept: Swept::default(), progress };
        sweep.run(scope, from).await.map_err(|error| unavailable(&error))?;
        Ok(sweep.swept)
    }

    /// Where the last sweep of this scope stopped that was not finished, if there is one.
    ///
    /// [`Refusal::StoreUnavailable`] when the bucket does not answer.
    pub async fn sweep_bookmark(&self, scope: SweepScope) -> Result<Option<ObjectKey>, Refusal> {
        bookmark::read(&self.shared.bucket, scope).await.map_err(|error| unavailable(&error))
    }

    /// Keeps in the bucket where a sweep of this scope stopped; `None`: it is finished.
    ///
    /// [`Refusal::StoreUnavailable`] when the bucket does not answer. The next one then looks again at what this
    /// one has seen.
    pub async fn set_sweep_bookmark(&self, scope: SweepScope, at: Option<&ObjectKey>) -> Result<(), Refusal> {
        bookmark::set(&self.shared.bucket, scope, at).await.map_err(|error| unavailable(&error))
    }
}

fn unavailable(error: &LogError) -> Refusal {
    tracing::warn!(%error, "the bucket cannot be swept");
    Refusal::StoreUnavailable
}
