//! The wire contract and the rules of a stream. Pure: no async, no I/O, no clock, no randomness.
//!
//! A request is parsed once, into types that cannot be wrong ([`WriteRequest`] and its kin).
//! [`decide`] says what it does to a [`StreamState`]: an [`Operation`] to commit, and an outcome
//! or [`Refusal`]. [`StreamState::apply`] folds committed operations. [`Answer`] is the table of
//! statuses, codes and headers.

mod answer;
pub mod decide;
mod json;
mod operation;
mod request;
pub mod state;
mod value;

pub use answer::{
    Answer, ClosedBy, Code, Discarded, KeyedAnswer, KeyedReceipt, PartsRefusal, ProducerRefusal, Published, Refusal,
    Retained, SnapshotRefusal, Staged, StreamDescription, WriteOutcome, describe, describe_snapshot, name,
};
#[cfg(feature = "fuzzing")]
#[doc(hidden)]
pub use json::oracle;
pub use json::{InvalidJson, JsonFault, Messages, array_of, array_of_pieces, last_boundary, split_messages};
pub use operation::{Claim, DeleteReason, Operation, ProducerUpdate, Write};
pub use request::{
    CommitRequest, ContentFault, CreateRequest, DeleteRequest, PartsRequest, Payload, PublishRequest, ReadForm,
    ReadRequest, RetentionRequest, SnapshotRequest, TypeMatch, WriteRequest, parse_parts,
};
pub use state::{FoldError, Genesis, StreamState, Summary};
pub use value::*;
