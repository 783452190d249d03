//! The published conformance suite of the protocol, unchanged, through the functions.

use wadi_tests::{
    bucket::Bucket,
    emulator::Emulator,
    suite::{self, LeftOut},
};

/// Environments: as many as the suite has requests open at once, and some for those it has walked away from.
const ENVIRONMENTS: usize = 6;

/// The tests of the suite that run and pass.
const EXECUTED: usize = 250;

/// The groups that are left out: how their names begin, how many tests they have, and why.
const LEFT_OUT: [LeftOut; 2] =
    [("Fork - ", 82, "forks are not built yet"), ("Reserved subscription APIs", 6, "subscriptions are not built yet")];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn through_the_functions() {
    let emulator = Emulator::start().await;
    let settings = [("WADI_SEALING", "events"), ("WADI_SSE_LIFETIME", "5s")];
    let _environments = emulator.environments(ENVIRONMENTS, &Bucket::fresh("lambda-conformance"), &settings);
    suite::run("Lambda", &emulator.url(), EXECUTED, &LEFT_OUT).await;
}
