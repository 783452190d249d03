//! The state of the whole: bucket, requests on their way, processes, and what was promised.

mod flight;
mod log;
mod manifest;
mod process;
mod record;
mod symmetry;

pub(crate) use flight::{Flights, Put};
pub(crate) use log::{Log, Object, Placed};
pub(crate) use manifest::{INCARNATIONS, Manifest};
pub(crate) use process::{Ahead, Mark, Phase, Process, View};
pub use record::Record;
pub(crate) use record::Records;

use crate::fingerprint::Mixer;

/// Processes that a setup has room for.
pub(crate) const PROCESSES_MAX: usize = 5;

/// One state of the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct State {
    pub(crate) manifest: Manifest,
    pub(crate) logs: [Log; INCARNATIONS],
    pub(crate) flights: Flights,
    pub(crate) processes: [Process; PROCESSES_MAX],
    /// The last place in history that was acknowledged to anybody.
    pub(crate) acknowledged: Mark,
}

/// No process has this number.
const NOBODY: u8 = 7;

impl State {
    /// An incarnation with an empty log, and processes that know nothing.
    pub(crate) fn empty() -> Self {
        Self { manifest: Manifest { creator: NOBODY, ..Manifest::default() }, ..Self::default() }
    }

    pub(crate) fn log(&self, incarnation: u8) -> &Log {
        &self.logs[usize::from(incarnation)]
    }

    pub(crate) fn log_mut(&mut self, incarnation: u8) -> &mut Log {
        &mut self.logs[usize::from(incarnation)]
    }

    /// What a GET of a slot finds.
    pub(crate) fn object(&self, incarnation: u8, slot: u8) -> Option<Object> {
        self.log(incarnation).object(slot)
    }

    /// The manifest was replaced.
    pub(crate) fn manifest_changed(&mut self) {
        self.processes.iter_mut().for_each(Process::manifest_changed);
    }

    pub(crate) fn fingerprint(&self, seed: u64) -> u64 {
        let mut mixer = Mixer::new(seed);
        self.manifest.mix(&mut mixer);
        self.logs.iter().for_each(|log| log.mix(&mut mixer));
        self.flights.mix(&mut mixer);
        self.processes.iter().for_each(|process| process.mix(&mut mixer));
        mixer.put(u64::from(self.acknowledged.incarnation) << 8 | u64::from(self.acknowledged.slot));
        mixer.finish()
    }
}
