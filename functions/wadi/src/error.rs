//! Why the process cannot start, and what to do about it.

use std::{io, net::SocketAddr};

use thiserror::Error;
use wadi_store::{ConnectError, OpenError, Unfit};
use wadi_stream::Polling;

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
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The bucket cannot be reached with these settings.
    #[error(transparent)]
    Connect(#[from] ConnectError),
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
    /// A thread of the start was stopped.
    #[error("the start was interrupted")]
    Interrupted,
}
