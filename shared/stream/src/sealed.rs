//! What lies in sealed objects: the bytes below a checkpoint, told by the manifest.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use wadi_protocol::{Digest, Offset, limits::CHUNK_BYTES};

use crate::manifest::is_default;

/// The sealed part of a stream: chunks from `chunks_start` up to `chunks_end`, then segments without a gap.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sealed {
    /// The cells below are let go of by retention, whether they were ever written or not: nobody names them
    /// again. On the grid, and never lower than it was.
    #[serde(default, skip_serializing_if = "is_default")]
    pub chunks_start: Offset,
    /// Every byte from there up to here lies in a chunk, one for each grid cell. On the grid, except where
    /// the stream was closed within a cell.
    #[serde(default)]
    pub chunks_end: Offset,
    /// The bytes from there to the checkpoint, those let go of among them: they go with the segment that
    /// holds them once it is merged, or its cell is full.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub segments: Vec<Segment>,
}

/// Some bytes merged from small records. It starts where the one before ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Segment {
    /// Where it ends.
    pub end: Offset,
    /// BLAKE3-256 of its bytes.
    pub blake3: Digest,
}

/// An object that holds sealed bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum SealedObject {
    /// One cell of the grid, or its beginning where the stream was closed within.
    Chunk { start: Offset, end: Offset },
    /// Bytes of one cell, merged from small records.
    Segment { start: Offset, end: Offset, blake3: Digest },
}

impl SealedObject {
    /// The offsets whose bytes it holds.
    pub(crate) fn range(&self) -> Range<Offset> {
        match *self {
            Self::Chunk { start, end } | Self::Segment { start, end, .. } => start..end,
        }
    }

    /// How many bytes it holds.
    pub(crate) fn len(&self) -> u64 {
        let Range { start, end } = self.range();
        end.get() - start.get()
    }
}

impl Sealed {
    /// Where the sealed bytes end: the tail at the checkpoint.
    pub fn end(&self) -> Offset {
        self.segments.last().map_or(self.chunks_end, |segment| segment.end)
    }

    /// The segments, each with where it starts.
    pub(crate) fn segments(&self) -> impl Iterator<Item = SealedObject> {
        let starts = std::iter::once(self.chunks_end).chain(self.segments.iter().map(|segment| segment.end));
        starts.zip(&self.segments).map(|(start, segment)| SealedObject::Segment {
            start,
            end: segment.end,
            blake3: segment.blake3,
        })
    }

    /// The objects that hold bytes of `[start, end)`, in order: none for those that are let go of.
    pub(crate) fn objects(&self, start: Offset, end: Offset) -> impl Iterator<Item = SealedObject> {
        let chunks = cells(start.max(self.chunks_start), end.min(self.chunks_end))
            .map(|cell| SealedObject::Chunk { start: cell, end: cell_end(cell).min(self.chunks_end) });
        let segments = self.segments().filter(move |segment| {
            let range = segment.range();
            range.start < end && range.end > start
        });
        chunks.chain(segments)
    }

    /// What cannot be true.
    pub(crate) fn contradiction(&self) -> Option<&'static str> {
        if cell_start(self.chunks_start) != self.chunks_start || self.chunks_start > self.chunks_end {
            return Some("its chunks begin within a cell, or behind their end");
        }
        let ends = || std::iter::once(self.chunks_end).chain(self.segments.iter().map(|segment| segment.end));
        if ends().zip(ends().skip(1)).any(|(one, next)| next <= one) {
            return Some("its segments are out of order");
        }
        let off_grid = cell_start(self.chunks_end) != self.chunks_end;
        (off_grid && !self.segments.is_empty()).then_some("it has segments behind the end of a closed stream")
    }
}

/// Where the chunks begin that a stream needs which is served from `retained` on. The byte before is among
/// what it needs: that tells whether a message starts there.
pub(crate) fn chunks_needed_from(retained: Offset) -> Offset {
    cell_start(Offset::new(retained.get().saturating_sub(1)))
}

/// Where the grid cell that holds the byte at `offset` starts.
pub(crate) fn cell_start(offset: Offset) -> Offset {
    Offset::new(offset.get() - offset.get() % CHUNK_BYTES)
}

/// Where the grid cell that holds the byte at `offset` ends.
pub(crate) fn cell_end(offset: Offset) -> Offset {
    cell_start(offset).saturating_add(CHUNK_BYTES)
}

/// The starts of the cells that hold bytes of `[start, end)`.
pub(crate) fn cells(start: Offset, end: Offset) -> impl Iterator<Item = Offset> {
    let first = cell_start(start).get();
    let step = usize::try_from(CHUNK_BYTES).unwrap_or(usize::MAX);
    (first..end.get().max(first)).step_by(step).filter(move |_| start < end).map(Offset::new)
}

#[cfg(test)]
#[path = "sealed_tests.rs"]
mod tests;
