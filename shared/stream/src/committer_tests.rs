//! The end of a committing or probing task, and a request that comes at that very moment.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::sync::Arc;

use bytes::Bytes;
use futures::FutureExt;
use wadi_protocol::{Account, Refusal, StreamKey, StreamName, decide::Decision};

use super::*;
use crate::{
    Fitness, Polling, cell::Shared, fitness::FitnessCell, log::fixtures::Log, payloads::Payloads, proposal::Terms,
    read_ahead::ReadAhead,
};

fn cell() -> Arc<Cell> {
    let shared = Shared {
        sealing: crate::Sealing::Elsewhere,
        seal_records: crate::limits::SEAL_RECORDS,
        seal_turns: tokio::sync::Semaphore::new(1),
        grace: crate::limits::GRACE,
        part_copies: crate::snapshot::PartCopies::default(),
        polling: Polling::default(),
        payloads: Payloads::new(1 << 20, ahash::RandomState::with_seeds(1, 2, 3, 4)),
        read_ahead: ReadAhead::new(0),
        bucket: Log::new().bucket,
        fitness: FitnessCell::new(Fitness::Proved),
    };
    let key = StreamKey { account: Account::default_account(), name: StreamName::upstream("s").unwrap() };
    Arc::new(Cell::new(key, Arc::new(shared)))
}

/// A request in the queue whose answer is not waited for yet.
fn ask(cell: &Arc<Cell>) -> impl Future<Output = Result<(), Refusal>> {
    let cell = cell.clone();
    let terms = Terms { payload: Bytes::new(), needs_proof: true };
    let mut asked = Box::pin(async move { cell.propose(terms, |_, _| Decision::Answer(Ok(()))).await });
    assert!((&mut asked).now_or_never().is_none(), "it waits");
    asked
}

#[tokio::test(start_paused = true)]
async fn a_task_that_found_nobody_waiting_leaves_the_queue_to_the_next_one() {
    let cell = cell();
    cell.inner().committing = true;
    let mut ending = Committing::new(cell.clone());
    assert!(ending.next_batch().is_none());
    // Between its last look and its end a request comes and starts the next task.
    let asked = ask(&cell);
    assert!(cell.inner().committing);
    drop(ending);
    assert!(cell.inner().committing, "no third task may start beside the second");
    assert_eq!(cell.inner().writes.len(), 1);
    assert_eq!(asked.await, Err(Refusal::StreamNotFound), "answered, as there is no such stream");
}

#[tokio::test(start_paused = true)]
async fn a_task_that_ends_before_its_time_leaves_nobody_waiting() {
    let cell = cell();
    cell.inner().committing = true;
    let ending = Committing::new(cell.clone());
    let asked = ask(&cell);
    drop(ending);
    assert_eq!(asked.await, Err(Refusal::OutcomeUnknown));
    assert_eq!(ask(&cell).await, Err(Refusal::StreamNotFound), "and the next request starts a new one");
}
