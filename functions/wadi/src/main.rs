//! The `wadi` command.

#![cfg_attr(test, allow(clippy::unwrap_used, reason = "a test fails by panicking"))]

mod banner;
mod connections;
mod descriptors;
mod error;
mod limits;
mod proof;
mod selftest;
mod serve;
mod settings;
mod shutdown;
mod sweep;
mod ticking;
mod upkeep;
mod verify;

use std::{process::ExitCode, time::Duration};

use clap::Parser;

use crate::{
    error::StartError,
    settings::{Cli, Command},
};

/// Bodies are made on one thread and freed on another, which the system's allocator is slow at.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// Longest wait, at the end, for what still runs on other threads.
const LINGER_MAX: Duration = Duration::from_secs(5);

fn main() -> ExitCode {
    match run(Cli::parse()) {
        Ok(code) => code,
        Err(error) => {
            banner::complain(&error);
            ExitCode::FAILURE
        }
    }
}

fn run(cli: Cli) -> Result<ExitCode, StartError> {
    let command = cli.command();
    wadi_settings::start_log(command.logs())?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(StartError::Runtime)?;
    let ended = runtime.block_on(async {
        match command {
            Command::Serve(args) => serve::serve(args).await.map(|()| ExitCode::SUCCESS),
            Command::Selftest(args) => selftest::selftest(args).await,
            Command::Sweep(args) => sweep::sweep(args).await,
            Command::Verify(args) => verify::verify(args).await,
        }
    });
    runtime.shutdown_timeout(LINGER_MAX);
    ended
}
