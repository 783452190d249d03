//! Producers over time: forgotten when idle, bounded in number, the same for every process.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use common::*;
use futures::future::join_all;
use wadi_protocol::{ProducerRefusal, ProducerSeq, Refusal, WriteOutcome, limits::PRODUCERS_MAX};

const A_WEEK: std::time::Duration = secs(8 * 24 * 60 * 60);

/// See: <https://github.com/redpanda-data/redpanda/issues/22670>
#[tokio::test(start_paused = true)]
async fn a_producer_that_was_idle_for_long_is_told_so_and_goes_on_in_a_new_epoch() {
    let world = World::new();
    let process = world.process();
    process.create("s").await.unwrap();
    process.append_keyed("s", "a", "p", 0, 0).await.unwrap();
    process.append_keyed("s", "b", "p", 0, 1).await.unwrap();
    pass(A_WEEK).await;
    process.append_keyed("s", "q", "other", 0, 0).await.unwrap();
    for process in [&process, &world.process()] {
        let again = process.append_keyed("s", "b", "p", 0, 1).await;
        let (expected, received) = (ProducerSeq::ZERO, ProducerSeq::new(1).unwrap());
        assert_eq!(again, Err(Refusal::Producer(ProducerRefusal::SeqGap { expected, received })));
    }
    assert!(matches!(process.append_keyed("s", "c", "p", 1, 0).await, Ok(WriteOutcome::Applied(_))));
    assert_eq!(world.process().read("s").await.unwrap(), "abqc");
}

#[tokio::test(start_paused = true)]
async fn a_repeat_is_recognised_until_its_producer_is_forgotten_by_any_process() {
    let world = World::new();
    let process = world.process();
    process.create("s").await.unwrap();
    process.append_keyed("s", "a", "p", 0, 0).await.unwrap();
    pass(secs(6 * 24 * 60 * 60)).await;
    for process in [&process, &world.process()] {
        let again = process.append_keyed("s", "a", "p", 0, 0).await;
        assert!(matches!(again, Ok(WriteOutcome::Repeat(_))), "{again:?}");
    }
    assert_eq!(process.read("s").await.unwrap(), "a");
}

/// The table has room for the newest writer, whoever has to leave, and all processes fold the same.
#[tokio::test(start_paused = true)]
async fn more_producers_than_a_stream_remembers_evict_the_least_recent() {
    let world = World::new();
    let process = &world.process();
    process.create("s").await.unwrap();
    let write = |n: usize| async move { process.append_keyed("s", "x", &format!("p{n}"), 0, 0).await };
    assert!(join_all((0..PRODUCERS_MAX).map(write)).await.into_iter().all(|outcome| outcome.is_ok()));
    let one_more = write(PRODUCERS_MAX).await;
    assert_eq!(one_more, Err(Refusal::Producer(ProducerRefusal::TooMany)), "all of them are active");
    pass(secs(3601)).await;
    // One of them stays in use.
    process.append_keyed("s", "x", "p0", 0, 1).await.unwrap();
    let newcomers = join_all((PRODUCERS_MAX..PRODUCERS_MAX + 100).map(write)).await;
    assert!(newcomers.into_iter().all(|outcome| outcome.is_ok()));
    let (state, _) = world.folded("s").await;
    assert_eq!(state.producers.len(), PRODUCERS_MAX);
    for process in [process, &world.process()] {
        let kept = process.append_keyed("s", "x", "p0", 0, 1).await;
        assert!(matches!(kept, Ok(WriteOutcome::Repeat(_))), "{kept:?}");
        let newest = process.append_keyed("s", "x", &format!("p{}", PRODUCERS_MAX + 99), 0, 0).await;
        assert!(matches!(newest, Ok(WriteOutcome::Repeat(_))), "{newest:?}");
    }
}
