//! Reading slots: the probe of a process that has a view, and the scan to the tail.

use super::{Moves, Next, idle::reading_phase};
use crate::{
    Action, Task,
    action::record_of,
    setup::SLOTS,
    state::{Ahead, Mark, Object, Phase},
};

impl Moves<'_> {
    /// GET of the slot after the view. The answer is judged by its own date.
    pub(crate) fn probe(&mut self, process: usize) {
        let Some(view) = self.process(process).view else { return };
        let (slot, believed) = (view.next(), self.believes_get(view.validated));
        let object = self.from.object(view.incarnation, slot);
        let action = Action::Read { process, slot, record: record_of(object), believed };
        self.add(action, |next| {
            next.begin(process);
            match object {
                _ if !believed => next.discard(process),
                Some(object) => found(next, process, object),
                None => tail(next, process, 0),
            }
        });
    }

    /// Reading on: the next slot, or the one after it first.
    pub(crate) fn scan(&mut self, process: usize) {
        self.probe(process);
        if self.setup.scans_in_parallel && self.process(process).ahead == Ahead::Unread {
            self.read_ahead(process);
        }
    }

    fn read_ahead(&mut self, process: usize) {
        let Some(view) = self.process(process).view.filter(|view| view.next() < SLOTS) else { return };
        let (slot, believed) = (view.next() + 1, self.believes_get(view.validated));
        let object = self.from.object(view.incarnation, slot);
        let action = Action::Read { process, slot, record: record_of(object), believed };
        self.add(action, |next| {
            if believed {
                next.process(process).ahead = object.map_or(Ahead::Missing(0), Ahead::Found);
            } else {
                next.discard(process);
            }
        });
    }

    pub(crate) fn believes_get(&self, validated: u8) -> bool {
        self.setup.vouches_for(validated) || !self.setup.rules.gets_within_lease
    }
}

/// A record was found in the slot after the view; what was read ahead follows it.
fn found(next: &mut Next<'_>, process: usize, object: Object) {
    let ahead = std::mem::take(&mut next.process(process).ahead);
    fold(next, process, object);
    let reads_on = reading_phase(next.task(process));
    match ahead {
        _ if next.process(process).phase != reads_on => {}
        Ahead::Unread => {}
        Ahead::Missing(age) => tail(next, process, age),
        Ahead::Found(object) => fold(next, process, object),
    }
}

/// Folds a record. One that does not follow is never skipped: the stream is opened anew.
pub(crate) fn fold(next: &mut Next<'_>, process: usize, object: Object) {
    let mut view = next.view(process);
    if object.prev != view.fold.last() {
        return next.discard(process);
    }
    view.fold = view.fold.pushed(object.record);
    if !next.setup.rules.found_does_not_renew {
        view.validated = 0;
    }
    let ends = next.setup.is_delete(object.record);
    let phase = if ends { Phase::Burying } else { reading_phase(next.task(process)) };
    next.process(process).view = Some(view);
    next.process(process).phase = phase;
}

/// The slot after the view was empty `age` ticks ago: this is the tail.
fn tail(next: &mut Next<'_>, process: usize, age: u8) {
    let mut view = next.view(process);
    view.validated = view.validated.min(age);
    let task = next.state.processes[process].task;
    let repeated = next.setup.repeated(view.fold, process, task);
    let here = next.process(process);
    here.view = Some(view);
    here.ahead = Ahead::Unread;
    here.phase = Phase::Idle;
    match (next.task(process), repeated) {
        (Some(Task::Read), _) => next.answer_read(process),
        (Some(Task::Create), _) => next.process(process).finish(),
        (_, Some(slot)) => next.acknowledge(process, Mark { incarnation: view.incarnation, slot }),
        _ => {}
    }
}
