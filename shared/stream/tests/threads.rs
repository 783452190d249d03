//! What only real threads can show: the virtual-time world runs on one.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests")]

mod common;

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use async_trait::async_trait;
use common::{append, create, key, read};
use futures::future::join_all;
use wadi_protocol::ReadFrom;
use wadi_store::{After, Before, FaultHook, FaultyStore, MemoryStore, Operation, Request};
use wadi_stream::{Engine, Fitness, TokioRuntime};

/// Counts the records under way at once.
#[derive(Default)]
struct RecordsUnderWay {
    now: AtomicUsize,
    most: AtomicUsize,
}

#[async_trait]
impl FaultHook for RecordsUnderWay {
    async fn before(&self, request: &Request<'_>) -> Before {
        if request.operation() == Operation::Put && request.mentions("/log/") {
            let now = self.now.fetch_add(1, Ordering::SeqCst) + 1;
            self.most.fetch_max(now, Ordering::SeqCst);
            tokio::task::yield_now().await;
        }
        Before::Proceed
    }

    async fn after(&self, request: &Request<'_>, _applied: bool) -> After {
        if request.operation() == Operation::Put && request.mentions("/log/") {
            self.now.fetch_sub(1, Ordering::SeqCst);
        }
        After::Deliver
    }
}

/// The task that commits ends when nobody waits; a write that comes at that very moment must
/// neither be dropped nor start a second commit beside another.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_write_that_meets_the_end_of_the_committing_task_is_not_dropped() {
    let hook = Arc::new(RecordsUnderWay::default());
    let store = Arc::new(FaultyStore::new(Arc::new(MemoryStore::new(Arc::new(Default::default))), hook.clone()));
    let engine = Engine::new(store, Arc::new(TokioRuntime::default()), Fitness::Proved);
    engine.create(&key("s"), create()).await.unwrap();
    let writers = (0..2).map(|_| {
        let engine = engine.clone();
        tokio::spawn(async move {
            for n in 0..2000 {
                // Meets the committing task at a different moment each time.
                (0..n % 50).for_each(|_| std::hint::spin_loop());
                engine.write(&key("s"), append("x")).await.unwrap();
            }
        })
    });
    let ended = join_all(writers).await;
    assert!(ended.into_iter().all(|ended| ended.is_ok()), "each write is acknowledged");
    assert_eq!(hook.most.load(Ordering::SeqCst), 1, "one commit at a time");
}

/// The same of the task that probes for readers.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_read_that_meets_the_end_of_the_probing_task_is_not_refused() {
    let store = Arc::new(MemoryStore::new(Arc::new(Default::default)));
    let engine = Engine::new(store, Arc::new(TokioRuntime::default()), Fitness::Proved);
    engine.create(&key("s"), create()).await.unwrap();
    let readers = (0..4).map(|_| {
        let engine = engine.clone();
        tokio::spawn(async move {
            for _ in 0..3000 {
                engine.read(&key("s"), read(ReadFrom::Start)).await.unwrap();
            }
        })
    });
    let ended = join_all(readers).await;
    assert!(ended.into_iter().all(|ended| ended.is_ok()), "each read is answered");
}
