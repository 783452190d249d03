//! The command line.

use std::path::PathBuf;

use clap::{Parser, ValueEnum};

use crate::{arena::StoreKind, failure::Failure, http::Peer, rows::Workload};

/// Measures Wadi beside the floor of its store, and prints the tables.
///
/// Starts its own servers. For the S3 store it needs the S3 server that `tests/bench/run` starts.
#[derive(Debug, Parser)]
pub(crate) struct Settings {
    /// The stores to measure on [default: all].
    #[arg(long, value_delimiter = ',')]
    pub(crate) store: Vec<StoreKind>,
    /// The workloads to measure [default: all].
    #[arg(long, value_delimiter = ',')]
    pub(crate) only: Vec<Workload>,
    /// A few seconds only: whether everything runs, not how fast.
    #[arg(long)]
    pub(crate) short: bool,
    /// Another server of Durable Streams, measured beside: `NAME=URL`, with the URL below which its streams
    /// are. May be given more than once.
    #[arg(long)]
    pub(crate) against: Vec<String>,
    /// What is measured, by version: the commit of Wadi, and the S3 server below it.
    #[arg(long, env = "WADI_BENCH_VERSIONS", default_value = "of unknown versions")]
    pub(crate) versions: String,
    /// Writes the figures to this file, as JSON.
    #[arg(long)]
    pub(crate) json: Option<PathBuf>,
    /// Where the data of the servers goes while they run [default: the system's temporary folder].
    #[arg(long)]
    pub(crate) folder: Option<PathBuf>,
    /// The file with the prices.
    #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/../../infra/prices.toml"))]
    pub(crate) prices: PathBuf,
}

impl Settings {
    /// The servers that are measured beside.
    pub(crate) fn peers(&self) -> Result<Vec<Peer>, Failure> {
        self.against.iter().map(|text| Peer::parse(text)).collect()
    }

    /// The stores.
    pub(crate) fn stores(&self) -> Vec<StoreKind> {
        if self.store.is_empty() { StoreKind::value_variants().to_vec() } else { self.store.clone() }
    }

    /// The workloads.
    pub(crate) fn workloads(&self) -> Vec<Workload> {
        if self.only.is_empty() { Workload::value_variants().to_vec() } else { self.only.clone() }
    }
}
