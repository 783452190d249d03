//! How a process keeps its bucket fast to read and free of garbage.

use std::time::Duration;

use clap::{Args, ValueEnum};
use wadi_stream::Sealing;

use crate::{
    duration::within,
    limits::{SWEEP_EVERY_MAX, SWEEP_EVERY_MIN},
};

/// The settings of upkeep.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Upkeep")]
pub struct UpkeepArgs {
    /// Whether this process merges the small records of the streams that it writes into few objects, or
    /// leaves marks for what is started by events of the bucket.
    #[arg(long, env = "WADI_SEALING", default_value = "on")]
    sealing: SealingArg,
    /// How often this process looks for what nothing needs any more.
    #[arg(long, env = "WADI_SWEEP_EVERY", value_name = "DURATION", default_value = "6h")]
    #[arg(value_parser = within(SWEEP_EVERY_MIN..=SWEEP_EVERY_MAX))]
    pub sweep_every: Duration,
}

impl UpkeepArgs {
    /// Who seals what this process writes.
    pub fn sealing(&self) -> Sealing {
        match self.sealing {
            SealingArg::On => Sealing::Background,
            SealingArg::Off => Sealing::Elsewhere,
            SealingArg::Events => Sealing::Events,
        }
    }
}

/// Who seals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SealingArg {
    /// This process, in the background.
    On,
    /// Others, who find out by themselves.
    Off,
    /// Others, whom the bucket's events tell.
    Events,
}
