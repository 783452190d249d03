//! Answers as data: which status, code and headers each result gets.

mod code;
mod headers;
mod outcome;
mod parts;
mod refusal;
mod render;
mod snapshot;

#[cfg(test)]
mod code_tests;
#[cfg(test)]
mod refusal_tests;
#[cfg(test)]
mod render_tests;
#[cfg(test)]
mod snapshot_tests;

pub use code::Code;
pub use headers::name;
pub use outcome::{KeyedAnswer, KeyedReceipt, StreamDescription, WriteOutcome};
pub use parts::{Discarded, PartsRefusal, Staged};
pub use refusal::{ClosedBy, ProducerRefusal, Refusal};
pub use render::{Answer, describe};
pub use snapshot::{Published, Retained, SnapshotRefusal, describe_snapshot};
