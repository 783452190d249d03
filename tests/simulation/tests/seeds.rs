//! Every invariant holds in every world of a range of seeds.
#![allow(clippy::print_stdout, reason = "the count and the rate are wanted in the log of a run")]

use std::time::Instant;

use wadi_simulation::{parse_seeds, simulate_many};

/// The range that runs by default; `WADI_SIMULATION_SEEDS` names another, such as `0..100000`.
const SEEDS: &str = "0..2000";

/// Calls that a world makes at least.
const CALLS_MIN: usize = 200;

/// So many worlds hold every situation.
const SEEDS_THAT_SHOW_ALL: u64 = 1000;

/// What has to happen somewhere, for the invariants to have been in danger.
const SITUATIONS: [&str; 52] = [
    "bodies collected",
    "bootstraps",
    "bootstraps cut short",
    "bootstraps without a snapshot",
    "chunks collected",
    "chunks let go of",
    "chunks of living streams collected",
    "chunks written",
    "closes",
    "creates of what was there",
    "deletions",
    "expiries",
    "faults: AnswerLost",
    "faults: Conflict",
    "faults: NotSent",
    "faults: Repeated",
    "incarnations collected",
    "late landings",
    "lost races",
    "orphans collected",
    "pages not modified",
    "pages of an array",
    "pages of what is sealed",
    "pages of what is sealed and what is not",
    "records of several operations",
    "records that name a body",
    "ranges of snapshots",
    "refused: IF_MATCH_FAILED",
    "refused: INCARNATION_MISMATCH",
    "refused: INVALID_SNAPSHOT",
    "refused: OUTCOME_UNKNOWN",
    "refused: PRODUCER_EPOCH_CLOSED",
    "refused: RANGE_NOT_SATISFIABLE",
    "refused: SNAPSHOT_CONFLICT",
    "refused: SNAPSHOT_NOT_FOUND",
    "refused: STREAM_BUSY",
    "refused: STREAM_GONE",
    "renewals",
    "repeats of older writes",
    "retentions",
    "segments collected",
    "segments merged",
    "slots collected",
    "snapshots",
    "snapshots collected",
    "snapshots not modified",
    "snapshots read",
    "snapshots without a copy",
    "states collected",
    "states written",
    "strays",
    "tails that closed",
];

#[test]
fn every_invariant_holds() {
    let seeds = std::env::var("WADI_SIMULATION_SEEDS").unwrap_or_else(|_| SEEDS.to_owned());
    let seeds = parse_seeds(&seeds).unwrap_or_else(|error| panic!("WADI_SIMULATION_SEEDS: {error}"));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let started = Instant::now();
    let summary = simulate_many(seeds, threads, || {});
    let seconds = started.elapsed().as_secs_f64();
    println!("{summary}; {seconds:.1} s on {threads} threads");
    if let Some(report) = summary.broken.first() {
        panic!("{}", report.story.as_deref().unwrap_or("a violation without a story"));
    }
    assert!(summary.calls_min >= CALLS_MIN, "a world with {} calls only", summary.calls_min);
    if summary.seeds >= SEEDS_THAT_SHOW_ALL {
        let unseen: Vec<&str> = SITUATIONS.into_iter().filter(|what| !summary.coverage.contains_key(*what)).collect();
        assert!(unseen.is_empty(), "the worlds are too kind, none of them had: {unseen:?}");
    }
}
