//! Entity tags. They are made from the stream's state, never from the body, so a conditional request is
//! answered without reading any data.
//!
//! Display gives the quoted, strong form of a header; a compressed answer weakens it with `W/`.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Incarnation, Offset, decimal};

/// Where the range of a read ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// Before the tail.
    BelowTail,
    /// At the tail of a stream that may grow.
    OpenTail,
    /// At the tail of a closed stream.
    ClosedTail,
}

/// The tag of a read: `{token}:{start}:{next}`, then `:a` for JSON as an array, then `:t` when the range
/// ends at the tail, then `:c` when that tail is closed. Offsets are plain decimals.
///
/// Appending or closing changes the tag of a range that ended at the tail, and of no other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ReadTag {
    /// The incarnation that was read.
    pub incarnation: Incarnation,
    /// Where the range begins.
    pub start: Offset,
    /// The offset after the range.
    pub next: Offset,
    /// Whether the body is one JSON array instead of lines.
    pub array: bool,
    /// Where the range ends.
    pub end: End,
}

/// The tag of a stream as it ends: `{token}:{end}`, then `:c` when it is closed there.
///
/// HEAD gives that of the tail, an append or close that of its own end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct EndTag {
    /// The incarnation.
    pub incarnation: Incarnation,
    /// The tail.
    pub end: Offset,
    /// Whether nothing can follow.
    pub closed: bool,
}

impl ReadTag {
    /// The tag without its quotes, as `If-None-Match` compares it.
    pub fn opaque(&self) -> String {
        let Self { incarnation, start, next, .. } = self;
        let array = if self.array { ":a" } else { "" };
        let end = match self.end {
            End::BelowTail => "",
            End::OpenTail => ":t",
            End::ClosedTail => ":t:c",
        };
        format!("{incarnation}:{}:{}{array}{end}", start.get(), next.get())
    }

    /// The tag with this opaque text; `None` for a text that [`Self::opaque`] does not write.
    pub fn parse_opaque(text: &str) -> Option<Self> {
        let parts: Vec<&str> = text.split(':').collect();
        let [incarnation, start, next, flags @ ..] = parts.as_slice() else { return None };
        let (array, end) = match flags {
            [] => (false, End::BelowTail),
            ["a"] => (true, End::BelowTail),
            ["t"] => (false, End::OpenTail),
            ["a", "t"] => (true, End::OpenTail),
            ["t", "c"] => (false, End::ClosedTail),
            ["a", "t", "c"] => (true, End::ClosedTail),
            _ => return None,
        };
        let incarnation = Incarnation::parse(incarnation).ok()?;
        Some(Self { incarnation, start: plain_offset(start)?, next: plain_offset(next)?, array, end })
    }

    /// The tag of the stream as this read saw it end; `None` when it did not reach the tail.
    pub fn end_tag(&self) -> Option<EndTag> {
        let closed = match self.end {
            End::BelowTail => return None,
            End::OpenTail => false,
            End::ClosedTail => true,
        };
        Some(EndTag { incarnation: self.incarnation, end: self.next, closed })
    }
}

impl EndTag {
    /// The tag without its quotes.
    pub fn opaque(&self) -> String {
        let closed = if self.closed { ":c" } else { "" };
        format!("{}:{}{closed}", self.incarnation, self.end.get())
    }

    /// The tag with this opaque text; `None` for a text that [`Self::opaque`] does not write.
    pub fn parse_opaque(text: &str) -> Option<Self> {
        let parts: Vec<&str> = text.split(':').collect();
        let (incarnation, end, closed) = match *parts.as_slice() {
            [incarnation, end] => (incarnation, end, false),
            [incarnation, end, "c"] => (incarnation, end, true),
            _ => return None,
        };
        Some(Self { incarnation: Incarnation::parse(incarnation).ok()?, end: plain_offset(end)?, closed })
    }
}

fn plain_offset(text: &str) -> Option<Offset> {
    decimal::parse_canonical(text).map(Offset::new)
}

impl fmt::Display for ReadTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.opaque())
    }
}

impl fmt::Display for EndTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.opaque())
    }
}

#[cfg(test)]
#[path = "etag_tests.rs"]
mod tests;
