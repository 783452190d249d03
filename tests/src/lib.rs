//! Harness of the end-to-end tests: it runs the real server binary and talks to it over HTTP.
//!
//! Every wait is bounded, nothing asserts a duration, and whatever is started here is killed
//! when its handle is dropped. Tests that need S3 take it from the environment that
//! `tests/run` sets.
#![allow(
    clippy::expect_used,
    clippy::missing_panics_doc,
    clippy::print_stderr,
    reason = "a harness fails its test by panicking, with the reason and the server's output"
)]

pub mod answer;
pub mod bucket;
pub mod call;
pub mod emulator;
pub mod http;
pub mod ledger;
pub mod live;
pub mod messages;
pub mod process;
pub mod producer;
pub mod proxy;
pub mod relay;
pub mod report;
pub mod server;
pub mod sources;
pub mod store;
pub mod suite;
pub mod tools;
pub mod wait;
pub mod writer;
