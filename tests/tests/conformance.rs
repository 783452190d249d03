//! The published conformance suite of the protocol, unchanged, on the embedded store and on S3.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use wadi_tests::{
    bucket::Bucket,
    server::Launch,
    suite::{self, LeftOut},
};

/// The tests of the suite that run and pass.
const EXECUTED: usize = 250;

/// The groups that are left out: how their names begin, how many tests they have, and why.
const LEFT_OUT: [LeftOut; 2] =
    [("Fork - ", 82, "forks are not built yet"), ("Reserved subscription APIs", 6, "subscriptions are not built yet")];

#[tokio::test]
async fn on_the_embedded_store() {
    let data = tempfile::tempdir().expect("a temporary folder");
    run("the embedded store", &Launch::embedded(data.path())).await;
}

#[tokio::test]
async fn on_s3() {
    run("S3", &Launch::on_s3(&Bucket::fresh("conformance"))).await;
}

async fn run(store: &str, launch: &Launch) {
    let server = launch.clone().start().await;
    suite::run(store, &server.address().url(), EXECUTED, &LEFT_OUT).await;
}
