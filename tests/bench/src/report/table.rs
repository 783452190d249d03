//! Tables in Markdown.

use std::{fmt, fmt::Write as _};

use super::{Row, Unit};
use crate::{
    limits::MIB,
    sample::{Figures, count},
};

/// Lines of cells under a head; the first column is text, the others are numbers.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    head: Vec<String>,
    lines: Vec<Vec<String>>,
}

impl Table {
    /// A table without lines.
    pub(crate) fn new(head: &[&str]) -> Self {
        Self { head: head.iter().map(|cell| (*cell).to_owned()).collect(), lines: Vec::new() }
    }

    /// Adds a line; what is missing stays empty.
    pub(crate) fn line(&mut self, cells: Vec<String>) {
        self.lines.push(cells);
    }

    /// The rows of one store.
    pub(crate) fn of_rows(rows: &[Row]) -> Self {
        let peer = rows.iter().any(|row| row.peer.is_some());
        let mut head = vec![
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
        ];
        if peer {
            head.extend(["peer/s", "p50 ms", "p99 ms"]);
        }
        head.push("notes");
        let mut table = Self::new(&head);
        for row in rows {
            table.line(cells(row, peer));
        }
        table
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "| {} |", self.head.join(" | "))?;
        writeln!(f, "| --- |{}", " ---: |".repeat(self.head.len() - 1))?;
        for line in &self.lines {
            writeln!(f, "| {} |", line.join(" | "))?;
        }
        Ok(())
    }
}

fn cells(row: &Row, peer: bool) -> Vec<String> {
    let mut cells = vec![row.name.clone()];
    cells.extend(speed(row.unit, Some(&row.wadi)));
    cells.push(format!("{:.2}", row.wadi.puts_per_operation));
    cells.push(format!("{:.2}", row.wadi.gets_per_operation));
    cells.push(row.wadi.processor_micros.map_or_else(String::new, |micros| format!("{micros:.0}")));
    cells.push(row.memory_peak_mib.to_string());
    cells.extend(speed(row.unit, row.floor.as_ref()));
    cells.push(row.rate_ratio().map_or_else(String::new, |ratio| format!("{ratio:.2}")));
    cells.push(row.p50_ratio().map_or_else(String::new, |ratio| format!("{ratio:.2}")));
    if peer {
        cells.extend(speed(row.unit, row.peer.as_ref()));
    }
    cells.push(notes(row));
    cells
}

fn speed(unit: Unit, figures: Option<&Figures>) -> [String; 3] {
    let Some(figures) = figures else { return Default::default() };
    let rate = match unit {
        Unit::Operations | Unit::Messages => format!("{:.0}", figures.per_second),
        Unit::Mebibytes => format!("{:.0} MiB", figures.per_second / count(MIB)),
    };
    [rate, format!("{:.2}", figures.p50_millis), format!("{:.2}", figures.p99_millis)]
}

fn notes(row: &Row) -> String {
    let mut notes = row.note.clone().unwrap_or_default();
    for (who, figures) in [("Wadi", Some(&row.wadi)), ("floor", row.floor.as_ref()), ("peer", row.peer.as_ref())] {
        if let Some(figures) = figures.filter(|figures| figures.refused > 0) {
            let separator = if notes.is_empty() { "" } else { "; " };
            let _ = write!(notes, "{separator}{who}: {} of {} refused", figures.refused, figures.operations);
        }
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::StoreKind;

    #[test]
    fn a_row_is_a_line_with_as_many_cells_as_the_head() {
        let figures = Figures { per_second: 100.0, p50_millis: 2.0, refused: 1, operations: 9, ..Figures::default() };
        let floor = Figures { per_second: 200.0, p50_millis: 1.0, ..Figures::default() };
        let row = Row {
            name: "append".to_owned(),
            store: StoreKind::S3,
            unit: Unit::Operations,
            wadi: figures,
            floor: Some(floor),
            peer: None,
            memory_peak_mib: 7,
            note: None,
        };
        let peer = Some(Figures::default());
        for rows in [vec![row.clone()], vec![row.clone(), Row { peer, floor: None, ..row }]] {
            let text = Table::of_rows(&rows).to_string();
            let columns: Vec<usize> = text.lines().map(|line| line.matches('|').count()).collect();
            assert!(columns.iter().all(|count| *count == columns[0]), "{text}");
            assert!(text.contains("| 0.50 | 2.00 |"), "{text}");
            assert!(text.contains("Wadi: 1 of 9 refused"), "{text}");
        }
    }
}
