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
        match self {
            Self::Tick => "the clock ticks".to_owned(),
            Self::Land { record, slot } => format!("the PUT of {} lands late, in slot {slot}", words(setup, record)),
            Self::RaiseFloor { floor } => format!("the floor is raised to slot {floor}"),
            Self::Collect { incarnation, slot } => format!("slot {slot} of incarnation {incarnation} is collected"),
            action => {
                let (process, what) = action.by_process(setup);
                format!("{}: {what}", setup.name(process))
            }
        }
    }

    fn by_process(self, setup: &Setup) -> (usize, String) {
        match self {
            Self::Share { process, slot } => (process, format!("goes on from a shared view of slot {slot}")),
            Self::Open { process, found } => (process, format!("GET manifest -> {}", found_words(found))),
            Self::Look { process, found } => (process, format!("GET manifest, to bury -> {}", found_words(found))),
            Self::Revalidate { process, stands } => {
                (process, format!("GET manifest, to revalidate -> the view {}", pick(stands, "stands", "is discarded")))
            }
            Self::Read { process, slot, record, believed } => {
                let doubt = pick(believed, "", " (not believed)");
                (process, format!("GET slot {slot} -> {}{doubt}", content(setup, record)))
            }
            Self::ReadBack { process, slot, record, outcome } => {
                (process, format!("GET slot {slot}, to find out -> {}: {outcome:?}", content(setup, record)))
            }
            Self::Send { process, slot, record } => {
                (process, format!("PUT slot {slot} if absent: {}", words(setup, record)))
            }
            Self::Answer { process, slot, stored, outcome } => {
                let answer = pick(stored, "lands, stored", "is refused, taken");
                (process, format!("the PUT of slot {slot} {answer}: {outcome:?}"))
            }
            Self::TimeOut { process } => (process, "the PUT is not answered in time".to_owned()),
            Self::GiveUp { process } => (process, "gives up, outcome unknown".to_owned()),
            other => other.by_process_on_manifest(),
        }
    }

    fn by_process_on_manifest(self) -> (usize, String) {
        match self {
            Self::PutCheckpoint { process, seq, done } => {
                (process, format!("PUT manifest: checkpoint {seq} -> {}", pick(done, "done", "lost")))
            }
            Self::PutTombstone { process } => (process, "PUT manifest: tombstone -> done".to_owned()),
            Self::PutIncarnation { process, answered } => {
                (process, format!("PUT manifest: new incarnation -> {}", pick(answered, "done", "no answer")))
            }
            Self::FindOutCreate { process } => (process, "GET manifest, to find out -> it is mine".to_owned()),
            Self::Suspect { process, covered } => {
                let slot = pick(covered, "covered, so mine is void", "not covered, so mine is good");
                (process, format!("GET manifest, after the lease -> the slot is {slot}"))
            }
            Self::Void { process, slot } => (process, format!("DELETE slot {slot}")),
            other => (usize::MAX, format!("{other:?}")),
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

fn pick<'a>(condition: bool, yes: &'a str, no: &'a str) -> &'a str {
    if condition { yes } else { no }
}

pub(crate) fn record_of(object: Option<Object>) -> Option<Record> {
    object.map(|object| object.record)
}
