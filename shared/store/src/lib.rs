//! The object-store port and its implementations. Knows nothing of streams.
//!
//! - `EmbeddedStore` (feature `embedded`): a directory, durable, for one process.
//! - `S3Store` (feature `s3`): a bucket, for any number of processes.
//! - [`MemoryStore`]: in memory, for tests and simulations.
//! - [`FaultyStore`] breaks requests on purpose, [`CountingStore`] counts them, [`MeteredStore`] notes
//!   them on the [`Meter`] of the work they are for: decorators of any store.
#![cfg_attr(test, allow(clippy::unwrap_used, reason = "a test fails by panicking"))]

mod clock;
mod counting;
#[cfg(feature = "embedded")]
mod embedded;
mod error;
mod faults;
mod key;
pub mod limits;
mod memory;
mod metering;
mod operation;
mod port;
mod rules;
#[cfg(feature = "s3")]
mod s3;
mod self_test;

pub use clock::Clock;
pub use counting::{CountingStore, RequestCounts};
#[cfg(feature = "embedded")]
pub use embedded::{EmbeddedStore, OpenError};
pub use error::StoreError;
pub use faults::{After, Before, Call, Fault, FaultHook, FaultScript, FaultyStore, Hold, Request};
pub use key::ObjectKey;
pub use limits::KEY_BYTES_MAX;
pub use memory::MemoryStore;
pub use metering::{Meter, MeteredStore, Usage, current_meter, metered};
pub use operation::Operation;
pub use port::{
    Attributes, GetOptions, GetOutcome, ListRequest, ListedObject, Listing, NewObject, ObjectStore, ObjectTag,
    PutCondition, PutOutcome, SharedStore, StoredObject, Upload,
};
#[cfg(feature = "s3")]
pub use s3::{ConnectError, S3Credentials, S3Settings, S3Store};
pub use self_test::{Probe, Unfit, prove};
