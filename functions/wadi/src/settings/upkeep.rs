//! How a process keeps its bucket fast to read and free of garbage.

use std::time::Duration;

use clap::Args;
use wadi_stream::Sealing;

use super::{duration::within, switch::Switch};
use crate::limits::{SWEEP_EVERY_MAX, SWEEP_EVERY_MIN};

/// The settings of upkeep.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Upkeep")]
pub(crate) struct UpkeepArgs {
    /// Whether this process merges the small records of the streams that it writes into few objects.
    #[arg(long, env = "WADI_SEALING", default_value = "on")]
    sealing: Switch,
    /// How often this process looks for what nothing needs any more.
    #[arg(long, env = "WADI_SWEEP_EVERY", value_name = "DURATION", default_value = "6h")]
    #[arg(value_parser = within(SWEEP_EVERY_MIN..=SWEEP_EVERY_MAX))]
    pub(crate) sweep_every: Duration,
}

impl UpkeepArgs {
    /// Who seals what this process writes.
    pub(crate) fn sealing(&self) -> Sealing {
        if self.sealing.is_on() { Sealing::Background } else { Sealing::Elsewhere }
    }
}
