//! The runs: under all rules, and with one of them off each.

use crate::{
    Rules, Setup, Task,
    state::{Mark, Object, Phase, Process, Put, Record, State, View},
};

const APPEND: Task = Task::Append { key: None };
const SEAL: Task = Task::Seal;

fn keyed(key: char) -> Task {
    Task::Append { key: Some(key) }
}

/// Two processes append; one seals.
#[must_use]
pub fn two_writers() -> Setup {
    Setup::new().with("writer A", &[APPEND]).with("writer B", &[APPEND]).with("sealer", &[SEAL]).alike(2).sends(2)
}

/// Two processes append, one seals, one reads.
#[must_use]
pub fn two_writers_and_reader() -> Setup {
    two_writers().with("reader", &[Task::Read])
}

/// Two processes append the same thing for one producer; one seals.
#[must_use]
pub fn one_key_at_two_processes() -> Setup {
    let setup = Setup::new().with("writer A", &[keyed('x')]).with("writer B", &[keyed('x')]);
    setup.with("sealer", &[SEAL]).alike(2).sends(2)
}

/// One process appends while another deletes, creates anew and appends.
#[must_use]
pub fn delete_and_recreate() -> Setup {
    let setup = Setup::new().with("writer", &[APPEND]);
    setup.with("deleter", &[Task::Delete, Task::Create, APPEND]).with("sealer", &[SEAL])
}

/// The same, and one reads.
#[must_use]
pub fn delete_recreate_and_reader() -> Setup {
    delete_and_recreate().with("reader", &[Task::Read])
}

/// Three processes append; one seals.
#[must_use]
pub fn three_writers() -> Setup {
    let setup = Setup::new().with("writer A", &[APPEND]).with("writer B", &[APPEND]).with("writer C", &[APPEND]);
    setup.with("sealer", &[SEAL]).alike(3)
}

/// A process with a view that lasts appends twice, one reads twice, one seals twice.
#[must_use]
pub fn warm_writer_and_reader() -> Setup {
    let setup = Setup::new().with("writer", &[APPEND, APPEND]);
    setup.with("reader", &[Task::Read, Task::Read]).with("sealer", &[SEAL, SEAL])
}

/// Rules that one run goes without.
pub type Change = fn(&mut Rules);

/// One record is in the log, and two PUTs of the same slot are on their way that were given up.
#[must_use]
pub fn two_late_puts() -> Setup {
    let setup = Setup::new().with("writer A", &[APPEND]).with("writer B", &[APPEND]).with("sealer", &[SEAL]);
    setup.with("writer C", &[APPEND]).starting(two_puts_late)
}

fn two_puts_late(setup: &Setup) -> State {
    let mut state = setup.empty();
    let first = Object { record: Record::new(3, 0, 0), prev: Record::ROOT };
    state.log_mut(0).place(1, first);
    state.processes[3].task = 1;
    state.acknowledged = Mark { incarnation: 0, slot: 1 };
    for process in 0..2 {
        let object = Object { record: Record::new(process, 0, 0), prev: Record::ROOT };
        state.flights.launch(Put { incarnation: 0, slot: 1, object });
        let waiting = Process { phase: Phase::FindingOut, sends: 1, view: Some(View::default()), ..Process::default() };
        state.processes[process] = waiting;
    }
    state
}
