//! What is told: tables for people, and the same for programs.

mod beside;
mod row;
mod run;
mod stores;
mod table;
mod unit;

pub(crate) use row::{Other, Row};
pub(crate) use run::Report;
pub(crate) use table::Table;
pub(crate) use unit::Unit;

/// A number in a cell, to two places; an empty cell where there is none.
fn cell(number: Option<f64>) -> String {
    number.map_or_else(String::new, |number| format!("{number:.2}"))
}
