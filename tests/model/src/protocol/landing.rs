//! PUTs that land when nobody waits for them any more.

use super::{Moves, Next};
use crate::{
    Action, Property,
    properties::check_next,
    state::{Phase, Placed, Put},
};

impl Moves<'_> {
    /// A PUT lands whose answer was given up. One that is refused changes nothing, and one that
    /// is still awaited is a step of its process.
    pub(crate) fn of_flights(&mut self) {
        for put in self.from.flights.distinct() {
            let (record, slot) = (put.object.record, put.slot);
            if self.is_awaited(put) || self.from.object(put.incarnation, slot).is_some() {
                continue;
            }
            self.add(Action::Land { record, slot }, |next| {
                next.state.flights.land(put);
                place(next, put);
            });
        }
    }

    fn is_awaited(&self, put: Put) -> bool {
        let process = put.object.record.process();
        let here = self.process(process);
        here.phase == Phase::Waiting && here.record(process) == put.object.record
    }
}

/// The store takes a PUT: its slot was empty.
pub(crate) fn place(next: &mut Next<'_>, put: Put) {
    let Put { incarnation, slot, object } = put;
    let as_next = check_next(next.setup, &next.state, incarnation, object);
    match next.state.log_mut(incarnation).place(slot, object) {
        Placed::Next => next.expect(as_next),
        Placed::Stray => {}
        Placed::Beyond => next.expect(Err(Property::BuiltOnTheLast)),
    }
    let process = object.record.process();
    let here = next.process(process);
    if here.phase == Phase::FindingOut && here.record(process) == object.record {
        here.landed = Some(0);
    }
}
