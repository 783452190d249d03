//! Snapshots: publishing one, reading the latest, and letting go of what it stands for.
//!
//! A body is uploaded to `body/{id}` and then named by a record, which is the moment of the publish. At
//! most one digest an offset is ever committed, so `snapshot/{offset}` is a function of the log: the body
//! is copied there once the record has landed, by its publisher or whoever repeats the publish, and else by
//! who seals or collects the stream. Until then
//! it is read where it was uploaded to. So a crash anywhere leaves garbage at most, and another body can
//! still be published at the offset.
//!
//! A snapshot in parts is the same but for its body, which is put together from `staged/{part}`. No more than
//! a few pieces of it are ever in memory.

mod body;
mod bootstrap;
mod commit;
mod copies;
mod engine;
mod objects;
mod parts;
mod pieces;
mod publish;
mod read;
mod retention;
mod staging;
mod verify;

pub use body::SnapshotBody;
pub use bootstrap::{Bootstrap, BootstrapPiece};
pub(crate) use commit::PartCopies;
pub use read::SnapshotAnswer;
pub use staging::Admission;
pub(crate) use staging::Staging;
