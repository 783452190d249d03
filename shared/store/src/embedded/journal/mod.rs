//! The journal: where a change is durable before it is in the database.
//!
//! Two files are written in turn. An entry is one batch of changes. Each begins on a page of its own, so that
//! no later write touches a page that holds what was acknowledged, and each was synced before the next was
//! written, so that a crash can damage the last one only.

mod changes;
mod disk;
mod file;
mod frame;
mod recovery;
mod writer;

pub(super) use changes::Planned;
#[cfg(test)]
pub(super) use disk::Disk;
pub(super) use disk::{WrapDisk, plain_disk};
pub(super) use frame::FrameKey;
pub(super) use recovery::{RecoveryError, recover};
pub(super) use writer::JournalWriter;

/// The names of the two files.
pub(super) const FILES: [&str; 2] = ["a", "b"];
