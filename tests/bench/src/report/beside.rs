//! The table of what was measured beside Wadi: other servers, the loopback interface, and what is told of the
//! first byte.

use super::{Row, Table, cell};
use crate::sample::Figures;

const HEAD: [&str; 9] = [
    "workload",
    "who",
    "/s",
    "p50 ms",
    "p99 ms",
    "first byte p50 ms",
    "first byte p99 ms",
    "Wadi's rate over it",
    "Wadi's p99 over it",
];

/// The rows that have something to show here, a line for Wadi and one for each other; `None` without any.
pub(super) fn table(rows: &[Row]) -> Option<Table> {
    let mut table = Table::new(&HEAD).with_text_columns(2);
    let mut empty = true;
    for row in rows.iter().filter(|row| !row.others.is_empty()) {
        empty = false;
        table.line(line(row, "Wadi", &row.wadi, false));
        for other in &row.others {
            table.line(match &other.figures {
                Some(figures) => line(row, &other.name, figures, true),
                None => failed(row, &other.name, other.failure.as_deref().unwrap_or_default()),
            });
        }
    }
    (!empty).then_some(table)
}

fn line(row: &Row, who: &str, figures: &Figures, compared: bool) -> Vec<String> {
    let p99 = (compared && figures.p99_millis > 0.0).then(|| row.wadi.p99_millis / figures.p99_millis);
    vec![
        row.name.clone(),
        who.to_owned(),
        row.unit.rate(figures),
        cell(Some(figures.p50_millis)),
        cell(Some(figures.p99_millis)),
        cell(figures.first_byte.map(|latency| latency.p50_millis)),
        cell(figures.first_byte.map(|latency| latency.p99_millis)),
        cell(row.rate_over(figures).filter(|_| compared)),
        cell(p99),
    ]
}

fn failed(row: &Row, who: &str, failure: &str) -> Vec<String> {
    // What a stranger says must not break the table.
    let told: String = failure.chars().take(FAILURE_CHARS_MAX).filter(|char| !char.is_control()).collect();
    let mut cells = vec![row.name.clone(), who.to_owned(), format!("failed: {}", told.replace('|', "/"))];
    cells.resize(HEAD.len(), String::new());
    cells
}

/// How much is told of a failure.
const FAILURE_CHARS_MAX: usize = 120;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        arena::StoreKind,
        failure::Failure,
        report::{Other, Unit},
        sample::Latency,
    };

    #[test]
    fn whoever_was_measured_has_a_line_and_whoever_failed_says_why() {
        let wadi = Figures { per_second: 100.0, p50_millis: 2.0, p99_millis: 6.0, ..Figures::default() };
        let first_byte = Some(Latency { p50_millis: 0.5, p99_millis: 0.7 });
        let peer = Figures { per_second: 50.0, p50_millis: 1.0, p99_millis: 3.0, first_byte, ..Figures::default() };
        let row = Row {
            name: "catch-up".to_owned(),
            store: StoreKind::Embedded,
            unit: Unit::Operations,
            wadi,
            floor: Figures::default(),
            others: Vec::new(),
            memory_before_mib: None,
            memory_peak_mib: 7,
            note: None,
        };
        assert!(table(std::slice::from_ref(&row)).is_none());
        let failure = Failure::Answer { what: "a page", status: 500, body: "a | b\nc".to_owned() };
        let others = vec![Other::new("one".to_owned(), Ok(peer)), Other::new("two".to_owned(), Err(failure))];
        let text = table(&[Row { others, ..row }]).map(|table| table.to_string()).unwrap_or_default();
        let columns: Vec<usize> = text.lines().map(|line| line.matches('|').count()).collect();
        assert!(columns.len() == 5 && columns.iter().all(|count| *count == columns[0]), "{text}");
        assert!(text.contains("| catch-up | one | 50 | 1.00 | 3.00 | 0.50 | 0.70 | 2.00 | 2.00 |"), "{text}");
        assert!(text.contains("| failed: a page was answered 500: a / bc |"), "{text}");
    }
}
