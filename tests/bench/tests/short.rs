//! The benchmark runs, prints every row, and its counts add up. What it measures is nobody's business here.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use std::process::Command;

use serde_json::Value;

/// What the rows of one store begin with, in a short run.
const ROWS: [&str; 10] = [
    "append, 1 streams, 256 B",
    "append, 4 streams, 256 B",
    "1 stream, 4 producers, 256 B",
    "batches of 10 messages of 256 B",
    "catch-up, 5 MiB",
    "delivery to 5 subscribers",
    "first HEAD of 1 MiB",
    "first read of 49 unsealed records",
    "first read of 1396 KiB in 2 segments and 49 records",
    "sealing 5 MiB",
];

#[test]
fn every_row_is_printed_on_the_embedded_store() {
    run("embedded");
}

#[test]
fn every_row_is_printed_on_s3() {
    if std::env::var_os("WADI_TEST_S3_ENDPOINT").is_some() {
        run("s3");
    } else {
        assert!(std::env::var_os("CI").is_none(), "there is no S3 server to test on: start with tests/run");
    }
}

fn run(store: &str) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let json = folder.path().join("figures.json");
    let mut command = Command::new(env!("CARGO_BIN_EXE_bench"));
    command.args(["--short", "--store", store, "--folder"]).arg(folder.path()).arg("--json").arg(&json);
    // A server that is not there: its lines say so, and nothing else is kept from being measured.
    command.args(["--against", "Nobody=http://127.0.0.1:9/v1/stream"]);
    let output = command.output().expect("the benchmark runs");
    let (told, complaints) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{complaints}\n{told}");

    let figures: Value = serde_json::from_slice(&std::fs::read(&json).expect("the figures")).expect("JSON");
    let rows = figures["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), ROWS.len(), "{complaints}\n{told}");
    for (row, name) in rows.iter().zip(ROWS) {
        let told_name = row["name"].as_str().expect("a name");
        assert!(told_name.starts_with(name), "{told_name}, not {name}");
        assert!(told.contains(told_name), "{told_name} is not in the table:\n{told}");
        for side in ["wadi", "floor"] {
            assert!(row[side]["operations"].as_u64().expect("operations") > 0, "{row}");
            assert_eq!(row[side]["refused"], 0, "{row}");
        }
    }
    let catch_up = rows.iter().find(|row| row["name"].as_str().is_some_and(|name| name.starts_with("catch-up")));
    let catch_up = catch_up.expect("a row of catch-up");
    assert!(catch_up["wadi"]["first_byte"].is_object() && catch_up["memory_before_mib"].is_u64(), "{catch_up}");
    let beside: Vec<_> = catch_up["others"].as_array().expect("others").iter().map(|other| &other["name"]).collect();
    assert_eq!(beside, ["the socket alone", "Nobody"]);
    assert!(told.contains("| Nobody | failed: connecting: "), "{told}");
    for line in ["a million appends, plain or keyed", "a GB of history through the CDN", " cores of "] {
        assert!(told.contains(line), "{line} is not told:\n{told}");
    }
}
