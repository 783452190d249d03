//! The contract's tables, row by row, on `/ds`: every row of the README is exercised here, or listed
//! as one that cannot be reached, with the reason.

mod appends;
mod errors;
mod page;
mod producers;
mod resources;
mod rows;
mod steps;
