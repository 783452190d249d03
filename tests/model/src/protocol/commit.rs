//! Committing one record: one conditional PUT, and finding out what became of it.

use super::{Moves, Next, landing::place, scan::fold};
use crate::{
    Action,
    action::{Outcome, record_of},
    setup::SLOTS,
    state::{Object, Phase, Put, Record, View},
};

impl Moves<'_> {
    /// Decides on the view and sends the record.
    pub(crate) fn send(&mut self, process: usize) {
        let Some(put) = self.put_of(process).filter(|put| put.slot <= SLOTS) else { return };
        self.add(Action::Send { process, slot: put.slot, record: put.object.record }, |next| launch(next, put));
    }

    /// The PUT is answered, or given up: then it may still land.
    pub(crate) fn wait(&mut self, process: usize) {
        let Some(put) = self.put_of(process) else { return };
        let stored = self.from.object(put.incarnation, put.slot).is_none();
        let outcome = if stored { self.judge_stored(process) } else { Outcome::Open };
        self.add(Action::Answer { process, slot: put.slot, stored, outcome }, |next| {
            next.state.flights.land(put);
            if stored {
                place(next, put);
            }
            conclude(next, process, outcome, 0);
        });
        self.add(Action::TimeOut { process }, |next| next.process(process).phase = Phase::FindingOut);
    }

    /// GET of the record's slot; or the time is over.
    pub(crate) fn find_out(&mut self, process: usize) {
        let (Some(view), Some(put)) = (self.process(process).view, self.put_of(process)) else { return };
        let object = self.from.object(put.incarnation, put.slot);
        let outcome = self.judge_read_back(process, &view, object);
        let (slot, record) = (put.slot, record_of(object));
        if outcome != Outcome::Open {
            let landed = self.process(process).landed.unwrap_or_default();
            self.add(Action::ReadBack { process, slot, record, outcome }, |next| match (outcome, object) {
                (Outcome::Lost, Some(object)) => lost(next, process, object),
                _ => conclude(next, process, outcome, landed),
            });
        } else if self.process(process).sends < self.setup.sends_max {
            // The same bytes again, at once: a pause here is as good as a longer flight.
            self.add(Action::ReadBack { process, slot, record, outcome }, |next| launch(next, put));
        }
        self.add(Action::GiveUp { process }, |next| next.unknown(process));
    }

    fn put_of(&self, process: usize) -> Option<Put> {
        let here = self.process(process);
        let view = here.view?;
        let object = Object { record: here.record(process), prev: view.fold.last() };
        Some(Put { incarnation: view.incarnation, slot: view.next(), object })
    }

    /// What the success of the PUT means.
    fn judge_stored(&self, process: usize) -> Outcome {
        let validated = self.process(process).view.map_or(u8::MAX, |view| view.validated);
        let believed = self.setup.vouches_for(validated) || !self.setup.rules.puts_within_lease;
        if believed { Outcome::Landed } else { Outcome::Late }
    }

    /// What the slot's content means.
    fn judge_read_back(&self, process: usize, view: &View, object: Option<Object>) -> Outcome {
        let rules = &self.setup.rules;
        let mine = |record: Record| record == self.process(process).record(process) && rules.own_record_recognised;
        let believed = self.believes_get(view.validated);
        match object {
            Some(object) if mine(object.record) => self.judge_stored(process),
            Some(_) if believed || !rules.judged_on_basis => Outcome::Lost,
            None if believed => Outcome::Open,
            _ => Outcome::Unknown,
        }
    }
}

fn launch(next: &mut Next<'_>, put: Put) {
    next.state.flights.launch(put);
    let here = next.process(put.object.record.process());
    here.phase = Phase::Waiting;
    here.sends += 1;
}

fn conclude(next: &mut Next<'_>, process: usize, outcome: Outcome, landed: u8) {
    match outcome {
        Outcome::Landed => next.landed(process, landed),
        Outcome::Late if !next.setup.rules.unknown_left_alone => next.process(process).phase = Phase::Suspecting,
        Outcome::Late | Outcome::Unknown => next.unknown(process),
        _ => next.process(process).phase = Phase::FindingOut,
    }
}

/// Another record has the slot: it is folded, and the task decided afresh.
fn lost(next: &mut Next<'_>, process: usize, object: Object) {
    fold(next, process, object);
    if next.process(process).phase != Phase::Burying {
        next.process(process).phase = Phase::Idle;
    }
    again(next, process);
}

/// The record is void: the task is decided afresh, unless that was tried often enough.
pub(crate) fn again(next: &mut Next<'_>, process: usize) {
    let attempts_max = next.setup.attempts_max;
    let here = next.process(process);
    let phase = here.phase;
    if here.attempt + 1 < attempts_max {
        (here.attempt, here.sends, here.landed) = (here.attempt + 1, 0, None);
    } else {
        here.finish();
        here.phase = phase;
    }
}
