//! What the Lambda functions share: their settings, events as requests, answers as streams, and what the
//! platform does that a server does not.
//!
//! The functions serve the router of `wadi serve` and call the same engine; nothing of the service is decided
//! here. An environment keeps what it knows between invocations, and nothing goes on after an answer: the
//! environment may be frozen from then on, for any time.

#![cfg_attr(test, allow(clippy::unwrap_used, reason = "a test fails by panicking"))]

mod environment;
mod error;
mod fitness;
pub mod http;
pub mod limits;
mod memory;
mod run;
mod settings;
pub mod upkeep;

pub use self::{
    error::StartError,
    run::{run_seal, run_stream, run_sweep, start},
};
