//! The log, on the standard error output.

use std::io::{IsTerminal, stderr};

use tracing_subscriber::EnvFilter;

use crate::{
    error::StartError,
    settings::{LogArgs, LogFormat},
};

/// Starts logging. Lines for people on a terminal, JSON elsewhere, unless the settings say which.
pub(crate) fn start(args: &LogArgs) -> Result<(), StartError> {
    let filter = EnvFilter::try_new(&args.filter).map_err(|error| StartError::LogFilter(error.to_string()))?;
    let terminal = stderr().is_terminal();
    let chosen = args.format.unwrap_or(if terminal { LogFormat::Human } else { LogFormat::Json });
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(stderr).with_ansi(terminal);
    match chosen {
        LogFormat::Human => log.init(),
        LogFormat::Json => log.json().flatten_event(true).with_span_list(false).init(),
    }
    Ok(())
}
