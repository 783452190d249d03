//! Request bodies: never read beyond the limit, never too many at once, never left half-read.

mod budget;
mod drain;
mod guard;
mod incoming;

pub(crate) use budget::{Budget, Reservation};
pub(crate) use drain::Drains;
pub(crate) use guard::guard;
pub(crate) use incoming::Incoming;
