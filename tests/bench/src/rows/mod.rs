//! The workloads, a module each. Every one adds its rows to the report.

mod append;
mod batches;
mod catch_up;
mod fan_out;
mod fill;
mod opening;
mod producers;
mod sealing;
mod subscriber;

use std::time::Duration;

use clap::ValueEnum;

use crate::{
    arena::{Arena, StoreKind},
    failure::Failure,
    http::Mount,
    load::{Contender, Side, compare},
    report::{Other, Report, Row, Unit},
};

/// A workload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Workload {
    /// Streams that are appended to, one append in flight each.
    Append,
    /// Producers with numbered appends to one stream.
    Producers,
    /// JSON arrays.
    Batches,
    /// Reading sealed streams whole.
    CatchUp,
    /// Subscribers of one stream.
    FanOut,
    /// New processes that open a long stream, and read what is in no chunk.
    Opening,
    /// Merging small records.
    Sealing,
}

impl Workload {
    /// Measures it.
    pub(crate) async fn run(self, store: StoreKind, arena: &mut Arena, report: &mut Report) -> Result<(), Failure> {
        match self {
            Self::Append => append::run(store, arena, report).await,
            Self::Producers => producers::run(store, arena, report).await,
            Self::Batches => batches::run(store, arena, report).await,
            Self::CatchUp => catch_up::run(store, arena, report).await,
            Self::FanOut => fan_out::run(store, arena, report).await,
            Self::Opening => opening::run(store, arena, report).await,
            Self::Sealing => sealing::run(store, arena, report).await,
        }
    }
}

/// The type of streams of bytes.
const BYTES: &str = "application/octet-stream";
/// The type of streams of messages.
const JSON: &str = "application/json";

/// What is measured in turn.
struct Sides {
    wadi: Box<dyn Contender>,
    floor: Box<dyn Contender>,
    /// What else, by name. One that cannot be measured ends nothing: its cell says why.
    others: Vec<(String, Side)>,
    /// The length of a trial.
    span: Duration,
}

/// The same load on every peer.
async fn on_peers(
    arena: &Arena,
    open: impl AsyncFn(&Mount) -> Result<Box<dyn Contender>, Failure>,
) -> Vec<(String, Side)> {
    let mut sides = Vec::new();
    for peer in &arena.peers {
        sides.push((peer.name.clone(), open(&peer.mount).await));
    }
    sides
}

/// The row of what is measured beside each other.
async fn compared(store: StoreKind, arena: &Arena, name: String, unit: Unit, sides: Sides) -> Result<Row, Failure> {
    let (names, others): (Vec<String>, Vec<Side>) = sides.others.into_iter().unzip();
    let all = [Ok(sides.wadi), Ok(sides.floor)].into_iter().chain(others).collect();
    let mut ended = compare(arena.scale.rounds, sides.span, all).await.into_iter();
    let mut own = || ended.next().unwrap_or(Err(Failure::Late("a trial")));
    let (wadi, floor) = (own()?, own()?);
    let others = names.into_iter().zip(ended).map(|(name, ended)| Other::new(name, ended)).collect();
    let memory_peak_mib = arena.memory_peak_mib();
    Ok(Row { name, store, unit, wadi, floor, others, memory_before_mib: None, memory_peak_mib, note: None })
}

/// That the bytes of all acknowledged appends are there, and none twice. One that was not acknowledged may
/// have applied all the same.
fn counted(row: &str, acknowledged_bytes: u64, refused_bytes: u64, tail: &str) -> Result<(), Failure> {
    let found = tail.parse().unwrap_or_default();
    if (acknowledged_bytes..=acknowledged_bytes + refused_bytes).contains(&found) {
        return Ok(());
    }
    Err(Failure::Counts { row: row.to_owned(), expected: acknowledged_bytes, found })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_or_doubled_is_noticed() {
        assert!(counted("row", 10, 0, "00000000000000000010").is_ok());
        assert!(counted("row", 10, 2, "12").is_ok());
        for tail in ["9", "13", ""] {
            assert!(counted("row", 10, 2, tail).is_err(), "{tail}");
        }
    }
}
