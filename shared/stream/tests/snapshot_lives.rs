//! Snapshots of a stream that ends and lives again while one is published.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests")]

mod common;

use std::sync::Arc;

use common::*;
use wadi_store::Operation;

/// While a publisher uploads, the stream ends, and in its next life the same snapshot is published at the
/// same offset. So it is a repeat; but in the life that ended this snapshot never was.
#[tokio::test(start_paused = true)]
async fn a_repeat_in_the_next_life_copies_nothing_into_the_one_that_ended() {
    let world = World::new();
    let (publisher, other) = (Arc::new(world.process()), world.process());
    publisher.create("s").await.unwrap();
    publisher.append("s", "0123456789").await.unwrap();
    let first = world.prefix("s").await;
    let mut upload = world.script.hold(Operation::Put, "/body/");
    let publishing = publisher.clone();
    let publishing = tokio::spawn(async move { publishing.publish("s", 7, "state").await });
    upload.arrived().await;
    other.delete("s").await.unwrap();
    other.create("s").await.unwrap();
    other.append("s", "abcdefghij").await.unwrap();
    let outcome = other.publish("s", 7, "state").await.unwrap();
    let second = world.prefix("s").await;
    // As if its publisher had crashed before it was copied.
    let copy = world.keys(&second, "/snapshot/").await;
    world.remove(&copy[0]).await;
    upload.release();
    assert_eq!(publishing.await.unwrap().unwrap(), outcome);
    assert_eq!(world.keys(&first, "/snapshot/").await, []);
    assert_eq!(world.keys(&second, "/snapshot/").await, copy, "whoever repeats it completes it");
    assert_eq!(world.process().snapshot("s", 7).await.unwrap(), b"state");
}
