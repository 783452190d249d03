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

use clap::ValueEnum;

use crate::{
    arena::{Arena, StoreKind},
    failure::Failure,
    load::{Contender, compare},
    report::{Report, Row, Unit},
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
    /// New processes that open a long stream, and read what is not sealed.
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

/// The row of contenders that are measured beside each other: Wadi, the floor, and a peer if there is one.
async fn compared(
    store: StoreKind,
    arena: &Arena,
    name: String,
    unit: Unit,
    contenders: Vec<Box<dyn Contender>>,
) -> Result<Row, Failure> {
    let mut figures = compare(&arena.scale, contenders).await?.into_iter();
    Ok(Row {
        name,
        store,
        unit,
        wadi: figures.next().unwrap_or_default(),
        floor: figures.next(),
        peer: figures.next(),
        memory_peak_mib: arena.memory_peak_mib(),
        note: None,
    })
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
