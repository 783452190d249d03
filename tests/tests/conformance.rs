//! The published conformance suite of the protocol, unchanged, on the embedded store and on S3.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use std::{collections::BTreeMap, path::Path, process::Command, time::Duration};

use serde_json::Value;
use wadi_tests::{
    bucket::Bucket,
    process::Process,
    report,
    server::{Launch, Server},
    tools,
};

/// How long the whole suite may take on one store.
const SUITE_LIMIT: Duration = Duration::from_mins(8);

/// The tests of the suite that run and pass.
const EXECUTED: usize = 250;

/// The groups that are left out: how their names begin, how many tests they have, and why.
const LEFT_OUT: [(&str, usize, &str); 2] =
    [("Fork - ", 82, "forks are not built yet"), ("Reserved subscription APIs", 6, "subscriptions are not built yet")];

#[tokio::test]
async fn on_the_embedded_store() {
    let data = tempfile::tempdir().expect("a temporary folder");
    run("the embedded store", &Launch::embedded(data.path()).start().await).await;
}

#[tokio::test]
async fn on_s3() {
    run("S3", &Launch::on_s3(&Bucket::fresh("conformance")).start().await).await;
}

/// Runs the suite against a server, and holds what it reports against what is expected.
async fn run(store: &str, server: &Server) {
    let folder = tools::workspace().join("tests/conformance");
    let results = tempfile::tempdir().expect("a temporary folder");
    let report = results.path().join("report.json");
    let mut command = Command::new(tools::node_module(&folder, ".bin/vitest"));
    command.current_dir(&folder).args(["run", "--reporter=json", "--testNamePattern", &those_that_run()]);
    command.arg(format!("--outputFile={}", report.display()));
    command.env("WADI_SERVER", server.address().url()).env("NO_PROXY", "127.0.0.1").env("CI", "true");
    let mut suite = Process::spawn("the conformance suite", command);
    let status = suite.exit(SUITE_LIMIT).await;

    let tests = tests(&report);
    let of = |wanted: &str| tests.iter().filter(|test| test.status == wanted).count();
    let (passed, failed) = (of("passed"), of("failed"));
    let skipped = tests.len() - passed - failed;
    report::say(&format!("conformance on {store}: {} executed, {passed} passed, {skipped} skipped", passed + failed));
    let wrong: Vec<&Test> = tests.iter().filter(|test| test.status == "failed").collect();
    assert!(wrong.is_empty(), "{store}: {wrong:#?}");
    assert_eq!(passed, EXECUTED, "on {store}; if the suite has changed, say here how many tests it has");
    assert_eq!(left_out(&tests), expected_left_out(), "what did not run on {store}");
    assert!(status.success(), "the suite ended with {status}");
}

/// A test of the suite.
#[derive(Debug)]
struct Test {
    /// The names of its groups and its own.
    name: String,
    /// `passed`, `failed`, or why it did not run.
    status: String,
    /// What it said when it failed; it is there to be printed.
    #[expect(dead_code, reason = "for the failing test's output")]
    failures: Value,
}

/// A pattern of the names of all tests but those that are left out.
fn those_that_run() -> String {
    let prefixes = LEFT_OUT.map(|(prefix, _, _)| prefix).join("|");
    format!("^(?!{prefixes})")
}

fn tests(report: &Path) -> Vec<Test> {
    let bytes = std::fs::read(report).unwrap_or_else(|error| panic!("the suite left no report: {error}"));
    let report: Value = serde_json::from_slice(&bytes).expect("the report is JSON");
    let files = report["testResults"].as_array().expect("results").iter();
    let results = files.flat_map(|file| file["assertionResults"].as_array().expect("results of a file"));
    let owned = |value: &Value| value.as_str().expect("a text").to_owned();
    let test = |result: &Value| Test {
        name: owned(&result["fullName"]),
        status: owned(&result["status"]),
        failures: result["failureMessages"].clone(),
    };
    results.map(test).collect()
}

/// How many tests of each group did not run. One that is in no group left out is its own group.
fn left_out(tests: &[Test]) -> BTreeMap<String, usize> {
    let mut groups = BTreeMap::new();
    for test in tests.iter().filter(|test| !matches!(test.status.as_str(), "passed" | "failed")) {
        let group = LEFT_OUT.iter().find(|(prefix, _, _)| test.name.starts_with(prefix));
        *groups.entry(group.map_or(&*test.name, |(prefix, _, _)| prefix).to_owned()).or_default() += 1;
    }
    groups
}

fn expected_left_out() -> BTreeMap<String, usize> {
    LEFT_OUT.iter().map(|(prefix, count, _)| ((*prefix).to_owned(), *count)).collect()
}
