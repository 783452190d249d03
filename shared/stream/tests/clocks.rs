//! A store whose servers' clocks disagree: nothing is lost, and nothing is asked without end.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, AtomicU64, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use common::*;
use futures::future::join_all;
use wadi_protocol::{Refusal, Timestamp};
use wadi_store::{After, Before, FaultHook, FaultyStore, Operation, Request, SharedStore};

/// How far each answer's date is ahead of the one true clock, in turn, in seconds.
const WITHIN_THE_LEASE: [&[u64]; 4] = [&[0, 45], &[0, 0, 0, 55], &[40, 0, 5], &[0, 31, 0, 0, 59, 0, 0]];

/// Answers seem to come after the lease that were none of them late: they are not believed.
const BEYOND_THE_LEASE: [&[u64]; 3] = [&[600, 0, 0, 0, 0, 0, 0, 0], &[0, 0, 0, 600], &[40, 0, 600, 5]];

fn skewed(world: &World, skew: &'static [u64]) -> Process {
    skewed_over(world, world.faulty.clone(), skew)
}

fn skewed_over(world: &World, store: SharedStore, skew: &'static [u64]) -> Process {
    let answers = AtomicU64::new(0);
    let change = move |date: Timestamp| {
        let turn = answers.fetch_add(1, Ordering::Relaxed) % skew.len() as u64;
        date.saturating_add(Duration::from_secs(skew[usize::try_from(turn).unwrap()]))
    };
    world.process_on(DatedStore::changed(store, change))
}

/// Forty appends and reads by two processes. The ends acknowledged, and how many may be there or not.
async fn forty(world: &World, skew: &'static [u64]) -> (Vec<u64>, usize) {
    forty_by(&[skewed(world, skew), skewed(world, skew)], skew).await
}

async fn forty_by(processes: &[Process; 2], skew: &[u64]) -> (Vec<u64>, usize) {
    let unknown = &AtomicU32::new(0);
    let work = (0..40).map(|n| {
        let process = &processes[n % 2];
        async move {
            pass(Duration::from_secs(3 * n as u64)).await;
            let (outcome, cost) = process.counting(process.append("s", "x")).await;
            assert!(cost.total() < 60, "{skew:?}: {cost:?}");
            let (text, cost) = process.counting(process.read("s")).await;
            assert!(cost.total() < 300, "{skew:?}: {cost:?}");
            if let (Ok(text), Ok(outcome)) = (&text, &outcome) {
                assert!(text.len() as u64 >= end_of(outcome), "what was acknowledged is read");
            }
            assert!(matches!(text, Ok(_) | Err(Refusal::StoreUnavailable)), "{text:?}");
            match outcome {
                Ok(outcome) => return Some(end_of(&outcome)),
                Err(Refusal::OutcomeUnknown) => drop(unknown.fetch_add(1, Ordering::Relaxed)),
                Err(refusal) => assert_eq!(refusal, Refusal::StoreUnavailable),
            }
            None
        }
    });
    let mut ends: Vec<u64> = join_all(work).await.into_iter().flatten().collect();
    ends.sort_unstable();
    ends.dedup();
    (ends, unknown.load(Ordering::Relaxed) as usize)
}

#[tokio::test(start_paused = true)]
async fn dates_that_jump_within_the_lease_cost_requests_and_nothing_else() {
    for skew in WITHIN_THE_LEASE {
        let world = World::new();
        world.process().create("s").await.unwrap();
        assert_eq!(forty(&world, skew).await, ((1..=40).collect(), 0), "{skew:?}");
        assert_eq!(world.process().read("s").await.unwrap(), "x".repeat(40));
    }
}

/// S3 dates its answers so.
#[tokio::test(start_paused = true)]
async fn dates_of_whole_seconds_cost_nothing() {
    let world = World::new();
    pass(Duration::from_millis(777)).await;
    world.process().create("s").await.unwrap();
    let coarse = || world.process_on(DatedStore::coarse(world.faulty.clone()));
    assert_eq!(forty_by(&[coarse(), coarse()], &[]).await, ((1..=40).collect(), 0));
    let process = coarse();
    process.append("s", "x").await.unwrap();
    for _ in 0..20 {
        pass(Duration::from_millis(1300)).await;
        let (outcome, cost) = process.counting(process.append("s", "x")).await;
        outcome.unwrap();
        assert_eq!((cost.put, cost.total()), (1, 1));
    }
}

#[tokio::test(start_paused = true)]
async fn dates_that_jump_beyond_the_lease_cost_availability_and_nothing_else() {
    for skew in BEYOND_THE_LEASE {
        let world = World::new();
        world.process().create("s").await.unwrap();
        let (ends, unknown) = forty(&world, skew).await;
        let there = world.process().read("s").await.unwrap().len();
        assert!((ends.len()..=ends.len() + unknown).contains(&there), "{skew:?}: {there} {} {unknown}", ends.len());
        assert!(ends.last().is_none_or(|last| *last <= there as u64));
    }
}

/// Takes the slots of a process's first records.
struct Rival {
    other: Process,
    races: AtomicU32,
}

#[async_trait]
impl FaultHook for Rival {
    async fn before(&self, request: &Request<'_>) -> Before {
        let slot = request.operation() == Operation::Put && request.mentions("/log/");
        let left = |races: u32| races.checked_sub(1);
        if slot && self.races.fetch_update(Ordering::Relaxed, Ordering::Relaxed, left).is_ok() {
            self.other.append("s", ".").await.unwrap();
        }
        Before::Proceed
    }

    async fn after(&self, _request: &Request<'_>, _applied: bool) -> After {
        After::Deliver
    }
}

/// A body may seem old as soon as it is uploaded.
#[tokio::test(start_paused = true)]
async fn a_large_payload_under_contention_is_bounded_whatever_the_dates_say() {
    for (skew, lands) in
        WITHIN_THE_LEASE.map(|skew| (skew, true)).into_iter().chain(BEYOND_THE_LEASE.map(|skew| (skew, false)))
    {
        let world = World::new();
        let other = world.process();
        other.create("s").await.unwrap();
        let rival = Arc::new(Rival { other, races: AtomicU32::new(4) });
        let faulty = Arc::new(FaultyStore::new(world.faulty.clone(), rival.clone()));
        let process = skewed_over(&world, faulty, skew);
        let large = "x".repeat(300_000);
        let (outcome, cost) = process.counting(process.append("s", &large)).await;
        assert!(cost.total() < 80, "{skew:?}: {cost:?}");
        assert!(outcome.is_ok() || !lands, "{skew:?}: {outcome:?}");
        if let Ok(outcome) = outcome {
            let end = end_of(&outcome);
            assert_eq!(world.process().read_from("s", end - 300_000).await.unwrap().len(), 300_000, "{skew:?}");
        }
    }
}
