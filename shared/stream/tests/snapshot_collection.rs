//! Collection of snapshots: the latest stays, and one that was superseded stays for the grace.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use common::*;
use wadi_store::{Fault, Operation};
use wadi_stream::{SweepScope, limits::GRACE};

async fn sweep(process: &Process) {
    process.engine.sweep(SweepScope::Full, &|_| {}).await.unwrap();
}

/// The offsets of the snapshots whose copies are in the bucket, and how many bodies are.
async fn kept(world: &World) -> (Vec<u64>, usize) {
    let copies = world.keys("ds/", "/snapshot/").await;
    let offset = |key: &wadi_store::ObjectKey| key.as_str().rsplit('/').next().unwrap().parse().unwrap();
    (copies.iter().map(offset).collect(), world.keys("ds/", "/body/").await.len())
}

#[tokio::test(start_paused = true)]
async fn a_snapshot_is_collected_once_it_has_been_superseded_for_the_grace() {
    let world = World::new();
    let process = world.process();
    process.create("s").await.unwrap();
    process.append("s", "0123456789").await.unwrap();
    for at in [3, 5, 7] {
        process.publish("s", at, format!("at {at}")).await.unwrap();
    }
    pass(GRACE.checked_sub(secs(60)).unwrap()).await;
    sweep(&process).await;
    assert_eq!(kept(&world).await, (vec![3, 5, 7], 3));
    pass(secs(120)).await;
    process.publish("s", 9, "at 9").await.unwrap();
    sweep(&process).await;
    assert_eq!(kept(&world).await, (vec![7, 9], 1), "the one at 7 was the latest until now");
    pass(GRACE + secs(60)).await;
    sweep(&process).await;
    assert_eq!(kept(&world).await, (vec![9], 1));
    assert_eq!(world.process().snapshot("s", 9).await.unwrap(), b"at 9");
}

#[tokio::test(start_paused = true)]
async fn the_latest_is_never_collected_though_it_was_not_copied_and_its_record_is_gone() {
    let world = World::new();
    let process = world.process();
    process.create("s").await.unwrap();
    process.append("s", "0123456789").await.unwrap();
    world.script.next(Operation::Put, "/snapshot/", Fault::Denied);
    process.publish("s", 7, "state").await.unwrap();
    for _ in 0..60 {
        process.append("s", "x").await.unwrap();
    }
    assert!(process.engine.seal(&key("s")).await.unwrap());
    for _ in 0..3 {
        pass(GRACE + secs(60)).await;
        sweep(&process).await;
    }
    assert_eq!(world.keys("ds/", "/log/").await, []);
    assert_eq!(world.process().snapshot("s", 7).await.unwrap(), b"state");
}
