//! The lower floor: a log of dense slots in a bucket.
//!
//! Knows records, slots, probes, fencing, unknown outcomes and the commit of one record.
//! Knows nothing of streams: what a record means is opaque to it, so that a log may later serve
//! something else than one stream.

mod bucket;
mod commit;
mod dates;
mod error;
mod position;
mod record;
mod scan;
mod slots;

#[cfg(test)]
mod commit_tests;
#[cfg(test)]
pub(crate) mod fixtures;
#[cfg(test)]
mod record_tests;
#[cfg(test)]
mod scan_tests;

pub(crate) use bucket::Bucket;
pub(crate) use commit::Commit;
pub(crate) use error::LogError;
pub(crate) use position::Position;
pub use record::RecordId;
pub(crate) use record::{Body, Draft, Header, Record};
#[cfg(feature = "fuzzing")]
pub(crate) use record::{Parsed, check_of};
pub(crate) use scan::Reach;
pub(crate) use slots::{Found, Slot, Slots};
