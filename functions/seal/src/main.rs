//! Seals streams when the bucket's events tell of them.

use std::process::ExitCode;

fn main() -> ExitCode {
    wadi_lambda::start(wadi_lambda::run_seal())
}
