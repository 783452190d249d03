//! Sealing, sweeping and verifying through the real program, and reading what was sealed, on S3.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

mod history;
mod read_origin;
mod sealed;
mod stream;
