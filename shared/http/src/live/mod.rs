//! Live reads: long-poll and server-sent events.

mod cursor;
mod encoding;
mod ending;
mod event;
mod long_poll;
mod places;
mod sse;

pub use ending::Ending;
pub(crate) use long_poll::poll;
pub(crate) use places::Places;
pub(crate) use sse::open;
