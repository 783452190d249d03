//! What a run consists of: who does what, under which rules, within which bounds.

use crate::{
    Rules,
    state::{PROCESSES_MAX, Record, Records, State},
};

/// Slots of a log that a run may use.
pub(crate) const SLOTS: u8 = 4;

/// What a process does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// Appends. With a key, as a producer that must not append the same thing twice.
    Append {
        /// What the producer calls it.
        key: Option<char>,
    },
    /// Reads all of it.
    Read,
    /// Deletes the stream.
    Delete,
    /// Creates the stream, or confirms that it is there.
    Create,
    /// Puts a checkpoint in place.
    Seal,
}

/// A process and what it does, one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Script {
    pub(crate) name: String,
    pub(crate) tasks: Vec<Task>,
}

/// A run: who does what, under which rules, within which bounds.
#[derive(Clone, Debug)]
pub struct Setup {
    pub(crate) rules: Rules,
    lease: u8,
    grace: u8,
    scripts: Vec<Script>,
    /// How often one record is sent at most.
    pub(crate) sends_max: u8,
    /// How often one task is decided at most, before it is given up as lost to others.
    pub(crate) attempts_max: u8,
    /// Scans read the slot after the next one before the next one, too.
    pub(crate) scans_in_parallel: bool,
    /// How many of the first processes are tasks of one process, which share what they know.
    pub(crate) sharing: usize,
    /// How many of the first processes have the same script.
    pub(crate) alike: usize,
    start: fn() -> State,
    seed: u64,
}

impl Setup {
    /// Nobody does anything, under all rules: LEASE 1 tick, GRACE 2 ticks, each record sent once.
    #[must_use]
    pub fn new() -> Self {
        Self {
            rules: Rules::ALL,
            lease: 1,
            grace: 2,
            scripts: Vec::new(),
            sends_max: 1,
            attempts_max: 3,
            scans_in_parallel: false,
            sharing: 0,
            alike: 1,
            start: State::empty,
            seed: 0,
        }
    }

    /// One more process, which does this.
    ///
    /// # Panics
    ///
    /// When there are five, or it does more than four things.
    #[must_use]
    pub fn with(mut self, name: &str, tasks: &[Task]) -> Self {
        assert!(self.scripts.len() < PROCESSES_MAX && tasks.len() <= 4, "no room for {name}");
        self.scripts.push(Script { name: name.to_owned(), tasks: tasks.to_vec() });
        self
    }

    /// The first `count` processes have the same script, so their names do not matter.
    ///
    /// # Panics
    ///
    /// When they have not.
    #[must_use]
    pub fn alike(mut self, count: usize) -> Self {
        assert!(self.scripts[..count].iter().all(|script| script.tasks == self.scripts[0].tasks));
        self.alike = count;
        self
    }

    /// The first `count` processes are tasks of one process: each may go on from what another knows.
    #[must_use]
    pub fn sharing(mut self, count: usize) -> Self {
        self.sharing = count;
        self
    }

    /// Other rules.
    #[must_use]
    pub fn under(mut self, change: impl FnOnce(&mut Rules)) -> Self {
        change(&mut self.rules);
        self
    }

    /// Other periods, in ticks.
    #[must_use]
    pub fn periods(mut self, lease: u8, grace: u8) -> Self {
        (self.lease, self.grace) = (lease, grace);
        self
    }

    /// Each record is sent up to this often.
    #[must_use]
    pub fn sends(mut self, max: u8) -> Self {
        self.sends_max = max;
        self
    }

    /// Scans read slots in parallel.
    #[must_use]
    pub fn scans_in_parallel(mut self) -> Self {
        self.scans_in_parallel = true;
        self
    }

    /// Starts elsewhere than with an empty stream and cold processes.
    #[must_use]
    pub(crate) fn starting(mut self, start: fn() -> State) -> Self {
        self.start = start;
        self
    }

    /// Other fingerprints of the same states.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    pub(crate) fn initial(&self) -> State {
        (self.start)()
    }

    pub(crate) fn fingerprint_seed(&self) -> u64 {
        self.seed
    }

    pub(crate) fn processes(&self) -> usize {
        self.scripts.len()
    }

    pub(crate) fn name(&self, process: usize) -> &str {
        self.scripts.get(process).map_or("nobody", |script| &script.name)
    }

    pub(crate) fn task(&self, process: usize, task: u8) -> Option<Task> {
        self.scripts.get(process)?.tasks.get(usize::from(task)).copied()
    }

    /// The tasks of a process from this one on.
    pub(crate) fn tasks_from(&self, process: usize, task: u8) -> &[Task] {
        self.scripts.get(process).and_then(|script| script.tasks.get(usize::from(task)..)).unwrap_or_default()
    }

    /// Whether the stream may end.
    pub(crate) fn deletes(&self) -> bool {
        self.scripts.iter().any(|script| script.tasks.contains(&Task::Delete))
    }

    /// What a record does to the stream.
    pub(crate) fn task_of(&self, record: Record) -> Option<Task> {
        if record.is_root() { None } else { self.task(record.process(), record.task()) }
    }

    pub(crate) fn is_delete(&self, record: Record) -> bool {
        self.task_of(record) == Some(Task::Delete)
    }

    /// The slot of a record that already is what `task` of `process` would append.
    pub(crate) fn repeated(&self, records: Records, process: usize, task: u8) -> Option<u8> {
        let Some(Task::Append { key: Some(key) }) = self.task(process, task) else { return None };
        let same = Some(Task::Append { key: Some(key) });
        records.iter().find(|(_, record)| self.task_of(*record) == same).map(|(slot, _)| slot)
    }

    pub(crate) fn lease(&self) -> u8 {
        if self.rules.lease_below_grace { self.lease } else { self.lease.max(self.grace) }
    }

    pub(crate) fn grace(&self) -> u8 {
        self.grace
    }

    /// Ages of views from here on are all the same.
    pub(crate) fn oldest(&self) -> u8 {
        let stale = self.lease() + 1;
        if self.rules.grace_from_publication { stale } else { stale.max(self.grace) }
    }

    /// Whether a view validated `age` ticks ago vouches for what is answered now.
    pub(crate) fn vouches_for(&self, age: u8) -> bool {
        age <= self.lease()
    }
}

impl Default for Setup {
    fn default() -> Self {
        Self::new()
    }
}
