//! Servers under fire: the real program on a real S3 server, with a proxy in between that loses, repeats,
//! holds and refuses; and the cases that bit others, one test each.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

mod asleep;
mod every_fault;
mod failed_append;
mod forgotten_producer;
mod if_match;
mod instance;
mod integers;
mod killed_writer;
mod lives;
mod lost_answer;
mod many_creates;
mod proxy;
mod shared_offset;
mod stalled_writer;
mod unfit_store;
mod visible_everywhere;
