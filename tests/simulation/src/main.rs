//! Runs simulations: `cargo run -p wadi-simulation -- --seeds 0..100000`.
#![allow(clippy::print_stdout, reason = "a command-line tool")]

fn main() {
    let seeds = std::env::args().nth(2).unwrap_or_default();
    let (from, to) = seeds.split_once("..").unwrap_or(("0", "10"));
    let trace = std::env::args().any(|a| a == "--trace");
    let start = std::time::Instant::now();
    let (mut calls, mut requests, mut bad) = (0, 0, 0);
    let (from, to): (u64, u64) = (from.parse().unwrap_or(0), to.parse().unwrap_or(10));
    for seed in from..to {
        let report = wadi_simulation::simulate(seed, trace);
        calls += report.calls;
        requests += report.requests;
        if trace { for l in &report.trace { println!("{l}"); } }
        if let Some(story) = report.story {
            bad += 1;
            if bad <= 3 { println!("{story}"); } else { println!("seed {seed} {:?}", report.violations[0]); }
        }
    }
    println!("{} seeds, {calls} calls, {requests} requests, {bad} bad, {:?}", to - from, start.elapsed());
}
