//! Why settings cannot be used, and what to do about it.

use thiserror::Error;
use wadi_store::ConnectError;
#[cfg(feature = "embedded")]
use wadi_store::OpenError;
use wadi_stream::Polling;

/// Settings that cannot be used.
#[derive(Debug, Error)]
pub enum SettingsError {
    /// The bucket would be asked less often the more there is to find.
    #[error(
        "--poll-busy is {:?} and --poll-idle {:?}: the pause after something was found cannot be the longer one; \
         lower --poll-busy (WADI_POLL_BUSY) or raise --poll-idle (WADI_POLL_IDLE)",
        .0.busy, .0.idle
    )]
    PollingUpsideDown(Polling),
    /// The log filter is malformed.
    #[error("--log is no filter: {0}; examples: info, debug, warn,wadi_http=debug")]
    LogFilter(String),
    /// The data directory cannot be used.
    #[cfg(feature = "embedded")]
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The data would be in a directory, and this program takes only buckets.
    #[cfg(not(feature = "embedded"))]
    #[error("WADI_STORE must be s3://bucket or s3://bucket/prefix: there is no directory to keep data in")]
    NoDirectory,
    /// The bucket cannot be reached with these settings.
    #[error(transparent)]
    Connect(#[from] ConnectError),
    /// A thread of the start was stopped.
    #[cfg(feature = "embedded")]
    #[error("the start was interrupted")]
    Interrupted,
}
