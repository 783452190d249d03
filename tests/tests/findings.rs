//! The page of findings names regression tests that exist.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use std::fs;

use wadi_tests::tools;

const PAGE: &str = "tests/simulation/FINDINGS.md";

/// The texts in backticks of a cell.
fn quoted(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

/// Panics unless every test that a row's last cell names is in the file named before it.
fn check(row: &str) {
    let tests = row.trim_end_matches('|').rsplit('|').next().expect("a last cell");
    let mut source = None;
    let mut found = 0;
    for name in quoted(tests) {
        let path = tools::workspace().join(name);
        if path.is_file() {
            source = Some(fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())));
        } else {
            let source = source.as_ref().unwrap_or_else(|| panic!("no file before {name}: {row}"));
            assert!(source.contains(&format!("fn {name}(")), "{PAGE} names {name}, which is not there");
            found += 1;
        }
    }
    assert!(found > 0, "no regression test in: {row}");
}

#[test]
fn every_finding_has_a_regression_test() {
    let page = fs::read_to_string(tools::workspace().join(PAGE)).expect("the page of findings");
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| ")).skip(2).collect();
    assert!(!rows.is_empty(), "{PAGE} has no table");
    rows.into_iter().for_each(check);
}
