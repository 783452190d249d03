//! The functions as Lambda runs them: real binaries behind an emulated runtime interface, on S3.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

mod conformance;
mod departed;
mod one_put;
mod racing;
mod sealing;
mod surface;
mod windows;
