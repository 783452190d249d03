//! PUTs of slots that were sent and may land at any later time.

use super::{Object, Record};
use crate::fingerprint::Mixer;

/// PUTs that may be in flight at once: more than any run sends.
const FLIGHTS_MAX: usize = 12;

/// A PUT of a record, on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Put {
    pub(crate) incarnation: u8,
    pub(crate) slot: u8,
    pub(crate) object: Object,
}

impl Put {
    const fn packed(self) -> u32 {
        1 << 31
            | (self.incarnation as u32) << 24
            | (self.slot as u32) << 16
            | (self.object.record.byte() as u32) << 8
            | self.object.prev.byte() as u32
    }

    const fn unpacked(word: u32) -> Self {
        let [top, slot, record, prev] = word.to_be_bytes();
        let object = Object { record: Record::from_byte(record), prev: Record::from_byte(prev) };
        Self { incarnation: top & 0x7f, slot, object }
    }
}

/// All PUTs on their way, in no order: they are kept sorted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Flights([u32; FLIGHTS_MAX]);

impl Flights {
    /// Adds a PUT.
    ///
    /// Panics when there is no room: a run that left out a PUT would not be complete.
    pub(crate) fn launch(&mut self, put: Put) {
        assert!(self.0[FLIGHTS_MAX - 1] == 0, "more PUTs are in flight than there is room for");
        self.0[FLIGHTS_MAX - 1] = put.packed();
        self.sort();
    }

    /// Takes one PUT out.
    pub(crate) fn land(&mut self, put: Put) {
        if let Some(place) = self.0.iter_mut().find(|word| **word == put.packed()) {
            *place = 0;
        }
        self.sort();
    }

    /// The PUTs, each once however many copies of it there are.
    pub(crate) fn distinct(&self) -> impl Iterator<Item = Put> {
        let words = self.0;
        (0..FLIGHTS_MAX)
            .filter(move |index| words[*index] != 0 && (*index == 0 || words[index - 1] != words[*index]))
            .map(move |index| Put::unpacked(words[index]))
    }

    /// Keeps those that can still matter.
    pub(crate) fn retain(&mut self, mut matters: impl FnMut(Put) -> bool) {
        let mut changed = false;
        for word in self.0.iter_mut().filter(|word| **word != 0) {
            if !matters(Put::unpacked(*word)) {
                *word = 0;
                changed = true;
            }
        }
        if changed {
            self.sort();
        }
    }

    #[must_use]
    pub(crate) fn renamed(self, names: &[usize]) -> Self {
        let mut renamed =
            Self(self.0.map(|word| if word == 0 { 0 } else { Put::unpacked(word).renamed(names).packed() }));
        renamed.sort();
        renamed
    }

    fn sort(&mut self) {
        self.0.sort_unstable_by(|a, b| b.cmp(a));
    }

    pub(crate) fn mix(&self, mixer: &mut Mixer) {
        for pair in self.0.chunks_exact(2).take_while(|pair| pair[0] != 0) {
            mixer.put(u64::from(pair[0]) << 32 | u64::from(pair[1]));
        }
        mixer.put(0);
    }
}

impl Put {
    fn renamed(self, names: &[usize]) -> Self {
        let Object { record, prev } = self.object;
        Self { object: Object { record: record.renamed(names), prev: prev.renamed(names) }, ..self }
    }
}
