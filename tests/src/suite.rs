//! The published conformance suite of the protocol, run against a service.

use std::{collections::BTreeMap, path::Path, process::Command, time::Duration};

use serde_json::Value;

use crate::{process::Process, report, tools};

/// How long the whole suite may take on one service.
const SUITE_LIMIT: Duration = Duration::from_mins(8);

/// A group of tests that is left out: how their names begin, how many there are, and why.
pub type LeftOut = (&'static str, usize, &'static str);

/// Runs the suite against the service at `url`, and holds what it reports against what is expected: `executed` tests
/// that pass, and `out` that do not run.
pub async fn run(what: &str, url: &str, executed: usize, out: &[LeftOut]) {
    let folder = tools::workspace().join("tests/conformance");
    let results = tempfile::tempdir().expect("a temporary folder");
    let report = results.path().join("report.json");
    let mut command = Command::new(tools::node_module(&folder, ".bin/vitest"));
    command.current_dir(&folder).args(["run", "--reporter=json", "--testNamePattern", &those_that_run(out)]);
    command.arg(format!("--outputFile={}", report.display()));
    command.env("WADI_SERVER", url).env("NO_PROXY", "127.0.0.1").env("CI", "true");
    let mut suite = Process::spawn("the conformance suite", command);
    let status = suite.exit(SUITE_LIMIT).await;

    let tests = tests(&report);
    let of = |wanted: &str| tests.iter().filter(|test| test.status == wanted).count();
    let (passed, failed) = (of("passed"), of("failed"));
    let skipped = tests.len() - passed - failed;
    report::say(&format!("conformance on {what}: {} executed, {passed} passed, {skipped} skipped", passed + failed));
    let wrong: Vec<&Test> = tests.iter().filter(|test| test.status == "failed").collect();
    assert!(wrong.is_empty(), "{what}: {wrong:#?}");
    assert_eq!(passed, executed, "on {what}; if the suite has changed, say here how many tests it has");
    assert_eq!(left_out(&tests, out), expected_left_out(out), "what did not run on {what}");
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
fn those_that_run(out: &[LeftOut]) -> String {
    let prefixes = out.iter().map(|(prefix, _, _)| *prefix).collect::<Vec<_>>().join("|");
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
fn left_out(tests: &[Test], out: &[LeftOut]) -> BTreeMap<String, usize> {
    let mut groups = BTreeMap::new();
    for test in tests.iter().filter(|test| !matches!(test.status.as_str(), "passed" | "failed")) {
        let group = out.iter().find(|(prefix, _, _)| test.name.starts_with(prefix));
        *groups.entry(group.map_or(&*test.name, |(prefix, _, _)| prefix).to_owned()).or_default() += 1;
    }
    groups
}

fn expected_left_out(out: &[LeftOut]) -> BTreeMap<String, usize> {
    out.iter().map(|(prefix, count, _)| ((*prefix).to_owned(), *count)).collect()
}
