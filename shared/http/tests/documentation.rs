//! The page of errors in the README is the table that answers are made of.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

use wadi_protocol::Code;

fn rows() -> String {
    let mut codes = Code::ALL.to_vec();
    codes.sort_by_key(|code| (code.status(), code.as_str()));
    let row = |code: &Code| format!("| {} | `{}` | {} |\n", code.status(), code.as_str(), code.meaning());
    codes.iter().map(row).collect::<Vec<_>>().concat()
}

/// With `WADI_WRITE_DOCUMENTATION` set, writes the table instead of comparing it.
#[test]
fn the_table_of_errors_is_the_one_that_answers_are_made_of() {
    const HEAD: &str = "| status | code | meaning |\n| --- | --- | --- |\n";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (before, table) = page.split_once(HEAD).unwrap();
    if std::env::var_os("WADI_WRITE_DOCUMENTATION").is_some() {
        std::fs::write(&path, format!("{before}{HEAD}{}", rows())).unwrap();
        return;
    }
    assert_eq!(table, rows(), "run this test with WADI_WRITE_DOCUMENTATION=1 and commit what changed");
}
