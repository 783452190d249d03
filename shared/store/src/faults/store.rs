//! The decorator that obeys a fault hook.

use std::{
    collections::VecDeque,
    fmt,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use bytes::Bytes;
use wadi_protocol::Timestamp;

use super::{After, Before, Call, FaultHook, Request, postponed::Postponed};
use crate::{
    Attributes, GetOptions, GetOutcome, ListRequest, Listing, NewObject, ObjectKey, ObjectStore, ObjectTag,
    PutCondition, PutOutcome, SharedStore, StoreError, Upload,
};

/// A store whose requests meet the faults that a [`FaultHook`] decides.
pub struct FaultyStore {
    inner: SharedStore,
    hook: Arc<dyn FaultHook>,
    postponed: Mutex<VecDeque<Postponed>>,
    arrivals: AtomicU64,
}

/// What the hook decided about a request that the inner store must not see.
enum Kept {
    Failed(StoreError),
    Conflict,
}

impl FaultyStore {
    /// `inner` with faults decided by `hook`.
    pub fn new(inner: SharedStore, hook: Arc<dyn FaultHook>) -> Self {
        Self { inner, hook, postponed: Mutex::default(), arrivals: AtomicU64::new(0) }
    }

    /// How many postponed writes have not landed yet.
    pub fn postponed_count(&self) -> usize {
        self.waiting().len()
    }

    /// Lets the postponed write at `index` (0 is the oldest) reach the store. Returns whether it changed
    /// something, or `None` when there is no such write. No hook is asked and nobody gets its answer.
    pub async fn land_postponed(&self, index: usize) -> Result<Option<bool>, StoreError> {
        let Some(write) = self.waiting().remove(index) else { return Ok(None) };
        write.land(&self.inner).await.map(Some)
    }

    /// Drops the postponed writes: they were lost for good.
    pub fn forget_postponed(&self) {
        self.waiting().clear();
    }

    fn waiting(&self) -> MutexGuard<'_, VecDeque<Postponed>> {
        self.postponed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn arrived<'a>(&self, call: Call<'a>) -> Request<'a> {
        Request { number: self.arrivals.fetch_add(1, Ordering::Relaxed), call }
    }

    async fn before(&self, request: &Request<'_>) -> Result<(), Kept> {
        match self.hook.before(request).await {
            Before::Proceed => Ok(()),
            Before::Fail(error) => Err(Kept::Failed(error)),
            Before::Conflict => Err(Kept::Conflict),
            Before::Postpone => {
                self.waiting().extend(Postponed::from_call(request.call));
                Err(Kept::Failed(lost("the request was sent and may apply later")))
            }
        }
    }

    async fn after<T>(
        &self,
        request: &Request<'_>,
        answer: Result<T, StoreError>,
        applied: impl Fn(&T) -> bool,
    ) -> Result<T, StoreError> {
        match self.hook.after(request, answer.as_ref().is_ok_and(applied)).await {
            After::Deliver => answer,
            After::LoseAnswer => Err(lost("the answer was lost")),
        }
    }

    async fn conflict(&self, key: &ObjectKey) -> Result<PutOutcome, StoreError> {
        let date = match self.inner.get(key, GetOptions::default()).await? {
            GetOutcome::Found(object) => object.date,
            GetOutcome::NotModified { date } | GetOutcome::OutOfRange { date } | GetOutcome::Missing { date } => date,
        };
        Ok(PutOutcome::Conflict { date })
    }
}

impl From<Kept> for StoreError {
    fn from(kept: Kept) -> Self {
        match kept {
            Kept::Failed(error) => error,
            Kept::Conflict => lost("409 for a request that knows no conflict"),
        }
    }
}

fn lost(reason: &str) -> StoreError {
    StoreError::Unavailable { reason: format!("injected fault: {reason}") }
}

impl fmt::Debug for FaultyStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FaultyStore").field("inner", &self.inner).finish_non_exhaustive()
    }
}

#[async_trait]
impl ObjectStore for FaultyStore {
    async fn get(&self, key: &ObjectKey, options: GetOptions) -> Result<GetOutcome, StoreError> {
        let request = self.arrived(Call::Get { key, options: &options });
        self.before(&request).await?;
        let answer = self.inner.get(key, options.clone()).await;
        self.after(&request, answer, |_| false).await
    }

    async fn put(&self, key: &ObjectKey, object: NewObject, condition: PutCondition) -> Result<PutOutcome, StoreError> {
        let request = self.arrived(Call::Put { key, object: &object, condition: &condition });
        match self.before(&request).await {
            Ok(()) => {}
            Err(Kept::Conflict) => return self.conflict(key).await,
            Err(Kept::Failed(error)) => return Err(error),
        }
        let answer = self.inner.put(key, object.clone(), condition.clone()).await;
        self.after(&request, answer, |outcome| matches!(outcome, PutOutcome::Stored { .. })).await
    }

    async fn delete_many(&self, keys: &[ObjectKey]) -> Result<Timestamp, StoreError> {
        let request = self.arrived(Call::Delete { keys });
        self.before(&request).await?;
        let answer = self.inner.delete_many(keys).await;
        self.after(&request, answer, |_| true).await
    }

    async fn list(&self, page: ListRequest) -> Result<Listing, StoreError> {
        let request = self.arrived(Call::List { page: &page });
        self.before(&request).await?;
        let answer = self.inner.list(page.clone()).await;
        self.after(&request, answer, |_| false).await
    }

    async fn begin_upload(&self, key: &ObjectKey, attributes: Attributes) -> Result<Upload, StoreError> {
        let request = self.arrived(Call::BeginUpload { key });
        self.before(&request).await?;
        let answer = self.inner.begin_upload(key, attributes).await;
        self.after(&request, answer, |_| false).await
    }

    async fn put_part(&self, upload: &Upload, number: u32, body: Bytes) -> Result<ObjectTag, StoreError> {
        let request = self.arrived(Call::PutPart { upload, number });
        self.before(&request).await?;
        let answer = self.inner.put_part(upload, number, body).await;
        self.after(&request, answer, |_| false).await
    }

    async fn complete_upload(&self, upload: &Upload, parts: &[ObjectTag]) -> Result<Timestamp, StoreError> {
        let request = self.arrived(Call::CompleteUpload { upload, parts });
        self.before(&request).await?;
        let answer = self.inner.complete_upload(upload, parts).await;
        self.after(&request, answer, |_| true).await
    }

    async fn abort_upload(&self, upload: &Upload) -> Result<(), StoreError> {
        let request = self.arrived(Call::AbortUpload { upload });
        self.before(&request).await?;
        let answer = self.inner.abort_upload(upload).await;
        self.after(&request, answer, |()| false).await
    }

    async fn presign_get(&self, key: &ObjectKey, valid_for: Duration) -> Result<Option<String>, StoreError> {
        self.inner.presign_get(key, valid_for).await
    }

    fn date_resolution(&self) -> Duration {
        self.inner.date_resolution()
    }
}
