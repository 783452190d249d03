//! What is told: a table for people, and the same for programs.

mod row;
mod run;
mod table;

pub(crate) use row::{Row, Unit};
pub(crate) use run::Report;
pub(crate) use table::Table;
