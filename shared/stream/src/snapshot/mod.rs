//! Snapshots: publishing one, reading the latest, and letting go of what it stands for.
//!
//! A body is uploaded to `body/{id}` and then named by a record, which is the moment of the publish. At
//! most one digest an offset is ever committed, so `snapshot/{offset}` is a function of the log: the body
//! is copied there once the record has landed, by its publisher or whoever repeats the publish. Until then
//! it is read where it was uploaded to. So a crash anywhere leaves garbage at most, and another body can
//! still be published at the offset.

mod body;
mod bootstrap;
mod engine;
mod objects;
mod publish;
mod read;
mod retention;

pub use body::SnapshotBody;
pub use bootstrap::{Bootstrap, BootstrapPiece};
pub use read::SnapshotAnswer;
