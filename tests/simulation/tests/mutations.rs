//! The simulation finds what it is there to find: each deliberate defect of the engine is caught
//! within a budget of seeds. Prints which seed caught it, and which invariant it broke.
#![allow(clippy::print_stdout, reason = "the table is the point")]

use wadi_simulation::{Report, bucket_that_forgets, bucket_with_something_in_the_way, simulate_many};
use wadi_stream::Defect;

/// Seeds that each defect gets, in portions.
const SEEDS_MAX: u64 = 2000;

/// Seeds run before looking whether one has caught it.
const PORTION: u64 = 20;

/// The defects that break something by themselves.
const DEFECTS: [Defect; 37] = [
    Defect::CommitWithoutCondition,
    Defect::OwnRecordNotRecognised,
    Defect::RefusalWithoutProof,
    Defect::AcknowledgedBeforePut,
    Defect::UncommittedAnswerReleased,
    Defect::ProducersOfWinnerForgotten,
    Defect::LateAnswersBelieved,
    Defect::FoundRecordRenews,
    Defect::ExpiredReplacedByManifest,
    Defect::ReadWithoutProbe,
    Defect::ReadJoinsProbeUnderWay,
    Defect::OvertakenStateKept,
    Defect::EndedIncarnationKept,
    Defect::OpenRecordCalledVoid,
    Defect::ExpiryNotCommitted,
    Defect::LeaseDoubled,
    Defect::OwnManifestNotRecognised,
    Defect::OpenManifestCalledVoid,
    Defect::TailChangesIncarnation,
    Defect::CellAtOpenTailSealed,
    Defect::CollectedBeforeGrace,
    Defect::CoverDatedByItsRecord,
    Defect::DroppedCollectedAtOnce,
    Defect::NamedBodyCollected,
    Defect::OrphanCollectedWithoutFence,
    Defect::SealedObjectUnconfirmed,
    Defect::SealedFromOldState,
    Defect::SnapshotCopiedBeforeCommit,
    Defect::SnapshotReplaced,
    Defect::SnapshotBodyCollected,
    Defect::SupersededCollectedAtOnce,
    Defect::RetentionWithoutSnapshot,
    Defect::RetentionNotLookedAt,
    Defect::RetentionForgottenBySealing,
    Defect::BootstrapStopsAtSnapshot,
    Defect::ReleasedChunksCollectedAtOnce,
    Defect::ChunksReleasedAboveRetention,
];

#[test]
fn every_defect_is_caught() {
    // Some of them alone, by their names, with commas.
    let only = std::env::var("WADI_SIMULATION_DEFECT").unwrap_or_default();
    let is_wanted = |defect: &Defect| only.is_empty() || only.split(',').any(|name| name == format!("{defect:?}"));
    let wanted = DEFECTS.into_iter().filter(is_wanted);
    let missed: Vec<Defect> = wanted.filter(|defect| !tell(*defect, find(*defect))).collect();
    assert!(missed.is_empty(), "not caught within {SEEDS_MAX} seeds: {missed:?}");
}

/// While late answers are not believed nobody meets a record that follows another one than its
/// reader has. So the bucket has to lose one to show that a reader looks.
#[test]
fn a_record_that_follows_another_one_is_not_folded() {
    Defect::activate(&[]);
    let refused = bucket_that_forgets();
    Defect::activate(&[Defect::PredecessorIgnored]);
    let folded = bucket_that_forgets();
    Defect::activate(&[]);
    assert_eq!(refused, None, "bytes were read from a log that is broken");
    println!("{:?} | a bucket that forgets | read {folded:?}", Defect::PredecessorIgnored);
    assert!(folded.is_some());
}

/// What sealers write is a function of the log, so in an honest bucket nothing else is ever in their
/// way.
#[test]
fn what_is_in_the_way_of_a_sealer_is_not_taken_for_its_own() {
    Defect::activate(&[]);
    let compared = bucket_with_something_in_the_way();
    Defect::activate(&[Defect::SealedObjectNotCompared]);
    let trusted = bucket_with_something_in_the_way();
    Defect::activate(&[]);
    assert_eq!(compared.as_deref(), Some(b"true".as_slice()), "a stream cannot be read any more");
    println!("{:?} | something in the way of a sealer | read {trusted:?}", Defect::SealedObjectNotCompared);
    assert_eq!(trusted, None);
}

/// The first world that breaks with a defect.
fn find(defect: Defect) -> Option<Report> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    (0..SEEDS_MAX / PORTION).find_map(|portion| {
        let seeds = portion * PORTION..(portion + 1) * PORTION;
        simulate_many(seeds, threads, || Defect::activate(&[defect])).broken.into_iter().next()
    })
}

fn tell(defect: Defect, found: Option<Report>) -> bool {
    let Some(report) = found else { return false };
    if let Some(violation) = report.violations.first() {
        println!("{defect:?} | seed {} | {} | {}", report.seed, violation.invariant, violation.what);
    }
    true
}
