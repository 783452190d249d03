//! Copies of snapshots under their own keys: who makes them when their publisher did not.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use common::{parts::staged, *};
use wadi_store::{Fault, Operation};
use wadi_stream::limits::COPY_PAUSE_AFTER_FAILURE;

/// The publisher goes away between the record and the copy. Whoever seals next puts the copy in its place.
#[tokio::test(start_paused = true)]
async fn who_seals_a_stream_completes_the_copy_of_its_snapshot() {
    for large in [false, true] {
        let world = World::new();
        let (process, body, parts) = staged(&world).await;
        if large {
            world.script.next(Operation::BeginUpload, "/snapshot/", Fault::Denied);
            process.commit("s", 7, &body, &parts).await.unwrap();
        } else {
            world.script.next(Operation::Put, "/snapshot/", Fault::Denied);
            process.publish("s", 7, "state").await.unwrap();
        }
        assert_eq!(world.count("snapshot").await, 0);
        let sealer = world.process();
        for _ in 0..60 {
            sealer.append("s", "x").await.unwrap();
        }
        assert!(sealer.engine.seal(&key("s")).await.unwrap());
        let copy = world.stored(&world.keys("ds/", "/snapshot/").await[0]).await;
        assert!(copy.body == if large { body.clone() } else { "state".into() });
        assert_eq!(copy.attributes.content_type.as_deref(), Some("text/plain"));
        for _ in 0..60 {
            sealer.append("s", "x").await.unwrap();
        }
        let (_, requests) = sealer.recording(sealer.engine.seal(&key("s"))).await;
        assert!(!requests.iter().any(|request| request.contains("/snapshot/")), "it knows by now: {requests:?}");
    }
}

/// A copy can be a GiB, and a busy stream is sealed every second.
#[tokio::test(start_paused = true)]
async fn who_seals_a_stream_pauses_after_a_copy_that_failed() {
    let world = World::new();
    let (process, body, parts) = staged(&world).await;
    world.script.always(Operation::CompleteUpload, "/snapshot/", Fault::Denied);
    process.commit("s", 7, &body, &parts).await.unwrap();
    let sealer = world.process();
    let copies_when_sealing = async || {
        for _ in 0..60 {
            sealer.append("s", "x").await.unwrap();
        }
        let (done, requests) = sealer.recording(sealer.engine.seal(&key("s"))).await;
        assert!(done.unwrap());
        requests.iter().any(|request| request.contains("/snapshot/") || request.contains("/body/"))
    };
    assert!(copies_when_sealing().await, "it tries");
    assert!(!copies_when_sealing().await, "it has just failed");
    world.script.clear();
    pass(COPY_PAUSE_AFTER_FAILURE).await;
    assert!(copies_when_sealing().await, "it tries again");
    assert!(world.stored(&world.keys("ds/", "/snapshot/").await[0]).await.body == body);
}

#[tokio::test(start_paused = true)]
async fn who_collects_a_stream_completes_the_copy_of_its_snapshot() {
    let world = World::new();
    let (process, body, parts) = staged(&world).await;
    world.script.next(Operation::CompleteUpload, "/snapshot/", Fault::Denied);
    process.commit("s", 7, &body, &parts).await.unwrap();
    assert_eq!((world.count("snapshot").await, world.bucket.upload_count()), (0, 0));
    world.process().engine.collect(&key("s")).await.unwrap();
    assert!(world.stored(&world.keys("ds/", "/snapshot/").await[0]).await.body == body);
}

#[tokio::test(start_paused = true)]
async fn copies_that_race_are_one_and_the_same() {
    let world = World::new();
    let (process, body, parts) = staged(&world).await;
    let mut hold = world.script.hold(Operation::CompleteUpload, "/snapshot/");
    let committed = process.commit("s", 7, &body, &parts);
    let collected = async {
        hold.arrived().await;
        let other = world.process();
        other.engine.collect(&key("s")).await.unwrap();
        assert_eq!(world.count("snapshot").await, 1);
        hold.release();
    };
    let (published, ()) = futures::future::join(committed, collected).await;
    published.unwrap();
    assert!(world.stored(&world.keys("ds/", "/snapshot/").await[0]).await.body == body);
    assert_eq!((world.count("snapshot").await, world.bucket.upload_count()), (1, 0));
}
