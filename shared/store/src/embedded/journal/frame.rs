//! The frame of an entry: what shows that it is whole, where it stands, and that this store wrote it.

use std::ops::Range;

use crate::limits::EMBEDDED_PAGE_BYTES;

const MAGIC: [u8; 8] = *b"wadi-jrn";
/// Check, magic, sequence, bytes of the payload.
const CHECK: Range<usize> = 0..32;
const HEADER_MAGIC: Range<usize> = 32..40;
const HEADER_SEQUENCE: Range<usize> = 40..48;
const HEADER_LENGTH: Range<usize> = 48..56;

/// Bytes in front of a payload.
pub(super) const HEADER_BYTES: usize = 56;

/// The secret of one store under which its entries are checked. Without one a client could send a body that
/// looks like an entry, and a start after a crash could not tell the two apart.
#[derive(Clone)]
pub(in crate::embedded) struct FrameKey(pub(in crate::embedded) [u8; 32]);

/// An entry that was found whole.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Frame {
    pub(super) sequence: u64,
    /// Where its payload is in the file.
    pub(super) payload: Range<usize>,
}

impl Frame {
    /// Where the next entry begins.
    pub(super) fn end(&self) -> usize {
        self.payload.end.next_multiple_of(EMBEDDED_PAGE_BYTES)
    }
}

impl FrameKey {
    /// Completes an entry: fills the first [`HEADER_BYTES`] of `entry`, which are in front of its payload, and
    /// pads it to whole pages.
    pub(super) fn seal(&self, sequence: u64, entry: &mut Vec<u8>) {
        let length = (entry.len() - HEADER_BYTES) as u64;
        entry[HEADER_MAGIC].copy_from_slice(&MAGIC);
        entry[HEADER_SEQUENCE].copy_from_slice(&sequence.to_le_bytes());
        entry[HEADER_LENGTH].copy_from_slice(&length.to_le_bytes());
        let check = self.check(&entry[CHECK.end..]);
        entry[CHECK].copy_from_slice(check.as_bytes());
        entry.resize(entry.len().next_multiple_of(EMBEDDED_PAGE_BYTES), 0);
    }

    /// The entry that begins at `start` of a file, if it is whole.
    pub(super) fn open(&self, file: &[u8], start: usize) -> Option<Frame> {
        let frame = Self::claimed(file, start)?;
        let checked = file.get(start + CHECK.end..frame.payload.end)?;
        let check: [u8; 32] = file.get(start..start + CHECK.end)?.try_into().ok()?;
        (self.check(checked) == blake3::Hash::from_bytes(check)).then_some(frame)
    }

    /// The first whole entry in the pages from `start` on with a sequence above `sequence`.
    pub(super) fn find_above(&self, file: &[u8], start: usize, sequence: u64) -> Option<Frame> {
        (start..file.len()).step_by(EMBEDDED_PAGE_BYTES).find_map(|page| {
            let claimed = Self::claimed(file, page)?;
            if claimed.sequence > sequence { self.open(file, page) } else { None }
        })
    }

    /// What the header at `start` says, true or not.
    fn claimed(file: &[u8], start: usize) -> Option<Frame> {
        let header = file.get(start..start.checked_add(HEADER_BYTES)?)?;
        if header[HEADER_MAGIC] != MAGIC {
            return None;
        }
        let number = |range: Range<usize>| header[range].try_into().ok().map(u64::from_le_bytes);
        let length = usize::try_from(number(HEADER_LENGTH)?).ok()?;
        let first = start + HEADER_BYTES;
        Some(Frame { sequence: number(HEADER_SEQUENCE)?, payload: first..first.checked_add(length)? })
    }

    fn check(&self, bytes: &[u8]) -> blake3::Hash {
        blake3::keyed_hash(&self.0, bytes)
    }
}

impl std::fmt::Debug for FrameKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("FrameKey")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: FrameKey = FrameKey([7; 32]);

    fn entry(sequence: u64, payload: &[u8]) -> Vec<u8> {
        let mut entry = [&[0; HEADER_BYTES], payload].concat();
        KEY.seal(sequence, &mut entry);
        entry
    }

    #[test]
    fn an_entry_is_read_back_and_fills_whole_pages() {
        let file = [entry(3, &[1; 5000]), entry(4, b"")].concat();
        assert_eq!(file.len(), 3 * EMBEDDED_PAGE_BYTES);
        let first = KEY.open(&file, 0).unwrap();
        assert_eq!((first.sequence, &file[first.payload.clone()]), (3, &[1; 5000][..]));
        assert_eq!(KEY.open(&file, first.end()).unwrap().sequence, 4);
        assert_eq!(KEY.open(&file, file.len()), None);
    }

    #[test]
    fn every_changed_bit_and_every_shorter_length_is_noticed() {
        let whole = entry(9, b"payload");
        let used = HEADER_BYTES + 7;
        for bit in 0..used * 8 {
            let mut changed = whole.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(KEY.open(&changed, 0), None, "bit {bit}");
        }
        for length in 0..used {
            assert_eq!(KEY.open(&whole[..length], 0), None, "{length} bytes");
        }
        assert!(KEY.open(&whole[..used], 0).is_some());
    }

    #[test]
    fn an_entry_of_another_store_is_none() {
        assert_eq!(FrameKey([8; 32]).open(&entry(1, b"x"), 0), None);
    }

    #[test]
    fn a_later_entry_is_found_behind_damage_and_an_older_one_is_not() {
        let mut file = [entry(5, b"a"), entry(6, b"b"), entry(3, b"c")].concat();
        file[HEADER_BYTES] ^= 1;
        assert_eq!(KEY.find_above(&file, 0, 4).unwrap().sequence, 6);
        assert_eq!(KEY.find_above(&file, 0, 6), None);
    }
}
