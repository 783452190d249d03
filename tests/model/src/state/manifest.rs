//! The manifest of the one name.

use crate::fingerprint::{Mixer, Packer};

/// Checkpoints of which the date of publication is kept.
pub(crate) const COVERS_MAX: usize = 2;

/// Lives that the name may have.
pub(crate) const INCARNATIONS: usize = 2;

/// A checkpoint that was published, and how long ago.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Cover {
    /// 0 for none.
    pub(crate) seq: u8,
    pub(crate) age: u8,
}

/// What the manifest says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Manifest {
    /// The incarnation that lives, or the last one.
    pub(crate) incarnation: u8,
    pub(crate) is_tombstone: bool,
    /// Which process put that incarnation there.
    pub(crate) creator: u8,
    /// The state of the log up to here is in it.
    pub(crate) checkpoint: u8,
    pub(crate) covers: [Cover; COVERS_MAX],
    /// How long ago each incarnation was dropped.
    pub(crate) dropped: [u8; INCARNATIONS],
}

impl Manifest {
    /// Whether this incarnation is the one that lives.
    pub(crate) fn lives(&self, incarnation: u8) -> bool {
        self.incarnation == incarnation && !self.is_tombstone
    }

    /// Takes note of a checkpoint just published, or dated to `age` ticks ago.
    pub(crate) fn publish(&mut self, seq: u8, age: u8) {
        self.checkpoint = seq;
        if let Some(place) = self.covers.iter_mut().find(|cover| cover.seq == 0) {
            *place = Cover { seq, age };
        }
    }

    /// The highest checkpoint that has been out for a grace period.
    pub(crate) fn aged_cover(&self, grace: u8) -> Option<u8> {
        self.covers.iter().filter(|cover| cover.seq > 0 && cover.age >= grace).map(|cover| cover.seq).max()
    }

    /// Forgets the checkpoints up to the floor.
    pub(crate) fn forget_covers(&mut self, floor: u8) {
        for cover in &mut self.covers {
            if cover.seq <= floor {
                *cover = Cover::default();
            }
        }
        self.covers.sort_unstable_by(|a, b| b.cmp(a));
    }

    /// One tick passes.
    pub(crate) fn age(&mut self, grace: u8) {
        for cover in self.covers.iter_mut().filter(|cover| cover.seq > 0) {
            cover.age = (cover.age + 1).min(grace);
        }
        for incarnation in 0..INCARNATIONS {
            let ended = usize::from(self.incarnation) > incarnation
                || usize::from(self.incarnation) == incarnation && self.is_tombstone;
            if ended {
                self.dropped[incarnation] = (self.dropped[incarnation] + 1).min(grace);
            }
        }
    }

    pub(crate) fn mix(&self, mixer: &mut Mixer) {
        let packer = Packer::default()
            .put(self.incarnation, 1)
            .put(self.is_tombstone, 1)
            .put(self.creator, 3)
            .put(self.checkpoint, 4);
        let packer = self.covers.iter().fold(packer, |packer, cover| packer.put(cover.seq, 4).put(cover.age, 4));
        mixer.put(self.dropped.iter().fold(packer, |packer, age| packer.put(*age, 4)).word());
    }
}
