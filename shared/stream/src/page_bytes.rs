//! The bytes of a page, as they lie in the objects that hold it.

use std::ops::Range;

use bytes::{Buf, Bytes};
use wadi_protocol::last_boundary;

/// Bytes in pieces, in order. A page is sent as it was fetched: nothing copies its pieces together but who
/// needs them in one.
#[derive(Clone, Debug, Default)]
pub struct PageBytes {
    pieces: Vec<Bytes>,
    len: usize,
}

impl PageBytes {
    /// How many bytes they are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// True when there is no byte.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The first byte.
    pub(crate) fn first(&self) -> Option<u8> {
        self.pieces.first().map(|piece| piece[0])
    }

    /// The bytes of a range, cut where it ends or they do.
    #[must_use]
    pub(crate) fn slice(&self, range: Range<usize>) -> Self {
        let mut from = 0;
        let part = |piece: &Bytes| {
            let start = range.start.saturating_sub(from).min(piece.len());
            let end = range.end.saturating_sub(from).clamp(start, piece.len());
            from += piece.len();
            piece.slice(start..end)
        };
        self.pieces.iter().map(part).collect()
    }

    /// How many of the bytes are whole messages: those up to the last LF, with it.
    pub(crate) fn last_boundary(&self) -> usize {
        let mut from = self.len;
        for piece in self.pieces.iter().rev() {
            from -= piece.len();
            let within = last_boundary(piece);
            if within > 0 {
                return from + within;
            }
        }
        0
    }

    /// The bytes in one. Copies them when they are in several pieces.
    pub fn joined(self) -> Bytes {
        let mut pieces = self.pieces;
        match pieces.len() {
            0 => Bytes::new(),
            1 => pieces.remove(0),
            _ => pieces.concat().into(),
        }
    }

    /// The bytes as they are; none of the pieces is empty.
    pub fn into_pieces(self) -> Vec<Bytes> {
        self.pieces
    }
}

impl FromIterator<Bytes> for PageBytes {
    fn from_iter<I: IntoIterator<Item = Bytes>>(pieces: I) -> Self {
        let pieces: Vec<Bytes> = pieces.into_iter().filter(Bytes::has_remaining).collect();
        let len = pieces.iter().map(Bytes::len).sum();
        Self { pieces, len }
    }
}

impl From<Bytes> for PageBytes {
    fn from(bytes: Bytes) -> Self {
        Self::from_iter([bytes])
    }
}

/// Equal when the bytes are, in whatever pieces.
impl PartialEq for PageBytes {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && self.pieces.iter().flatten().eq(other.pieces.iter().flatten())
    }
}

impl Eq for PageBytes {}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(pieces: &[&'static str]) -> PageBytes {
        pieces.iter().map(|piece| Bytes::from_static(piece.as_bytes())).collect()
    }

    #[test]
    fn pieces_are_bytes_in_order() {
        for (pieces, joined) in [(&[][..], ""), (&["", ""], ""), (&["abc"], "abc"), (&["a", "", "bc"], "abc")] {
            let page = page(pieces);
            assert_eq!((page.len(), page.is_empty()), (joined.len(), joined.is_empty()), "{pieces:?}");
            assert_eq!(page.first(), joined.bytes().next(), "{pieces:?}");
            assert!(page.clone().into_pieces().iter().all(|piece| !piece.is_empty()), "{pieces:?}");
            assert_eq!(page.joined(), joined, "{pieces:?}");
        }
    }

    #[test]
    fn a_part_is_cut_across_pieces() {
        let page = page(&["ab", "c", "def"]);
        for start in 0..=6 {
            for end in start..=7 {
                assert_eq!(page.slice(start..end).joined(), &"abcdef"[start..end.min(6)], "{start}..{end}");
            }
        }
    }

    #[test]
    fn the_last_message_may_end_in_any_piece() {
        for (pieces, expected) in
            [(&[][..], 0), (&["1", "2"], 0), (&["1\n", "2"], 2), (&["1\n", "2\n3"], 4), (&["1", "\n", "2", "3"], 2)]
        {
            assert_eq!(page(pieces).last_boundary(), expected, "{pieces:?}");
        }
    }

    #[test]
    fn what_is_equal_depends_on_the_bytes_alone() {
        assert_eq!(page(&["a", "bc"]), page(&["ab", "c"]));
        assert_ne!(page(&["a", "bc"]), page(&["ab", "d"]));
        assert_ne!(page(&["a", "bc"]), page(&["ab"]));
    }

    #[test]
    fn one_piece_is_not_copied() {
        let bytes = Bytes::from(vec![7; 10]);
        assert_eq!(PageBytes::from(bytes.clone()).joined().as_ptr(), bytes.as_ptr());
    }
}
