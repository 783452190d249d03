//! A whole run, told as it goes.

use std::io::Write;

use serde::Serialize;

use super::{Row, Table, Unit};
use crate::{arena::StoreKind, cost::Measured, failure::Failure};

/// The rows so far.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Report {
    rows: Vec<Row>,
}

impl Report {
    /// Takes in a row, and says on the standard error output that it is there.
    pub(crate) fn row(&mut self, row: Row) {
        let ratio = row.rate_ratio().map_or_else(String::new, |ratio| format!(", {ratio:.2} of the floor"));
        let line = format!("{}: {:.0}/s, p50 {:.2} ms{ratio}", row.name, row.wadi.per_second, row.wadi.p50_millis);
        // Progress is worth no failure.
        let _ = writeln!(std::io::stderr().lock(), "{line}");
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

    /// Everything as tables.
    pub(crate) fn markdown(&self) -> String {
        let stores = [(StoreKind::Embedded, "Embedded store"), (StoreKind::S3, "S3 server")];
        let tables = stores.map(|(store, title)| {
            let rows = self.of(store);
            if rows.is_empty() { String::new() } else { format!("### {title}\n\n{}\n", Table::of_rows(&rows)) }
        });
        tables.concat()
    }

    /// Everything as JSON.
    pub(crate) fn json(&self) -> Result<String, Failure> {
        serde_json::to_string_pretty(self).map_err(Failure::setting)
    }
}
