//! Tests of the stores: one contract for all of them, and what is particular to each.
#![allow(clippy::unwrap_used, clippy::expect_used, unreachable_pub)]

mod contract;
mod counting;
mod crash;
mod embedded;
mod faults;
mod memory;
mod metering;
#[cfg(feature = "s3")]
mod s3;
#[cfg(feature = "s3")]
mod s3_failures;
mod self_test;

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{SystemTime, UNIX_EPOCH},
};

use wadi_protocol::Timestamp;
use wadi_store::Clock;

/// The machine's clock.
fn system_clock() -> Clock {
    Arc::new(|| {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        Timestamp::from_millis(now.as_millis().try_into().unwrap())
    })
}

/// A clock that a test sets, in milliseconds.
fn manual_clock(start_millis: u64) -> (Arc<AtomicU64>, Clock) {
    let hand = Arc::new(AtomicU64::new(start_millis));
    let read = Arc::clone(&hand);
    (hand, Arc::new(move || Timestamp::from_millis(read.load(Ordering::SeqCst))))
}
