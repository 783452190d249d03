//! Live reads over real sockets, across processes on one bucket.
#![allow(clippy::expect_used, clippy::print_stdout, reason = "a test fails by panicking, and says what it measured")]

mod last_message;
mod official_clients;
mod subscribers;
