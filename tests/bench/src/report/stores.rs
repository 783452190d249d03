//! The table of a store: Wadi beside the floor.

use std::fmt::Write as _;

use super::{Row, Table, Unit, cell};
use crate::sample::Figures;

const HEAD: [&str; 14] = [
    "workload",
    "Wadi/s",
    "p50 ms",
    "p99 ms",
    "PUT/op",
    "GET/op",
    "CPU us/op",
    "peak MiB",
    "floor/s",
    "p50 ms",
    "p99 ms",
    "of floor",
    "p50 ratio",
    "notes",
];

/// The rows of one store.
pub(super) fn table(rows: &[Row]) -> Table {
    let mut table = Table::new(&HEAD);
    for row in rows {
        table.line(cells(row));
    }
    table
}

fn cells(row: &Row) -> Vec<String> {
    let mut cells = vec![row.name.clone()];
    cells.extend(speed(row.unit, &row.wadi));
    cells.push(cell(Some(row.wadi.puts_per_operation)));
    cells.push(cell(Some(row.wadi.gets_per_operation)));
    cells.push(row.wadi.processor_micros.map_or_else(String::new, |micros| format!("{micros:.0}")));
    let before = row.memory_before_mib.map_or_else(String::new, |before| format!("{before} to "));
    cells.push(format!("{before}{}", row.memory_peak_mib));
    cells.extend(speed(row.unit, &row.floor));
    cells.push(cell(row.rate_over(&row.floor)));
    cells.push(cell(row.p50_over_floor()));
    cells.push(notes(row));
    cells
}

fn speed(unit: Unit, figures: &Figures) -> [String; 3] {
    [unit.rate(figures), cell(Some(figures.p50_millis)), cell(Some(figures.p99_millis))]
}

fn notes(row: &Row) -> String {
    let mut notes = row.note.clone().unwrap_or_default();
    let mut sides = vec![("Wadi", &row.wadi), ("floor", &row.floor)];
    sides.extend(row.others.iter().filter_map(|other| Some((other.name.as_str(), other.figures.as_ref()?))));
    for (who, figures) in sides.into_iter().filter(|(_, figures)| figures.refused > 0) {
        let separator = if notes.is_empty() { "" } else { "; " };
        let _ = write!(notes, "{separator}{who}: {} of {} refused", figures.refused, figures.operations);
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::StoreKind;

    #[test]
    fn a_row_is_a_line_with_as_many_cells_as_the_head() {
        let row = Row {
            name: "append".to_owned(),
            store: StoreKind::S3,
            unit: Unit::Operations,
            wadi: Figures { per_second: 100.0, p50_millis: 2.0, refused: 1, operations: 9, ..Figures::default() },
            floor: Figures { per_second: 200.0, p50_millis: 1.0, ..Figures::default() },
            others: Vec::new(),
            memory_before_mib: Some(5),
            memory_peak_mib: 7,
            note: None,
        };
        let text = table(&[row.clone(), Row { unit: Unit::Latency, ..row }]).to_string();
        let columns: Vec<usize> = text.lines().map(|line| line.matches('|').count()).collect();
        assert!(columns.iter().all(|count| *count == columns[0]), "{text}");
        assert!(text.contains("| 5 to 7 | 200 | 1.00 | 0.00 | 0.50 | 2.00 | Wadi: 1 of 9 refused |"), "{text}");
        assert!(text.contains("| 5 to 7 |  | 1.00 | 0.00 |  | 2.00 |"), "{text}");
    }
}
