//! Why the process cannot start, and what to do about it.

use std::{io, net::SocketAddr};

use thiserror::Error;
use wadi_settings::SettingsError;
use wadi_store::Unfit;

/// A reason not to start.
#[derive(Debug, Error)]
pub(crate) enum StartError {
    /// An address that others reach, without a word on access.
    #[error(
        "{0} can be reached from other machines, and there is no access control yet: whoever reaches it reads, writes \
         and deletes every stream. Listen on a loopback address such as 127.0.0.1:4437, or say --access off \
         (WADI_ACCESS=off) if that is meant"
    )]
    AccessNotStated(SocketAddr),
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {source}; choose another address with --listen, port 0 takes any free port")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system said.
        source: io::Error,
    },
    /// A setting cannot be used.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The store broke a promise, or could not be asked.
    #[error("{0}")]
    Unfit(Unfit),
    /// The bucket does not answer.
    #[error("the bucket does not answer; the log above says why. Nothing was lost: run the command again")]
    StoreUnavailable,
    /// Threads or timers are not to be had.
    #[error("the process cannot start its threads: {0}; raise its limits of threads and open files")]
    Runtime(io::Error),
    /// Signals cannot be waited for.
    #[error("the process cannot wait for signals: {0}")]
    Signals(io::Error),
}
