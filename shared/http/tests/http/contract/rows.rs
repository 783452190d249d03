//! Every row of the tables of mounts, headers, parameters, answers, producers and caching.

use std::collections::BTreeSet;

use super::{
    appends,
    page::{self, Row},
    producers, resources,
    steps::{Shown, take},
};
use crate::harness::Service;

/// Rows that no request shows yet, and why.
const NOT_SHOWN: [(&str, &[&str], &str); 2] = [
    ("Caching", &["an immutable snapshot, a marked chunk"], "the tests of chunks and snapshots show it"),
    (
        "Producers",
        &["known", "a rewritten history"],
        "nothing rewrites a history yet: a stream that does so is not built",
    ),
];

/// Headings whose rows have tests of their own: errors beside this, snapshots in `snapshots` and `parts`.
const ELSEWHERE: [&str; 4] = ["Errors", "Snapshots", "Snapshots in parts", "What a request cost"];

/// The rows that are shown.
fn all() -> impl Iterator<Item = &'static Shown> {
    [resources::ROWS, appends::ROWS, producers::ROWS].into_iter().flatten()
}

fn is(row: &Row, heading: &str, begins: &[&str]) -> bool {
    row.heading == heading && begins.len() <= row.cells.len() && row.cells.iter().zip(begins).all(|(a, b)| a == b)
}

#[test]
fn every_row_is_shown_once_or_said_to_be_out_of_reach() {
    let rows = page::rows();
    for row in rows.iter().filter(|row| !ELSEWHERE.contains(&row.heading.as_str())) {
        let shown = all().filter(|shown| is(row, shown.heading, shown.begins)).count();
        let not_shown = NOT_SHOWN.iter().filter(|(heading, begins, _)| is(row, heading, begins)).count();
        assert_eq!(shown + not_shown, 1, "{row:?}");
    }
    let headings: BTreeSet<&str> = rows.iter().map(|row| row.heading.as_str()).collect();
    assert!(headings.len() >= 7, "{headings:?}");
    let gone = all().filter(|shown| !rows.iter().any(|row| is(row, shown.heading, shown.begins)));
    assert!(gone.map(|shown| shown.begins).next().is_none(), "a row that is no more");
}

#[tokio::test(start_paused = true)]
async fn every_row_says_what_is_answered() {
    for (number, shown) in all().enumerate() {
        let service = Service::new();
        let stream = service.stream(&format!("/ds/acct/row-{number}"), "text/plain", "abc").await;
        take(&service, &stream, shown.steps).await;
    }
}
