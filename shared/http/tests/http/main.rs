//! The HTTP shell from outside: whole requests to a router over an empty bucket in memory, and the
//! whole answers. In process, without sockets, but where a test is about sockets.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

mod appends;
mod bodies;
mod bootstraps;
mod chunks;
mod closes;
mod compression;
mod conditions;
mod contract;
mod cors;
mod creates;
mod deletes;
mod digests;
mod endings;
mod events;
mod follower;
mod harness;
mod heads;
mod health;
mod json;
mod live_settings;
mod pages;
mod parts;
mod paths;
mod polls;
mod producers;
mod quiet;
mod read_origins;
mod reads;
mod retention;
mod runtime;
mod server_timing;
mod snapshots;
mod sockets;
mod surface;
