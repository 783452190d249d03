//! The tables of the README.

use std::path::Path;

/// A row of a table, and under which heading it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) heading: String,
    pub(super) cells: Vec<String>,
}

/// Every row of every table, without the rows that head them.
pub(super) fn rows() -> Vec<Row> {
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    let mut rows: Vec<Row> = Vec::new();
    let mut heading = "";
    for line in page.lines() {
        if let Some(text) = line.strip_prefix('#') {
            heading = text.trim_start_matches('#').trim();
        } else if line.starts_with("| --- ") {
            rows.pop();
        } else if let Some(text) = line.strip_prefix('|') {
            let cells = text.trim_end_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
            rows.push(Row { heading: heading.to_owned(), cells });
        }
    }
    rows
}

/// The codes of the table of errors, with their status.
pub(super) fn errors() -> Vec<(u16, String)> {
    let errors = rows().into_iter().filter(|row| row.heading == "Errors");
    errors.map(|row| (row.cells[0].parse().unwrap(), row.cells[1].trim_matches('`').to_owned())).collect()
}
