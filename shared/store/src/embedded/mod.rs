//! The durable store of a single process that needs no other software: one directory.
//!
//! Metadata and small bodies live in a `redb` database, large bodies in files of their own beside it.
//! One thread owns all changes: it drains its queue into one batch, checks the conditions in order,
//! commits once and then answers everybody, so that concurrent writers share the disk's syncs.

mod apply;
mod bodies;
mod directory;
mod read;
mod schema;
mod store;
mod uploads;
mod writer;

pub use directory::OpenError;
pub use store::EmbeddedStore;
