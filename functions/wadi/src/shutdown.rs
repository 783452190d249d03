//! When to end: SIGTERM or SIGINT.

use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::error::StartError;

/// The signals that end the process.
pub(crate) struct Signals {
    terminate: Signal,
    interrupt: Signal,
}

impl Signals {
    /// From now on they do not kill the process.
    pub(crate) fn new() -> Result<Self, StartError> {
        let listen = |kind| signal(kind).map_err(StartError::Signals);
        Ok(Self { terminate: listen(SignalKind::terminate())?, interrupt: listen(SignalKind::interrupt())? })
    }

    /// Waits for the next one.
    pub(crate) async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}
