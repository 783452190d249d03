//! Whether the store can be trusted, without a test at every cold start.
//!
//! Amazon documents that its conditional writes hold, and a test from every environment would cost more than the
//! requests it serves: without an endpoint of another service, the store is taken for fit. Another service is
//! tested once. The verdict is kept in the bucket, so that every further environment reads one object.

use bytes::Bytes;
use wadi_store::{GetOptions, GetOutcome, NewObject, ObjectKey, PutCondition, SharedStore, StoreError, prove};
use wadi_stream::{Fitness, Runtime, TokioRuntime};

use crate::StartError;

/// The verdict of this form of the test. A test that proves more than the last has another number.
const VERDICT: &str = "selftest/verdict/1";

/// Settles whether a store of another service is fit, by the verdict in the bucket or else by a test. A store that
/// is not, or that does not answer, stops the start: the next one asks again.
pub(crate) async fn settle(store: &SharedStore, is_amazons: bool) -> Result<Fitness, StartError> {
    if !is_amazons && !is_settled(store).await.map_err(|error| unavailable(&error))? {
        prove(store.as_ref(), &unique_id()).await.map_err(StartError::Unfit)?;
        keep(store).await;
    }
    Ok(Fitness::Proved)
}

async fn is_settled(store: &SharedStore) -> Result<bool, StoreError> {
    let found = store.get(&ObjectKey::from(VERDICT), GetOptions::default()).await?;
    Ok(matches!(found, GetOutcome::Found(_)))
}

/// Keeps the verdict for others. One that cannot be kept is settled again.
async fn keep(store: &SharedStore) {
    let verdict = NewObject::from(Bytes::from_static(b"fit"));
    if let Err(error) = store.put(&ObjectKey::from(VERDICT), verdict, PutCondition::IfAbsent).await {
        tracing::warn!(%error, "the verdict on the store was not kept");
    }
}

fn unavailable(error: &StoreError) -> StartError {
    tracing::error!(%error, "the verdict on the store cannot be read");
    StartError::StoreUnavailable
}

fn unique_id() -> String {
    let runtime = TokioRuntime::default();
    format!("{:016x}{:016x}", runtime.random(), runtime.random())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use wadi_protocol::Timestamp;
    use wadi_store::{CountingStore, Fault, FaultScript, FaultyStore, MemoryStore, Operation, RequestCounts};

    use super::*;

    const NOTHING: RequestCounts = RequestCounts { get: 0, put: 0, delete: 0, list: 0 };

    fn memory() -> Arc<MemoryStore> {
        Arc::new(MemoryStore::new(Arc::new(|| Timestamp::EPOCH)))
    }

    #[tokio::test]
    async fn amazons_store_is_asked_nothing_and_another_once() {
        let counting = Arc::new(CountingStore::new(memory()));
        let store: SharedStore = counting.clone();
        assert_eq!(settle(&store, true).await.unwrap(), Fitness::Proved);
        assert_eq!(counting.counts(), NOTHING);
        assert_eq!(settle(&store, false).await.unwrap(), Fitness::Proved);
        let before = counting.counts();
        assert!(before.put > 1, "it was tested");
        assert_eq!(settle(&store, false).await.unwrap(), Fitness::Proved);
        assert_eq!(counting.counts() - before, RequestCounts { get: 1, ..NOTHING });
    }

    #[tokio::test]
    async fn a_store_that_does_not_answer_stops_the_start() {
        let script = Arc::new(FaultScript::new());
        script.always(Operation::Get, "selftest/", Fault::ServerError);
        let store: SharedStore = Arc::new(FaultyStore::new(memory(), script));
        assert!(matches!(settle(&store, false).await, Err(StartError::StoreUnavailable)));
    }

    #[tokio::test]
    async fn a_verdict_is_kept_only_of_a_store_that_is_fit() {
        let script = Arc::new(FaultScript::new());
        script.always(Operation::Put, "selftest/", Fault::Denied);
        let memory = memory();
        let store: SharedStore = Arc::new(FaultyStore::new(memory.clone(), script));
        assert!(matches!(settle(&store, false).await, Err(StartError::Unfit(_))));
        let store: SharedStore = memory;
        assert!(!is_settled(&store).await.unwrap());
    }
}
