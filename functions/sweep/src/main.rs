//! Removes from the bucket what nothing needs any more, on a schedule.

use std::process::ExitCode;

fn main() -> ExitCode {
    wadi_lambda::start(wadi_lambda::run_sweep())
}
