//! The log of one incarnation: what was really written, and what the bucket holds of it.

use super::{Record, Records};
use crate::fingerprint::Mixer;

/// What a slot holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Object {
    pub(crate) record: Record,
    /// The record that it names as its predecessor.
    pub(crate) prev: Record,
}

/// One incarnation's slots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Log {
    /// The records in the order in which they first filled the slots. No process sees this: it is
    /// what all of them must agree on.
    pub(crate) ghost: Records,
    /// Slots whose record was collected, one bit each.
    gone: u8,
    /// What was written into slots after that.
    strays: Records,
    stray_prevs: Records,
    /// Slots up to here may be collected.
    pub(crate) floor: u8,
}

/// What a PUT that the store accepted did to the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Placed {
    /// It is the next record.
    Next,
    /// It filled a slot whose record was collected.
    Stray,
    /// It left a hole below it.
    Beyond,
}

impl Log {
    pub(crate) fn object(&self, slot: u8) -> Option<Object> {
        let (record, prev) = if self.is_gone(slot) {
            (self.strays.get(slot), self.stray_prevs.get(slot))
        } else {
            (self.ghost.get(slot), self.ghost.get(slot - 1))
        };
        (!record.is_root()).then_some(Object { record, prev })
    }

    /// Fills an empty slot.
    pub(crate) fn place(&mut self, slot: u8, object: Object) -> Placed {
        let next = self.ghost.len() + 1;
        match slot.cmp(&next) {
            std::cmp::Ordering::Equal => {
                self.ghost = self.ghost.pushed(object.record);
                Placed::Next
            }
            std::cmp::Ordering::Less => {
                self.strays = self.strays.with(slot, object.record);
                self.stray_prevs = self.stray_prevs.with(slot, object.prev);
                Placed::Stray
            }
            std::cmp::Ordering::Greater => Placed::Beyond,
        }
    }

    /// Deletes what a slot holds.
    pub(crate) fn delete(&mut self, slot: u8) {
        if slot <= self.ghost.len() {
            self.gone |= 1 << (slot - 1);
        }
        self.strays = self.strays.with(slot, Record::ROOT);
        self.stray_prevs = self.stray_prevs.with(slot, Record::ROOT);
    }

    /// What was written into slots whose record had been collected.
    pub(crate) const fn strays(&self) -> Records {
        self.strays
    }

    fn is_gone(&self, slot: u8) -> bool {
        slot <= self.ghost.len() && self.gone & 1 << (slot - 1) != 0
    }

    #[must_use]
    pub(crate) fn renamed(self, names: &[usize]) -> Self {
        Self {
            ghost: self.ghost.renamed(names),
            strays: self.strays.renamed(names),
            stray_prevs: self.stray_prevs.renamed(names),
            ..self
        }
    }

    pub(crate) fn mix(&self, mixer: &mut Mixer) {
        mixer.put(self.ghost.word());
        mixer.put(u64::from(self.gone) << 8 | u64::from(self.floor));
        if self.gone != 0 {
            mixer.put(self.strays.word());
            mixer.put(self.stray_prevs.word());
        }
    }
}
