//! The durable store of a single process that needs no other software: one directory.
//!
//! Metadata and small bodies live in a `redb` database, large bodies in files of their own beside it. One thread
//! owns all changes: it drains its queue into one batch, checks the conditions in order, appends the batch to a
//! journal with one sync, shows it to readers and answers everybody, so that concurrent writers share the disk's
//! syncs. Another thread writes what has gathered in memory to the database.

mod batch;
mod bodies;
mod commit;
mod directory;
mod durable;
mod flusher;
mod format;
mod gaps;
mod journal;
mod layers;
mod list;
mod merge;
mod object;
mod options;
mod queue;
mod read;
mod schema;
mod snapshot;
mod store;
mod uploads;
mod writer;

#[cfg(test)]
mod tests;

pub use directory::OpenError;
pub use store::EmbeddedStore;
