//! How much may be staged and not used, over several processes, and how long it stays.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use bytes::Bytes;
use common::{parts::ANY_LIFE, *};
use futures::future::join3;
use wadi_protocol::{
    Incarnation, PartsRefusal, Refusal,
    limits::{STAGED_BYTES_MAX, STAGED_PARTS_MAX},
};
use wadi_store::{NewObject, ObjectKey, ObjectStore, Operation, PutCondition};
use wadi_stream::{SweepScope, limits::GRACE};

async fn started(world: &World) -> (Process, Incarnation) {
    let process = world.process();
    let created = process.create("s").await.unwrap();
    process.append("s", "0123456789").await.unwrap();
    (process, created.stream.incarnation)
}

/// Puts parts in place as if other processes had staged them.
async fn staged_elsewhere(world: &World, incarnation: Incarnation, count: u64, body: &Bytes) {
    for number in 0..count {
        let key = ObjectKey::new(format!("ds/default/s/incarnation/{incarnation}/staged/{number:032x}"));
        world.bucket.put(&key, NewObject::from(body.clone()), PutCondition::IfAbsent).await.unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn a_part_too_many_is_refused_until_some_are_used() {
    let world = World::new();
    let (process, incarnation) = started(&world).await;
    staged_elsewhere(&world, incarnation, STAGED_PARTS_MAX - 1, &Bytes::new()).await;
    process.stage("s", "last").await.unwrap();
    let too_many = Err(PartsRefusal::TooMany { incarnation }.into());
    assert_eq!(process.stage("s", "more").await, too_many);
    assert_eq!(world.process().stage("s", "more").await, too_many, "any process knows");
    world.process().engine.discard_parts(&key("s"), ANY_LIFE).await.unwrap();
    pass(secs(6)).await;
    process.stage("s", "more").await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn bytes_beyond_the_limit_are_refused_by_what_is_declared() {
    let world = World::new();
    let (process, incarnation) = started(&world).await;
    let large = Bytes::from(vec![0; 16 << 20]);
    staged_elsewhere(&world, incarnation, STAGED_BYTES_MAX / (16 << 20) - 1, &large).await;
    let too_much = Err(PartsRefusal::TooManyBytes { incarnation }.into());
    let admit = async |bytes: u64| process.engine.admit_part(&key("s"), ANY_LIFE, bytes).await;
    let told = admit((16 << 20) + 1).await.map(|_| ());
    assert_eq!(told, too_much);
    let first = admit(8 << 20).await.unwrap();
    let second = admit(8 << 20).await.unwrap();
    assert_eq!(admit(1).await.map(|_| ()), too_much, "what is on its way counts");
    drop(second);
    assert!(admit(8 << 20).await.is_ok(), "what did not come does not");
    process.engine.stage(first, large.slice(..8 << 20)).await.unwrap();
    assert!(admit(8 << 20).await.is_ok());
    assert_eq!(admit((8 << 20) + 1).await.map(|_| ()), too_much);
}

#[tokio::test(start_paused = true)]
async fn a_process_learns_within_a_minute_what_others_staged() {
    let world = World::new();
    let (process, incarnation) = started(&world).await;
    process.stage("s", "one").await.unwrap();
    staged_elsewhere(&world, incarnation, STAGED_PARTS_MAX, &Bytes::new()).await;
    pass(secs(61)).await;
    assert_eq!(process.stage("s", "more").await, Err(PartsRefusal::TooMany { incarnation }.into()));
}

/// A sweep of what has changed lately does not come to a stream whose manifest stays as it is.
#[tokio::test(start_paused = true)]
async fn parts_that_are_a_day_old_take_no_room_from_new_ones() {
    let world = World::new();
    let (process, incarnation) = started(&world).await;
    pass(secs(4 * 24 * 60 * 60)).await;
    staged_elsewhere(&world, incarnation, STAGED_PARTS_MAX - 1, &Bytes::new()).await;
    pass(GRACE + secs(60)).await;
    let objects = world.bucket.object_count();
    process.engine.sweep(SweepScope::Recent, &|_| {}).await.unwrap();
    assert_eq!(world.bucket.object_count(), objects, "it is not looked at");
    staged_elsewhere(&world, incarnation, STAGED_PARTS_MAX + 1, &Bytes::new()).await;
    process.stage("s", "new").await.unwrap();
    assert_eq!(world.count("staged").await, 3, "two of others, and the new one");
}

#[tokio::test(start_paused = true)]
async fn those_behind_a_listing_that_hangs_do_not_hang_in_turn() {
    let world = World::new();
    let (process, _) = started(&world).await;
    let holds = [(); 3].map(|()| world.script.hold(Operation::List, "/staged/"));
    let admit = async || process.engine.admit_part(&key("s"), ANY_LIFE, 1).await.map(|_| ());
    let (told, cost) = process.counting(join3(admit(), admit(), admit())).await;
    let busy = Err(Refusal::StreamBusy);
    assert_eq!((told, cost.list), ((Err(Refusal::StoreUnavailable), busy.clone(), busy), 1));
    drop(holds);
    admit().await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_part_is_staged_for_a_stream_that_lives() {
    let world = World::new();
    let (process, _) = started(&world).await;
    assert_eq!(process.stage("none", "part").await, Err(Refusal::StreamNotFound));
    process.delete("s").await.unwrap();
    assert_eq!(process.stage("s", "part").await, Err(Refusal::StreamNotFound));
}

#[tokio::test(start_paused = true)]
async fn parts_that_nobody_commits_are_collected_after_the_grace_and_others_stay() {
    let world = World::new();
    let (process, _) = started(&world).await;
    process.stage("s", "old").await.unwrap();
    pass(GRACE.checked_sub(secs(60)).unwrap()).await;
    process.stage("s", "young").await.unwrap();
    let sweep = async || process.engine.sweep(SweepScope::Full, &|_| {}).await.unwrap();
    sweep().await;
    assert_eq!(world.count("staged").await, 2);
    pass(secs(120)).await;
    process.append("s", "x").await.unwrap();
    sweep().await;
    assert_eq!(world.count("staged").await, 1);
    process.delete("s").await.unwrap();
    pass(GRACE + secs(60)).await;
    sweep().await;
    assert_eq!(world.count("staged").await, 0);
}
