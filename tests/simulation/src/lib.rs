//! The engine under fire: whole worlds of clients, instances, a network and one bucket, each played
//! through from a seed, deterministically, in virtual time; and the invariants judged against what
//! truly happened: creates, appends, closes, deletes, reads, snapshots and what they let go of.
//!
//! A world has an executor of its own ([`executor`]), in which every instance is a group of tasks
//! that can be paused and killed: those that serve clients, and the [`keeper`]s that seal and collect
//! beside them. The [`network`] carries every request to the store and decides its fate. The
//! [`ghost`] sees what truly took effect, and judges whatever is put and deleted against the log.
//! [`check`] compares it with what clients were told. In the end all heals, all is sealed and
//! collected, and nothing may be left that nobody needs.

mod asking;
mod bucket;
mod chaos;
mod check;
mod coverage;
mod epilogue;
mod executor;
mod fate;
mod ghost;
mod history;
mod instance;
mod keeper;
mod many;
mod network;
mod plan;
mod random;
mod request;
mod run;
mod scenario;
mod servers;
mod store;
mod story;
mod trace;
mod violation;
mod workload;
mod world;

pub use many::{Summary, parse_seeds, simulate_many};
pub use run::{Report, simulate};
pub use scenario::{bucket_that_forgets, bucket_with_something_in_the_way};
pub use violation::Violation;
