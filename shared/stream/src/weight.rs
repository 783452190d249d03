//! How much memory a cell takes, for the bound on all of them.

use std::sync::atomic::{AtomicU32, Ordering};

use crate::view::View;

/// A cell without a view.
const CELL_BYTES: usize = 1024;

/// A producer in a view: its record twice by key, and the nodes that hold it.
const PRODUCER_BYTES: usize = 512;

/// A record in a view.
const SPAN_BYTES: usize = 128;

/// The weight that the cache was told last.
#[derive(Debug, Default)]
pub(crate) struct Weight(AtomicU32);

impl Weight {
    /// Weighs, and remembers the result as told.
    pub(crate) fn tell(&self, view: Option<&View>) -> u32 {
        let bytes = estimate(view);
        self.0.store(bytes, Ordering::Relaxed);
        bytes
    }

    /// Whether the cell has doubled since the cache was told.
    pub(crate) fn is_outgrown(&self, view: Option<&View>) -> bool {
        estimate(view) / 2 > self.0.load(Ordering::Relaxed)
    }
}

fn estimate(view: Option<&View>) -> u32 {
    let held = view.map_or(0, |view| view.state.producers.len() * PRODUCER_BYTES + view.span_count() * SPAN_BYTES);
    u32::try_from(CELL_BYTES + held).unwrap_or(u32::MAX)
}
