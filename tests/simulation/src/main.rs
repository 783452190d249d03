//! Runs simulations: `cargo run --profile proof -p wadi-simulation -- --seeds 0..100000`.
#![allow(clippy::print_stdout, reason = "a command-line tool")]

use std::{ops::Range, process::ExitCode, time::Instant};

use clap::Parser;
use wadi_simulation::{parse_seeds, simulate, simulate_many};

/// Plays worlds of clients, instances and faults around the engine, one a seed, and judges them.
#[derive(Debug, Parser)]
struct Arguments {
    /// The seeds, `FROM..TO`.
    #[arg(long, default_value = "0..1000", value_parser = parse_seeds)]
    seeds: Range<u64>,
    /// Simulations at once; by default one a core.
    #[arg(long)]
    threads: Option<usize>,
    /// Prints everything that happened in each seed.
    #[arg(long)]
    trace: bool,
    /// Prints what happened how often.
    #[arg(long)]
    coverage: bool,
    /// Stories told at most; further seeds that break something are only named.
    #[arg(long, default_value_t = 3)]
    stories: usize,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if arguments.trace {
        for seed in arguments.seeds.clone() {
            simulate(seed, true).trace.iter().for_each(|line| println!("{line}"));
        }
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let started = Instant::now();
    let summary = simulate_many(arguments.seeds, arguments.threads.unwrap_or(cores), || {});
    for (index, report) in summary.broken.iter().enumerate() {
        match &report.story {
            Some(story) if index < arguments.stories => println!("{story}"),
            _ => println!("seed {} breaks {:?}", report.seed, report.violations.first().map(|first| &first.what)),
        }
    }
    if arguments.coverage {
        summary.coverage.iter().for_each(|(what, times)| println!("{times:>10} {what}"));
    }
    let seconds = started.elapsed().as_secs_f64();
    println!("{summary}, {seconds:.1} s");
    if summary.broken.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
