//! Records, and sequences of them.

/// Slots that a sequence has room for.
pub(crate) const SLOTS_MAX: u8 = 8;

/// The id of a record: which attempt at which task of which process it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Record(u8);

impl Record {
    /// What the first record of a log names as its predecessor.
    pub(crate) const ROOT: Self = Self(0);

    pub(crate) fn new(process: usize, task: u8, attempt: u8) -> Self {
        debug_assert!(process < 8 && task < 4 && attempt < 4);
        Self(0x80 | Self::bits_of(process) | task << 2 | attempt)
    }

    #[expect(clippy::cast_possible_truncation, reason = "there are at most 8 processes")]
    const fn bits_of(process: usize) -> u8 {
        (process as u8) << 4
    }

    pub(crate) const fn is_root(self) -> bool {
        self.0 == 0
    }

    /// Whose it is.
    pub(crate) const fn process(self) -> usize {
        ((self.0 >> 4) & 7) as usize
    }

    /// Which task of its process it is for.
    pub(crate) const fn task(self) -> u8 {
        (self.0 >> 2) & 3
    }

    /// How often its process had decided that task before.
    pub(crate) const fn attempt(self) -> u8 {
        self.0 & 3
    }

    pub(crate) const fn byte(self) -> u8 {
        self.0
    }

    pub(crate) const fn from_byte(byte: u8) -> Self {
        Self(byte)
    }

    /// The same record after its process was renamed.
    pub(crate) fn renamed(self, names: &[usize]) -> Self {
        match names.get(self.process()) {
            Some(name) if !self.is_root() => Self(self.0 & 0x8f | Self::bits_of(*name)),
            _ => self,
        }
    }
}

/// A record for each slot, or none: one byte a slot, from slot 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Records(u64);

impl Records {
    /// The last slot that is filled.
    pub(crate) const fn len(self) -> u8 {
        #[expect(clippy::cast_possible_truncation, reason = "at most 8")]
        let zero_bytes = (self.0.leading_zeros() / 8) as u8;
        SLOTS_MAX - zero_bytes
    }

    /// The record of a slot; the root where there is none.
    pub(crate) const fn get(self, slot: u8) -> Record {
        if slot == 0 || slot > SLOTS_MAX { Record::ROOT } else { Record((self.0 >> ((slot - 1) * 8) & 0xff) as u8) }
    }

    pub(crate) const fn last(self) -> Record {
        self.get(self.len())
    }

    #[must_use]
    pub(crate) const fn with(self, slot: u8, record: Record) -> Self {
        let shift = (slot - 1) * 8;
        Self(self.0 & !(0xff << shift) | (record.0 as u64) << shift)
    }

    #[must_use]
    pub(crate) const fn pushed(self, record: Record) -> Self {
        self.with(self.len() + 1, record)
    }

    /// The first `len` records.
    #[must_use]
    pub(crate) const fn prefix(self, len: u8) -> Self {
        if len >= SLOTS_MAX { self } else { Self(self.0 & ((1 << (len * 8)) - 1)) }
    }

    pub(crate) fn starts_with(self, other: Self) -> bool {
        self.prefix(other.len()) == other
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = (u8, Record)> {
        (1..=self.len()).map(move |slot| (slot, self.get(slot))).filter(|(_, record)| !record.is_root())
    }

    pub(crate) fn renamed(self, names: &[usize]) -> Self {
        self.iter().fold(self, |records, (slot, record)| records.with(slot, record.renamed(names)))
    }

    pub(crate) const fn word(self) -> u64 {
        self.0
    }
}
