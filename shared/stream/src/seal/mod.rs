//! Sealing: what lies in small records is merged into few objects, and a checkpoint is published.
//!
//! Its outputs are functions of the log, written put-if-absent, so it may run anywhere, any number of
//! times, concurrently with appends and with itself. Only the manifest's compare-and-set publishes
//! them. It works from a view, all of whose records were believed within the lease, and no append
//! ever waits for it.

mod due;
mod engine;
mod mark;
mod merge;
mod pass;
mod plan;
mod write;

pub use mark::SealSign;
pub(crate) use mark::read_mark;

/// Who seals the streams that this process writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Sealing {
    /// This process, in the background, when a stream is due after a write of its own.
    Background,
    /// Somebody else: whoever calls [`crate::Engine::seal`].
    #[default]
    Elsewhere,
    /// Somebody else, whom the bucket's events tell. Where the key of a record does not tell enough, this
    /// process leaves a mark before it answers.
    Events,
}
