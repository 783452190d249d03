//! Collection: what nothing needs any more leaves the bucket.
//!
//! Collecting a slot re-opens it for put-if-absent, so a slot is collected only below a floor that a
//! manifest has published, and a floor is raised only to what was covered for a grace period. What is
//! deleted otherwise has a key that no manifest or record can name again, so a deletion that comes
//! late does no harm.

mod bookmark;
mod chunks;
mod dropped;
mod engine;
mod leftovers;
mod slots;
mod snapshots;
mod stream;
mod sweep;

pub(crate) use sweep::Sweep;
pub use sweep::{SweepScope, Swept};
