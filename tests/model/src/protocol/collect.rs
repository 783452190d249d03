//! Time, and the collection of what is no longer needed.

use super::Moves;
use crate::{
    Action,
    setup::SLOTS,
    state::{INCARNATIONS, State},
};

impl Moves<'_> {
    /// Whoever collects raises the floor by a compare-and-set and then deletes slots, in any
    /// order and at any later time. It reads the manifest first, but between that and the
    /// compare-and-set nothing can have changed, so both are one step.
    pub(crate) fn of_collector(&mut self) {
        self.raise_floor();
        for incarnation in (0..INCARNATIONS).filter_map(|index| u8::try_from(index).ok()) {
            for slot in 1..=self.collectable(incarnation) {
                if self.from.object(incarnation, slot).is_some() {
                    self.add(Action::Collect { incarnation, slot }, |next| {
                        next.state.log_mut(incarnation).delete(slot);
                    });
                }
            }
        }
    }

    fn raise_floor(&mut self) {
        let manifest = self.from.manifest;
        let Some(floor) = manifest.aged_cover(self.setup.grace()).filter(|_| !manifest.is_tombstone) else { return };
        self.add(Action::RaiseFloor { floor }, |next| {
            next.state.log_mut(manifest.incarnation).floor = floor;
            next.state.manifest.forget_covers(floor);
            next.state.manifest_changed();
        });
    }

    /// The slot up to which an incarnation may be collected.
    fn collectable(&self, incarnation: u8) -> u8 {
        let State { manifest, .. } = self.from;
        let has_ended =
            incarnation < manifest.incarnation || incarnation == manifest.incarnation && manifest.is_tombstone;
        let is_old = manifest.dropped[usize::from(incarnation)] >= self.setup.grace();
        if has_ended && (is_old || !self.setup.rules.dead_kept_for_grace) {
            SLOTS
        } else {
            self.from.log(incarnation).floor
        }
    }

    /// The clock ticks, as long as that makes a difference.
    pub(crate) fn of_clock(&mut self) {
        let (oldest, grace) = (self.setup.oldest(), self.setup.grace());
        let mut later = *self.from;
        later.manifest.age(grace);
        later.processes.iter_mut().for_each(|process| process.age(oldest));
        if later != *self.from {
            self.add(Action::Tick, |next| next.state = later);
        }
    }
}
