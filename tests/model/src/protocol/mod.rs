//! The protocol, step by step.

mod collect;
mod commit;
mod create;
mod end;
mod idle;
mod landing;
mod next;
mod open;
mod scan;
mod seal;
mod void;

use crate::{
    Action, Property, Setup, Task,
    checker::{Model, Step},
    state::{Phase, Process, State},
};

pub(crate) use next::Next;

/// A step of the protocol.
pub(crate) type Move = Step<State, Action, Property>;

impl Model for Setup {
    type State = State;
    type Action = Action;
    type Fault = Property;

    fn initial(&self) -> State {
        Setup::initial(self)
    }

    fn steps(&self, state: &State, steps: &mut Vec<Move>) {
        let mut moves = Moves { setup: self, from: state, steps };
        for process in 0..self.processes() {
            moves.of_process(process);
        }
        moves.of_flights();
        moves.of_collector();
        moves.of_clock();
    }

    fn fingerprint(&self, state: &State) -> u64 {
        state.fingerprint(self.fingerprint_seed())
    }
}

/// The steps that can be taken from one state.
pub(crate) struct Moves<'a> {
    pub(crate) setup: &'a Setup,
    pub(crate) from: &'a State,
    steps: &'a mut Vec<Move>,
}

impl Moves<'_> {
    /// Adds a step.
    pub(crate) fn add(&mut self, action: Action, change: impl FnOnce(&mut Next<'_>)) {
        let mut next = Next::new(self.setup, self.from);
        change(&mut next);
        let (state, fault) = next.settled();
        self.steps.push(Step { action, state, fault });
    }

    pub(crate) fn process(&self, process: usize) -> &Process {
        &self.from.processes[process]
    }

    pub(crate) fn task(&self, process: usize) -> Option<Task> {
        self.setup.task(process, self.process(process).task)
    }

    fn of_process(&mut self, process: usize) {
        match self.process(process).phase {
            Phase::Idle => self.start(process),
            Phase::Scanning => self.scan(process),
            Phase::Waiting => self.wait(process),
            Phase::FindingOut => self.find_out(process),
            Phase::Burying => self.look_to_bury(process),
            Phase::BuryingInPlace => self.put_tombstone(process),
            Phase::Creating => self.put_incarnation(process),
            Phase::FindingOutCreate => self.find_out_create(process),
            Phase::Sealing => self.seal(process),
            Phase::Suspecting => self.suspect(process),
            Phase::Voiding => self.void(process),
        }
    }
}
