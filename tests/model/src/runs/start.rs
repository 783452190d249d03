//! A start in the middle of things.

use crate::{
    Setup, Task,
    state::{Mark, Object, Phase, Process, Put, Record, State, View},
};

use super::APPEND;

/// One record is in the log, and two PUTs of the same slot are under way that were given up.
pub(super) fn two_late_puts(seals: &[Task]) -> Setup {
    let setup = Setup::new().with("writer A", &[APPEND]).with("writer B", &[APPEND]).with("writer C", &[APPEND]);
    setup.with("sealer", seals).starting(state)
}

fn state() -> State {
    let mut state = State::empty();
    let in_slot_1 = |process: usize| Object { record: Record::new(process, 0, 0), prev: Record::ROOT };
    for process in [0, 1] {
        state.flights.launch(Put { incarnation: 0, slot: 1, object: in_slot_1(process) });
        state.processes[process] =
            Process { phase: Phase::FindingOut, sends: 1, view: Some(View::default()), ..Process::default() };
    }
    state.log_mut(0).place(1, in_slot_1(2));
    state.processes[2].task = 1;
    state.acknowledged = Mark { incarnation: 0, slot: 1 };
    state
}
