//! The log, on the standard error output.

use std::{
    io::{IsTerminal, stderr},
    str::FromStr,
};

use clap::{Args, ValueEnum};
use tracing_subscriber::{filter::Targets, layer::SubscriberExt, util::SubscriberInitExt};

use crate::SettingsError;

/// What is logged, to the standard error output.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Log")]
pub struct LogArgs {
    /// A level, or a list of `target=level` with commas; `wadi_http=debug` tells every request.
    #[arg(
        long = "log",
        env = "WADI_LOG",
        default_value = "warn,hyper=error,aws_config=error,wadi=info",
        value_name = "FILTER"
    )]
    pub filter: String,
    /// Lines for people, or JSON [default: for people on a terminal, else JSON].
    #[arg(long = "log-format", env = "WADI_LOG_FORMAT")]
    pub format: Option<LogFormat>,
}

/// The form of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// Lines for people.
    Human,
    /// One JSON object a line.
    Json,
}

/// Starts logging. Lines for people on a terminal, JSON elsewhere, unless the settings say which.
pub fn start_log(args: &LogArgs) -> Result<(), SettingsError> {
    let filter = Targets::from_str(&args.filter).map_err(|error| SettingsError::LogFilter(error.to_string()))?;
    let terminal = stderr().is_terminal();
    let chosen = args.format.unwrap_or(if terminal { LogFormat::Human } else { LogFormat::Json });
    let lines = tracing_subscriber::fmt::layer().with_writer(stderr).with_ansi(terminal);
    let log = tracing_subscriber::registry().with(filter);
    match chosen {
        LogFormat::Human => log.with(lines).init(),
        LogFormat::Json => log.with(lines.json().flatten_event(true).with_span_list(false)).init(),
    }
    Ok(())
}
