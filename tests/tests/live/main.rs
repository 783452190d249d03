//! Live reads over real sockets, across processes on one bucket.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

mod browser;
mod last_message;
mod official_clients;
mod subscribers;
