//! A whole run, told as it goes.

use std::{fmt::Write as _, io::Write as _};

use serde::Serialize;

use super::{Row, Unit, beside, stores};
use crate::{arena::StoreKind, cost::Measured, failure::Failure, machine::Machine, sample::Figures};

/// The rows so far, and what they were measured on.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    machine: Machine,
    versions: String,
    rows: Vec<Row>,
}

impl Report {
    /// A report without rows.
    pub(crate) fn new(machine: Machine, versions: String) -> Self {
        Self { machine, versions, rows: Vec::new() }
    }

    /// Takes in a row, and says on the standard error output that it is there.
    pub(crate) fn row(&mut self, row: Row) {
        // Progress is worth no failure.
        let _ = writeln!(std::io::stderr().lock(), "{}", progress(&row));
        self.rows.push(row);
    }

    /// The rows of one store.
    pub(crate) fn of(&self, store: StoreKind) -> Vec<Row> {
        self.rows.iter().filter(|row| row.store == store).cloned().collect()
    }

    /// The requests that operations took, where they were measured.
    pub(crate) fn measured(&self) -> Measured {
        let designed = Measured::AS_DESIGNED;
        let with = |unit, beginning: &str| {
            let fits = |row: &&Row| row.unit == unit && row.name.starts_with(beginning);
            self.rows.iter().find(fits).map(|row| row.wadi.clone())
        };
        let append = with(Unit::Operations, "append");
        let page = with(Unit::Mebibytes, "catch-up");
        Measured {
            puts_per_append: append.as_ref().map_or(designed.puts_per_append, |row| row.puts_per_operation),
            gets_per_append: append.as_ref().map_or(designed.gets_per_append, |row| row.gets_per_operation),
            gets_per_page: page.as_ref().map_or(designed.gets_per_page, |row| row.gets_per_operation),
            ..designed
        }
    }

    /// Everything as tables, under what they were measured on.
    pub(crate) fn markdown(&self) -> String {
        let mut text = format!("Measured {}; {}.\n\n", self.machine, self.versions);
        for (store, title) in [(StoreKind::Embedded, "Embedded store"), (StoreKind::S3, "S3 server")] {
            let rows = self.of(store);
            if rows.is_empty() {
                continue;
            }
            let _ = write!(text, "### {title}\n\n{}\n", stores::table(&rows));
            if let Some(table) = beside::table(&rows) {
                let _ = write!(text, "### {title}, beside others\n\n{table}\n");
            }
        }
        text
    }

    /// Everything as JSON.
    pub(crate) fn json(&self) -> Result<String, Failure> {
        serde_json::to_string_pretty(self).map_err(Failure::setting)
    }
}

/// One line about a row.
fn progress(row: &Row) -> String {
    let wadi = speed(row.unit, &row.wadi);
    let ratio = match (row.rate_over(&row.floor), row.p50_over_floor()) {
        (Some(rate), _) => format!(", {rate:.2} of the floor"),
        (None, Some(p50)) => format!(", {p50:.1} times the floor's p50"),
        (None, None) => String::new(),
    };
    let others = row.others.iter().map(|other| match (&other.figures, &other.failure) {
        (Some(figures), _) => format!("; {}: {}", other.name, speed(row.unit, figures)),
        (None, failure) => format!("; {}: {}", other.name, failure.as_deref().unwrap_or_default()),
    });
    format!("{}: {wadi}{ratio}{}", row.name, others.collect::<String>())
}

fn speed(unit: Unit, figures: &Figures) -> String {
    let latency = format!("p50 {:.2} ms, p99 {:.2} ms", figures.p50_millis, figures.p99_millis);
    if unit.has_rate() { format!("{}/s, {latency}", unit.rate(figures)) } else { latency }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_progress_has_a_rate_only_where_one_says_something() {
        let figures =
            |per_second, p50_millis| Figures { per_second, p50_millis, p99_millis: 9.0, ..Figures::default() };
        let row = |unit| Row {
            name: "row".to_owned(),
            store: StoreKind::Embedded,
            unit,
            wadi: figures(1_048_576.0, 6.0),
            floor: figures(2_097_152.0, 3.0),
            others: Vec::new(),
            memory_before_mib: None,
            memory_peak_mib: 1,
            note: None,
        };
        for (unit, line) in [
            (Unit::Operations, "row: 1048576/s, p50 6.00 ms, p99 9.00 ms, 0.50 of the floor"),
            (Unit::Mebibytes, "row: 1 MiB/s, p50 6.00 ms, p99 9.00 ms, 0.50 of the floor"),
            (Unit::Latency, "row: p50 6.00 ms, p99 9.00 ms, 2.0 times the floor's p50"),
        ] {
            assert_eq!(progress(&row(unit)), line);
        }
    }
}
