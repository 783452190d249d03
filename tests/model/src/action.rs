//! Steps, and how they read in a counterexample.

use crate::{
    Task,
    setup::Setup,
    state::{Object, Record},
};

/// What a GET of the manifest found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// A living incarnation, with a checkpoint.
    Live {
        /// Its number.
        incarnation: u8,
        /// The slot up to which its log is folded.
        checkpoint: u8,
    },
    /// A tombstone.
    Tombstone,
}

/// One step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each reads as `describe` says")]
pub enum Action {
    Tick,
    Share { process: usize, slot: u8 },
    Open { process: usize, found: Found },
    Revalidate { process: usize, stands: bool },
    Read { process: usize, slot: u8, record: Option<Record>, believed: bool },
    ReadBack { process: usize, slot: u8, record: Option<Record>, outcome: Outcome },
    Send { process: usize, slot: u8, record: Record },
    Answer { process: usize, slot: u8, stored: bool, outcome: Outcome },
    TimeOut { process: usize },
    GiveUp { process: usize },
    Land { record: Record, slot: u8 },
    PutCheckpoint { process: usize, seq: u8, done: bool },
    Look { process: usize, found: Found },
    PutTombstone { process: usize },
    PutIncarnation { process: usize, answered: bool },
    FindOutCreate { process: usize },
    Suspect { process: usize, covered: bool },
    Void { process: usize, slot: u8 },
    RaiseFloor { floor: u8 },
    Collect { incarnation: u8, slot: u8 },
}

/// What a process makes of an answer about its record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is in the log.
    Landed,
    /// Another is in its slot.
    Lost,
    /// It is to be found out.
    Open,
    /// It is in its slot, but too late to be believed: nobody can tell what that means.
    Late,
    /// Nobody can tell.
    Unknown,
}

impl Action {
    /// The step in words.
    #[must_use]
    pub fn describe(self, setup: &Setup) -> String {
        let by = |process, what: &str| format!("{}: {what}", setup.name(process));
        match self {
            Self::Tick => "the clock ticks".to_owned(),
            Self::Share { process, slot } => by(process, &format!("goes on from a shared view of slot {slot}")),
            Self::Open { process, found } => by(process, &format!("GET manifest -> {}", found_words(found))),
            Self::Revalidate { process, stands: true } => by(process, "GET manifest, to revalidate -> the view stands"),
            Self::Revalidate { process, .. } => by(process, "GET manifest, to revalidate -> the view is discarded"),
            Self::Read { process, slot, record, believed } => {
                let doubt = if believed { "" } else { " (not believed)" };
                by(process, &format!("GET slot {slot} -> {}{doubt}", content(setup, record)))
            }
            Self::ReadBack { process, slot, record, outcome } => {
                by(process, &format!("GET slot {slot}, to find out -> {}: {outcome:?}", content(setup, record)))
            }
            Self::Send { process, slot, record } => {
                by(process, &format!("PUT slot {slot} if absent: {}", words(setup, record)))
            }
            Self::Answer { process, slot, stored: true, outcome } => {
                by(process, &format!("the PUT of slot {slot} lands, stored: {outcome:?}"))
            }
            Self::Answer { process, slot, .. } => by(process, &format!("the PUT of slot {slot} is refused, taken")),
            Self::TimeOut { process } => by(process, "the PUT is not answered in time"),
            Self::GiveUp { process } => by(process, "gives up, outcome unknown"),
            Self::Land { record, slot } => format!("the PUT of {} lands late, in slot {slot}", words(setup, record)),
            Self::PutCheckpoint { process, seq, done } => {
                by(process, &format!("PUT manifest: checkpoint {seq} -> {}", if done { "done" } else { "lost" }))
            }
            Self::Look { process, found } => by(process, &format!("GET manifest, to bury -> {}", found_words(found))),
            Self::PutTombstone { process } => by(process, "PUT manifest: tombstone -> done"),
            Self::PutIncarnation { process, answered } => {
                let answer = if answered { "done" } else { "no answer" };
                by(process, &format!("PUT manifest: new incarnation -> {answer}"))
            }
            Self::FindOutCreate { process } => by(process, "GET manifest, to find out -> it is mine"),
            Self::Suspect { process, covered: true } => {
                by(process, "GET manifest, after the lease -> the slot is covered, so mine is void")
            }
            Self::Suspect { process, .. } => {
                by(process, "GET manifest, after the lease -> the slot is not covered, so mine is good")
            }
            Self::Void { process, slot } => by(process, &format!("DELETE slot {slot}")),
            Self::RaiseFloor { floor } => format!("the floor is raised to slot {floor}"),
            Self::Collect { incarnation, slot } => format!("slot {slot} of incarnation {incarnation} is collected"),
        }
    }
}

fn found_words(found: Found) -> String {
    match found {
        Found::Live { incarnation, checkpoint } => format!("incarnation {incarnation}, checkpoint {checkpoint}"),
        Found::Tombstone => "a tombstone".to_owned(),
    }
}

fn content(setup: &Setup, record: Option<Record>) -> String {
    record.map_or_else(|| "missing".to_owned(), |record| words(setup, record))
}

fn words(setup: &Setup, record: Record) -> String {
    let what = match setup.task_of(record) {
        Some(Task::Append { key: Some(key) }) => format!("append {key}"),
        Some(Task::Append { key: None }) => format!("append {}", record.task() + 1),
        _ => "delete".to_owned(),
    };
    let again = if record.attempt() > 0 { format!(", try {}", record.attempt() + 1) } else { String::new() };
    format!("[{what} of {}{again}]", setup.name(record.process()))
}

pub(crate) fn record_of(object: Option<Object>) -> Option<Record> {
    object.map(|object| object.record)
}
