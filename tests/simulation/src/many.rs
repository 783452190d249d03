//! Many seeds, on several threads: one simulation is one thread's.

use std::{
    collections::BTreeMap,
    fmt,
    ops::Range,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use crate::run::{Report, simulate};

/// What came of many seeds.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Seeds that were run.
    pub seeds: u64,
    /// Calls that their clients made.
    pub calls: u64,
    /// The fewest calls of one seed.
    pub calls_min: usize,
    /// Requests that reached their networks.
    pub requests: u64,
    /// What happened how often.
    pub coverage: BTreeMap<String, u64>,
    /// The seeds that broke something, in order.
    pub broken: Vec<Report>,
}

/// Runs these seeds on as many threads. `prepare` is called once in each thread.
pub fn simulate_many(seeds: Range<u64>, threads: usize, prepare: impl Fn() + Sync) -> Summary {
    let next = AtomicU64::new(seeds.start);
    let summary = Mutex::new(Summary { calls_min: usize::MAX, ..Summary::default() });
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                prepare();
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= seeds.end {
                        return;
                    }
                    summary.lock().unwrap_or_else(PoisonError::into_inner).add(simulate(seed, false));
                }
            });
        }
    });
    let mut summary = summary.into_inner().unwrap_or_else(PoisonError::into_inner);
    summary.broken.sort_by_key(|report| report.seed);
    summary
}

/// Reads `FROM..TO`.
pub fn parse_seeds(text: &str) -> Result<Range<u64>, String> {
    let (from, to) = text.split_once("..").ok_or("seeds are given as FROM..TO")?;
    let number = |text: &str| text.trim().parse::<u64>().map_err(|error| format!("{text:?}: {error}"));
    Ok(number(from)?..number(to)?)
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { seeds, calls, calls_min, requests, broken, .. } = self;
        write!(
            f,
            "{seeds} seeds, {calls} calls (at least {calls_min} a seed), {requests} store requests, {} broken",
            broken.len()
        )
    }
}

impl Summary {
    fn add(&mut self, report: Report) {
        self.seeds += 1;
        self.calls += report.calls as u64;
        self.calls_min = self.calls_min.min(report.calls);
        self.requests += report.requests as u64;
        for (what, times) in &report.coverage {
            *self.coverage.entry(what.clone()).or_default() += times;
        }
        if !report.violations.is_empty() {
            self.broken.push(report);
        }
    }
}
