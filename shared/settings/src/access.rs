//! Access control, of which there is none yet.

use clap::ValueEnum;

/// Access control.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Access {
    /// Whoever reaches the service may do everything.
    Off,
}
