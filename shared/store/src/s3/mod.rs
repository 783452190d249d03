//! The store in a bucket: Amazon S3, or a server that speaks its protocol.
//!
//! Writes are sent once: a repeated conditional write can fail on its own first success, and only the
//! caller can tell. Reads, listings and deletes are repeated a few times by the client underneath.

mod client;
mod date;
mod delete;
mod failure;
mod get;
mod keys;
mod list;
mod settings;
mod store;
mod upload;

pub use settings::{ConnectError, S3Credentials, S3Settings};
pub use store::S3Store;
