//! Collection: what nothing needs leaves the bucket, and nothing else does.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use bytes::Bytes;
use common::*;
use wadi_protocol::{Incarnation, Refusal};
use wadi_store::{
    Fault, FaultScript, FaultyStore, ListRequest, NewObject, ObjectKey, ObjectStore, Operation, PutCondition,
};
use wadi_stream::{EngineSettings, Sealing, SweepScope, Swept, incarnation_prefix};

const GRACE: Duration = wadi_stream::limits::GRACE;

async fn sweep(process: &Process, scope: SweepScope) -> Swept {
    process.engine.sweep(scope, &|_| {}).await.unwrap()
}

/// Sweeps daily until nothing can be left.
async fn sweep_for_days(process: &Process) {
    for _ in 0..4 {
        pass(GRACE + secs(60)).await;
        sweep(process, SweepScope::Full).await;
    }
}

impl World {
    /// Every key in the bucket.
    async fn all_keys(&self) -> Vec<String> {
        let request = ListRequest { prefix: String::new(), start_after: None, limit: 1000 };
        let listing = self.bucket.list(request).await.unwrap();
        listing.objects.into_iter().map(|object| object.key.as_str().to_owned()).collect()
    }
}

async fn append_many(process: &Process, name: &str, count: usize) -> String {
    let mut all = String::new();
    for number in 0..count {
        let body = format!("{number};");
        process.append(name, &body).await.unwrap();
        all.push_str(&body);
    }
    all
}

#[tokio::test(start_paused = true)]
async fn what_is_sealed_is_collected_after_the_grace_and_not_before() {
    let world = World::new();
    let process = world.process();
    process.create("s").await.unwrap();
    let mut all = append_many(&process, "s", 60).await;
    assert!(process.engine.seal(&key("s")).await.unwrap());
    all += &append_many(&process, "s", 70).await;
    assert!(process.engine.seal(&key("s")).await.unwrap());
    let slots = async || world.keys(&format!("{}/log/", world.prefix("s").await), "").await.len();
    pass(GRACE.checked_sub(secs(60)).unwrap()).await;
    sweep(&process, SweepScope::Recent).await;
    assert_eq!(slots().await, 130);
    pass(secs(120)).await;
    let swept = sweep(&process, SweepScope::Recent).await;
    assert_eq!(slots().await, 0);
    assert_eq!(swept, Swept { names: 1, looked_at: 1, removed: 131, orphans: 0, failed: 0 }, "and a merged segment");
    assert_eq!(world.process().read("s").await.unwrap(), all);
    // Nothing is left to do, and once it has been so for a while nobody looks any more.
    let revision = world.manifest("s").await.revision;
    sweep(&process, SweepScope::Recent).await;
    assert_eq!(world.manifest("s").await.revision, revision);
    pass(GRACE * 4).await;
    assert_eq!(sweep(&process, SweepScope::Recent).await.looked_at, 0);
    process.append("s", "more").await.unwrap();
    assert_eq!(world.process().read("s").await.unwrap(), all + "more");
}

#[tokio::test(start_paused = true)]
async fn a_busy_stream_collects_its_slots_while_it_is_sealed() {
    let world = World::new();
    let process = world.process_by(EngineSettings { sealing: Sealing::Background, ..EngineSettings::default() });
    process.create("s").await.unwrap();
    let mut all = String::new();
    for _ in 0..40 {
        all += &append_many(&process, "s", 55).await;
        pass(Duration::from_hours(1)).await;
    }
    let manifest = world.manifest("s").await;
    assert!(manifest.log.collected > 500, "{manifest:?}");
    assert!(manifest.log.covers.len() <= 26);
    assert_eq!(world.process().read("s").await.unwrap(), all);
}

#[tokio::test(start_paused = true)]
async fn leftovers_of_a_living_stream_go_and_what_it_needs_stays() {
    let world = World::new();
    let process = world.process();
    process.create("s").await.unwrap();
    let all = append_many(&process, "s", 60).await;
    assert!(process.engine.seal(&key("s")).await.unwrap());
    let prefix = world.prefix("s").await;
    let offset = |at: u64| wadi_protocol::Offset::new(at).to_string();
    let dead = [
        format!("{prefix}/body/00000000000000000000000000000001"),
        format!("{prefix}/segment/{}-{}", offset(3), offset(9)),
        format!("{prefix}/state/{:020}", 7),
    ];
    let unsure = format!("{prefix}/segment/{}-{}", offset(0), offset(900));
    for object in dead.iter().chain([&unsure]) {
        world.overwrite(&ObjectKey::from(object.as_str()), "left over").await;
    }
    sweep(&process, SweepScope::Full).await;
    let exists = async |object: &String| world.all_keys().await.contains(object);
    for object in &dead {
        assert!(exists(object).await, "{object} is young");
    }
    sweep_for_days(&process).await;
    for object in &dead {
        assert!(!exists(object).await, "{object}");
    }
    assert!(exists(&unsure).await, "a sealer may be about to publish it");
    assert_eq!(world.process().read("s").await.unwrap(), all);
}

#[tokio::test(start_paused = true)]
async fn orphans_of_a_crashed_create_are_fenced_and_then_collected() {
    let world = World::new();
    let process = world.process();
    process.create("living").await.unwrap();
    for (name, token) in [("never", 1), ("living", 2)] {
        let orphan = incarnation_prefix(&key(name), Incarnation::from_random(token));
        world.overwrite(&ObjectKey::new(format!("{orphan}/log/{:020}.rec", 1)), "initial bytes").await;
    }
    assert_eq!(sweep(&process, SweepScope::Full).await.orphans, 0, "they are young: a create may be under way");
    pass(GRACE + secs(60)).await;
    assert_eq!(sweep(&process, SweepScope::Full).await.orphans, 2);
    assert_eq!(world.all_keys().await.len(), 4, "they are listed first");
    let swept = sweep(&process, SweepScope::Full).await;
    assert_eq!((swept.removed, swept.orphans), (2, 0));
    assert_eq!(world.all_keys().await, ["manifest/default/living", "manifest/default/never"]);
    assert_eq!(world.manifest("never").await.orphans, []);
    process.create("never").await.unwrap();
    assert_eq!(process.tail("living").await.unwrap(), 0);
}

/// A create puts its first record, and its manifest arrives a day late. By then a sweep has taken the
/// record for an orphan's, so the stream must not come to life without its bytes.
#[tokio::test(start_paused = true)]
async fn a_create_that_was_taken_for_an_orphan_never_comes_to_life() {
    let world = World::new();
    let script = Arc::new(FaultScript::new());
    let store = Arc::new(FaultyStore::new(world.bucket.clone(), script.clone()));
    script.next(Operation::Put, "manifest/", Fault::Postpone);
    script.always(Operation::Put, "manifest/", Fault::NotSent);
    let creator = world.process_on(store.clone());
    let created = creator.engine.create(&key("s"), create_with("initial")).await;
    assert_eq!(created, Err(Refusal::OutcomeUnknown));
    let other = world.process();
    pass(GRACE + secs(60)).await;
    assert_eq!(sweep(&other, SweepScope::Full).await.orphans, 1);
    assert_eq!(sweep(&other, SweepScope::Full).await.removed, 1);
    assert_eq!(store.land_postponed(0).await, Ok(Some(false)), "its condition does not hold any more");
    assert_eq!(other.read("s").await, Err(Refusal::StreamNotFound));
    other.create("s").await.unwrap();
    assert_eq!(other.read("s").await.unwrap(), "");
}

#[tokio::test(start_paused = true)]
async fn a_sweep_does_not_stop_at_what_it_cannot_read() {
    let world = World::new();
    let process = world.process();
    process.create("a").await.unwrap();
    process.create("c").await.unwrap();
    let damaged = NewObject::from(Bytes::from_static(b"no manifest"));
    world.bucket.put(&ObjectKey::from("manifest/default/b"), damaged, PutCondition::Always).await.unwrap();
    let swept = sweep(&process, SweepScope::Full).await;
    assert_eq!((swept.looked_at, swept.failed), (3, 1));
}

#[tokio::test(start_paused = true)]
async fn a_sweep_goes_on_where_another_one_stopped() {
    let world = World::new();
    let process = world.process();
    for name in ["a", "b", "c"] {
        process.create(name).await.unwrap();
        process.append(name, "x").await.unwrap();
    }
    let places = Mutex::new(Vec::new());
    let all = process.engine.sweep_from(SweepScope::Full, None, &|_, at| places.lock().unwrap().push(at.clone())).await;
    assert_eq!(all.unwrap().looked_at, 3);
    let places = places.into_inner().unwrap();
    for (number, at) in places.iter().enumerate() {
        let rest = process.engine.sweep_from(SweepScope::Full, Some(at.clone()), &|_, _| {}).await.unwrap();
        assert_eq!(rest.looked_at, 2_u64.saturating_sub(number as u64), "from {at} on");
    }
    assert_eq!(places.len(), 5, "the names, and the incarnations but the last: {places:?}");
}

#[tokio::test(start_paused = true)]
async fn a_bookmark_is_kept_until_a_sweep_is_finished() {
    let world = World::new();
    let (first, other) = (world.process(), world.process());
    let at = ObjectKey::from("manifest/default/b");
    assert_eq!(first.engine.sweep_bookmark(SweepScope::Full).await, Ok(None));
    first.engine.set_sweep_bookmark(SweepScope::Full, Some(&at)).await.unwrap();
    assert_eq!(other.engine.sweep_bookmark(SweepScope::Full).await, Ok(Some(at)));
    assert_eq!(other.engine.sweep_bookmark(SweepScope::Recent).await, Ok(None));
    other.engine.set_sweep_bookmark(SweepScope::Full, None).await.unwrap();
    assert_eq!(first.engine.sweep_bookmark(SweepScope::Full).await, Ok(None));
    assert_eq!(world.all_keys().await, Vec::<String>::new());
}

/// While a process is busy its view is kept fresh by the log alone: it hears nothing of the manifests
/// that others publish, nor that the segments are gone that its own names.
#[tokio::test(start_paused = true)]
async fn a_sealer_whose_segments_are_gone_looks_anew() {
    let world = World::new();
    let (first, other, late) = (world.process(), world.process(), world.process());
    first.create("s").await.unwrap();
    let mut all = append_many(&first, "s", 60).await;
    assert!(first.engine.seal(&key("s")).await.unwrap());
    pass(GRACE + secs(60)).await;
    late.tail("s").await.unwrap();
    all += &append_many(&other, "s", 60).await;
    assert!(other.engine.seal(&key("s")).await.unwrap());
    assert!(other.engine.collect(&key("s")).await.unwrap() > 60, "slots and a segment");
    all += &append_many(&late, "s", 60).await;
    assert!(!late.engine.seal(&key("s")).await.unwrap(), "what it knows of is gone");
    assert!(late.engine.seal(&key("s")).await.unwrap());
    assert_eq!(world.manifest("s").await.log.checkpoint.seq, 180);
    assert_eq!(world.process().read("s").await.unwrap(), all);
}
