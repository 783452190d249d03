//! Which arrays and objects are open, in a fixed space.

use crate::value::limits::JSON_DEPTH_MAX;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Array,
    Object,
}

/// The open arrays and objects of one message, innermost last: a bit each, set for an object.
#[derive(Default)]
pub(super) struct Nesting {
    kinds: u128,
    depth: usize,
}

impl Nesting {
    /// Opens one more, unless as many are open as one message may have.
    #[inline]
    pub(super) fn open(&mut self, kind: Kind) -> bool {
        if self.depth == JSON_DEPTH_MAX {
            return false;
        }
        self.kinds = self.kinds << 1 | u128::from(kind == Kind::Object);
        self.depth += 1;
        true
    }

    /// Closes the innermost.
    #[inline]
    pub(super) fn close(&mut self) {
        self.kinds >>= 1;
        self.depth = self.depth.saturating_sub(1);
    }

    /// The innermost, if any is open.
    #[inline]
    pub(super) fn innermost(&self) -> Option<Kind> {
        let kind = if self.kinds & 1 == 1 { Kind::Object } else { Kind::Array };
        (self.depth > 0).then_some(kind)
    }
}
