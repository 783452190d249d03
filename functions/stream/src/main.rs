//! Serves streams behind a function URL, with streamed answers.

use std::process::ExitCode;

fn main() -> ExitCode {
    wadi_lambda::start(wadi_lambda::run_stream())
}
