//! A state under construction.

use crate::{
    Property, Setup, Task,
    properties::{check_acknowledged, check_read, check_read_of_nothing},
    state::{Mark, Phase, Process, State, View},
};

/// The state that a step leads to, while it is put together.
pub(crate) struct Next<'a> {
    pub(crate) setup: &'a Setup,
    pub(crate) state: State,
    fault: Option<Property>,
}

impl<'a> Next<'a> {
    pub(crate) fn new(setup: &'a Setup, state: &State) -> Self {
        Self { setup, state: *state, fault: None }
    }

    pub(crate) fn process(&mut self, process: usize) -> &mut Process {
        &mut self.state.processes[process]
    }

    pub(crate) fn task(&self, process: usize) -> Option<Task> {
        self.setup.task(process, self.state.processes[process].task)
    }

    /// The view of a process; an empty one if it has none.
    pub(crate) fn view(&self, process: usize) -> View {
        self.state.processes[process].view.unwrap_or_default()
    }

    /// Takes note of the first thing that is broken.
    pub(crate) fn expect(&mut self, held: Result<(), Property>) {
        self.fault = self.fault.or(held.err());
    }

    /// A read begins with its first request.
    pub(crate) fn begin(&mut self, process: usize) {
        if self.task(process) == Some(Task::Read) {
            let acknowledged = self.state.acknowledged;
            self.process(process).must.get_or_insert(acknowledged);
        }
    }

    /// Throws the view away and starts the request over.
    pub(crate) fn discard(&mut self, process: usize) {
        self.process(process).discard();
        self.process(process).phase = Phase::Idle;
    }

    /// The outcome cannot be told: what is known is thrown away, the record left alone.
    pub(crate) fn unknown(&mut self, process: usize) {
        self.process(process).discard();
        self.process(process).finish();
    }

    /// Acknowledges the record of a process, which is in the slot after its view, and folds it.
    /// `age` is how long ago it landed.
    pub(crate) fn landed(&mut self, process: usize, age: u8) {
        let record = self.state.processes[process].record(process);
        let mut view = self.view(process);
        view.fold = view.fold.pushed(record);
        view.validated = view.validated.min(age);
        let mark = Mark { incarnation: view.incarnation, slot: view.fold.len() };
        self.acknowledge(process, mark);
        self.process(process).view = Some(view);
        if self.setup.is_delete(record) {
            self.process(process).phase = Phase::Burying;
        }
    }

    /// Acknowledges that the task of a process is done by what is at `mark`.
    pub(crate) fn acknowledge(&mut self, process: usize, mark: Mark) {
        let task = self.state.processes[process].task;
        let setup = self.setup;
        let is_it = |record: crate::state::Record| {
            let is_mine = (record.process(), record.task()) == (process, task);
            let holds = setup.repeated(crate::state::Records::default().pushed(record), process, task);
            !record.is_root() && (is_mine || holds.is_some())
        };
        self.expect(check_acknowledged(setup, &self.state, mark, is_it));
        self.state.acknowledged = self.state.acknowledged.max(mark);
        self.process(process).finish();
    }

    /// Answers a read with the view that its process has.
    pub(crate) fn answer_read(&mut self, process: usize) {
        let must = self.state.processes[process].must.unwrap_or_default();
        self.expect(check_read(self.setup, &self.state, &self.view(process), must));
        self.process(process).finish();
    }

    /// Answers a read: the last incarnation has ended.
    pub(crate) fn answer_read_of_nothing(&mut self, process: usize) {
        let must = self.state.processes[process].must.unwrap_or_default();
        self.expect(check_read_of_nothing(self.state.manifest.incarnation, must));
        self.process(process).finish();
    }

    /// The state, with what cannot matter any more left out.
    pub(crate) fn settled(mut self) -> (State, Option<Property>) {
        let sharing = (0..self.setup.sharing).any(|index| !self.is_over(index));
        for index in 0..self.setup.processes() {
            let is_over = self.is_over(index) && !(sharing && index < self.setup.sharing);
            self.forget_of_process(index, is_over);
        }
        self.forget_void_flights();
        let state = match self.setup.alike {
            0 | 1 => self.state,
            alike => self.state.with_canonical_names(alike),
        };
        (state, self.fault)
    }

    fn is_over(&self, process: usize) -> bool {
        self.setup.task(process, self.state.processes[process].task).is_none()
    }

    /// A process that is done knows nothing any more, and one that buries hardly anything.
    fn forget_of_process(&mut self, process: usize, is_over: bool) {
        let (oldest, dates) = (self.setup.oldest(), !self.setup.rules.grace_from_publication);
        let process = self.process(process);
        match process.phase {
            Phase::Idle if is_over => *process = Process { task: process.task, ..Process::default() },
            Phase::Burying => process.know_incarnation_only(oldest),
            Phase::BuryingInPlace if !dates => process.know_incarnation_only(oldest),
            _ => {}
        }
    }

    /// A PUT whose slot is filled has no effect, unless that slot can be collected some day.
    fn forget_void_flights(&mut self) {
        let tasks_left = |process: usize| self.setup.tasks_from(process, self.state.processes[process].task);
        let seals = (0..self.setup.processes()).any(|process| tasks_left(process).contains(&Task::Seal));
        if seals || self.setup.deletes() {
            return;
        }
        let State { logs, manifest, .. } = self.state;
        self.state.flights.retain(|put| {
            put.slot <= manifest.checkpoint || logs[usize::from(put.incarnation)].object(put.slot).is_none()
        });
    }
}
