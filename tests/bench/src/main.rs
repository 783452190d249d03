//! How fast Wadi is beside what its store can do at all, and what it costs.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::float_cmp, reason = "a test fails by panicking"))]

mod arena;
mod cost;
mod failure;
mod http;
mod limits;
mod load;
mod machine;
mod processor;
mod report;
mod requests;
mod rows;
mod sample;
mod settings;
mod slots;

use std::{fs, io::Write, process::ExitCode};

use clap::Parser;

use crate::{
    arena::Arena,
    cost::{Bill, Prices},
    failure::Failure,
    limits::Scale,
    machine::Machine,
    report::Report,
    settings::Settings,
};

/// The allocator of the server that is measured, so that the floor is the same client below it.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

#[tokio::main]
async fn main() -> ExitCode {
    match run(&Settings::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            let _ = writeln!(std::io::stderr().lock(), "bench: {failure}");
            ExitCode::FAILURE
        }
    }
}

async fn run(settings: &Settings) -> Result<(), Failure> {
    let scale = if settings.short { Scale::SHORT } else { Scale::FULL };
    let folder = settings.folder.clone().unwrap_or_else(std::env::temp_dir);
    let peers = settings.peers()?;
    let prices = Prices::read(&settings.prices)?;
    let mut report = Report::new(Machine::here(), settings.versions.clone());
    for store in settings.stores() {
        let mut arena = Arena::open(store, &folder, scale, peers.clone()).await?;
        for workload in settings.workloads() {
            workload.run(store, &mut arena, &mut report).await?;
        }
    }
    let bill = Bill::new(prices, report.measured());
    let text = format!("{}### Cost\n\n{bill}", report.markdown());
    write!(std::io::stdout().lock(), "{text}").map_err(Failure::setting)?;
    if let Some(file) = &settings.json {
        fs::write(file, report.json()?).map_err(Failure::setting)?;
    }
    Ok(())
}
