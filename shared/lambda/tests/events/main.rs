//! The functions on events as Lambda sends them, over a store in memory.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod answers;
mod bodies;
mod harness;
mod names;
mod requests;
mod upkeep;
