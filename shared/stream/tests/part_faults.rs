//! Commits of parts whose requests fail, race, or end half-way.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests")]

mod common;

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use common::{
    parts::{ANY_LIFE, commit, staged},
    *,
};
use wadi_protocol::{CommitRequest, PartsRefusal, Refusal, Timestamp};
use wadi_store::{Fault, Operation};
use wadi_stream::{
    SweepScope,
    limits::{GRACE, UPLOAD_PART_ATTEMPTS_MAX, UPLOAD_TIME_MAX},
};

#[tokio::test(start_paused = true)]
async fn a_commit_that_the_store_fails_keeps_its_parts_and_can_be_repeated() {
    for (operation, key) in [
        (Operation::List, "/staged/"),
        (Operation::Get, "/staged/"),
        (Operation::BeginUpload, "/body/"),
        (Operation::PutPart, "/body/"),
        (Operation::CompleteUpload, "/body/"),
        (Operation::Put, "/log/"),
    ] {
        let world = World::new();
        let (process, body, parts) = staged(&world).await;
        world.script.next(operation, key, Fault::Denied);
        let told = process.commit("s", 7, &body, &parts).await;
        assert_eq!(told, Err(Refusal::StoreUnavailable), "{operation} {key}");
        assert_eq!((world.count("staged").await, world.bucket.upload_count()), (3, 0), "{operation} {key}");
        world.process().commit("s", 7, &body, &parts).await.unwrap();
        assert!(process.snapshot("s", 7).await.unwrap() == body);
        assert_eq!(world.count("staged").await, 0);
    }
}

#[tokio::test(start_paused = true)]
async fn a_part_of_the_upload_that_is_lost_is_sent_again() {
    for fault in [Fault::NotSent, Fault::LoseRequest, Fault::LoseAnswer, Fault::ServerError] {
        let world = World::new();
        let (process, body, parts) = staged(&world).await;
        world.script.next(Operation::PutPart, "/body/", Fault::Pass);
        for _ in 1..UPLOAD_PART_ATTEMPTS_MAX {
            world.script.next(Operation::PutPart, "/body/", fault.clone());
        }
        process.commit("s", 7, &body, &parts).await.unwrap();
        assert!(world.process().snapshot("s", 7).await.unwrap() == body, "{fault:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_upload_whose_end_is_unknown_is_garbage_that_is_collected() {
    let world = World::new();
    let (process, body, parts) = staged(&world).await;
    world.script.next(Operation::CompleteUpload, "/body/", Fault::LoseAnswer);
    world.script.next(Operation::CompleteUpload, "/body/", Fault::Postpone);
    for _ in 0..2 {
        assert_eq!(process.commit("s", 7, &body, &parts).await, Err(Refusal::StoreUnavailable));
    }
    assert!(world.faulty.land_postponed(0).await.is_err(), "it was aborted");
    process.commit("s", 7, &body, &parts).await.unwrap();
    assert_eq!(world.count("body").await, 2);
    pass(GRACE + secs(60)).await;
    process.engine.sweep(SweepScope::Full, &|_| {}).await.unwrap();
    assert_eq!(world.count("body").await, 1);
    assert!(process.snapshot("s", 7).await.unwrap() == body);
}

/// S3 dates such a body from its beginning: named by a record, it could be taken for old garbage.
#[tokio::test(start_paused = true)]
async fn a_body_whose_upload_took_too_long_is_not_named() {
    let world = World::new();
    let (_, body, parts) = staged(&world).await;
    let late = Arc::new(AtomicBool::new(false));
    let is_late = late.clone();
    let shift = move |date: Timestamp| {
        if is_late.load(Ordering::Relaxed) { date.saturating_add(UPLOAD_TIME_MAX + secs(1)) } else { date }
    };
    let process = world.process_on(DatedStore::changed(world.faulty.clone(), shift));
    let mut hold = world.script.hold(Operation::CompleteUpload, "/body/");
    let time_passes = async {
        hold.arrived().await;
        late.store(true, Ordering::Relaxed);
        hold.release();
    };
    let (told, ()) = futures::future::join(process.commit("s", 7, &body, &parts), time_passes).await;
    assert_eq!(told, Err(Refusal::StoreUnavailable));
    assert_eq!((world.count("staged").await, world.count("log").await), (3, 1));
}

#[tokio::test(start_paused = true)]
async fn one_commit_or_discard_of_a_stream_runs_at_a_time_in_a_process() {
    let world = World::new();
    let (process, body, parts) = staged(&world).await;
    let process = Arc::new(process);
    let mut hold = world.script.hold(Operation::CompleteUpload, "/body/");
    let (running, whole, all) = (process.clone(), body.clone(), parts.clone());
    let first = tokio::spawn(async move { running.commit("s", 7, &whole, &all).await });
    hold.arrived().await;
    assert_eq!(process.commit("s", 7, &body, &parts).await, Err(PartsRefusal::InProgress.into()));
    let discard = process.engine.discard_parts(&key("s"), ANY_LIFE).await;
    assert_eq!(discard, Err(PartsRefusal::InProgress.into()));
    hold.release();
    let published = first.await.unwrap().unwrap();
    assert_eq!(process.commit("s", 7, &body, &parts).await, Ok(published));
    process.engine.discard_parts(&key("s"), ANY_LIFE).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn two_copies_run_at_once_in_a_process() {
    let world = World::new();
    let process = Arc::new(world.process());
    let mut holds = Vec::new();
    let mut running = Vec::new();
    for name in ["a", "b", "c"] {
        process.create(name).await.unwrap();
        let part = process.stage(name, "state").await.unwrap();
        if name == "c" {
            assert_eq!(process.commit(name, 0, b"state", &[part]).await, Err(PartsRefusal::Busy.into()));
            break;
        }
        let mut hold = world.script.hold(Operation::Put, &format!("/{name}/"));
        let running_in = process.clone();
        running.push(tokio::spawn(async move { running_in.commit(name, 0, b"state", &[part]).await }));
        hold.arrived().await;
        holds.push(hold);
    }
    drop(holds);
    for commit in running {
        commit.await.unwrap().unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn a_commit_runs_to_its_end_when_its_client_goes_away() {
    let world = World::new();
    let (process, body, parts) = staged(&world).await;
    let process = Arc::new(process);
    let mut hold = world.script.hold(Operation::CompleteUpload, "/body/");
    let (running, whole, all) = (process.clone(), body.clone(), parts.clone());
    let request = tokio::spawn(async move { running.commit("s", 7, &whole, &all).await });
    hold.arrived().await;
    request.abort();
    hold.release();
    pass(secs(1)).await;
    assert!(process.snapshot("s", 7).await.unwrap() == body);
}

#[tokio::test(start_paused = true)]
async fn a_stream_recreated_during_the_copy_is_not_published_to() {
    for pinned in [false, true] {
        let world = World::new();
        let (process, body, parts) = staged(&world).await;
        let incarnation = process.engine.head(&key("s"), None).await.unwrap().incarnation;
        let process = Arc::new(process);
        let mut hold = world.script.hold(Operation::CompleteUpload, "/body/");
        let request = CommitRequest { incarnation: pinned.then_some(incarnation), ..commit(7, &body, 3) };
        let running = process.clone();
        let commit = tokio::spawn(async move { running.engine.commit(&key("s"), request, parts).await });
        hold.arrived().await;
        let other = world.process();
        other.delete("s").await.unwrap();
        other.create("s").await.unwrap();
        other.append("s", "0123456789").await.unwrap();
        hold.release();
        let told = commit.await.unwrap();
        if pinned {
            assert!(matches!(told, Err(Refusal::IncarnationMismatch { .. })), "{told:?}");
        } else {
            assert_eq!(told, Err(PartsRefusal::Unknown.into()));
        }
        assert_eq!(other.engine.head(&key("s"), None).await.unwrap().snapshot, None);
    }
}
