//! JSON as bytes: split into messages and joined again, never rewritten as values.

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod array;
mod fault;
mod message;
mod nesting;
#[cfg(any(test, feature = "fuzzing"))]
#[cfg_attr(not(feature = "fuzzing"), expect(unreachable_pub, reason = "fuzz targets reach it, tests need not"))]
pub mod oracle;
mod scan;

pub use array::{array_of, array_of_pieces, last_boundary};
pub use fault::{InvalidJson, JsonFault};
pub use message::{Messages, split_messages};
