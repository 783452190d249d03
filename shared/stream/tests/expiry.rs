//! The end of a stream by itself: a time-to-live, or a fixed instant.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests")]

mod common;

use std::{sync::Arc, time::Duration};

use common::*;
use futures::future::join;
use wadi_protocol::{
    CreateRequest, DeleteReason, IfMatch, IfNoneMatch, Lifetime, Offset, Operation as Done, ReadForm, ReadFrom,
    ReadRequest, Refusal, Timestamp, WriteOutcome, WriteRequest,
};
use wadi_store::{Fault, Operation, SharedStore};

const TTL: Lifetime = Lifetime::Ttl { seconds: 100 };

fn create_for(lifetime: Lifetime) -> CreateRequest {
    CreateRequest { lifetime, ..create() }
}

async fn with_ttl(world: &World) -> Process {
    let process = world.process();
    process.engine.create(&key("s"), create_for(TTL)).await.unwrap();
    process
}

/// The operations of a record.
async fn operations(world: &World, seq: u64) -> Vec<Done> {
    world.line("s", seq).await.map(|line| line.content.operations).unwrap_or_default()
}

const EXPIRED: Done = Done::Delete { reason: DeleteReason::Expired };

#[tokio::test(start_paused = true)]
async fn a_stream_past_its_time_to_live_ends_by_a_record_and_is_gone_for_all() {
    let world = World::new();
    let process = with_ttl(&world).await;
    let other = world.process();
    other.tail("s").await.unwrap();
    pass(secs(99)).await;
    assert_eq!(other.tail("s").await, Ok(0), "never early");
    pass(secs(2)).await;
    assert_eq!(other.tail("s").await, Err(Refusal::StreamNotFound));
    assert_eq!(operations(&world, 1).await, [EXPIRED]);
    assert!(world.manifest("s").await.is_tombstone());
    for process in [&process, &other, &world.process()] {
        assert_eq!(process.read("s").await, Err(Refusal::StreamNotFound));
        assert_eq!(process.append("s", "x").await, Err(Refusal::StreamNotFound));
        assert_eq!(process.delete("s").await, Err(Refusal::StreamNotFound));
    }
    assert!(world.line("s", 2).await.is_none(), "one record ended it");
}

#[tokio::test(start_paused = true)]
async fn each_kind_of_request_finds_a_stream_expired() {
    for kind in 0..6 {
        let world = World::new();
        with_ttl(&world).await;
        let process = world.process();
        pass(secs(101)).await;
        let refused = match kind {
            0 => process.append("s", "x").await.map(drop),
            1 => process.append_keyed("s", "x", "p", 0, 0).await.map(drop),
            2 => process.close("s").await.map(drop),
            3 => process.delete("s").await,
            4 => process.read("s").await.map(drop),
            _ => process.tail("s").await.map(drop),
        };
        assert_eq!(refused, Err(Refusal::StreamNotFound), "{kind}");
        assert_eq!(operations(&world, 1).await, [EXPIRED], "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_fixed_instant_is_not_moved_by_anything() {
    let world = World::new();
    let process = world.process();
    process.create("clock").await.unwrap();
    let at = process.engine.now().saturating_add(secs(100));
    process.engine.create(&key("s"), create_for(Lifetime::Until(at))).await.unwrap();
    for _ in 0..9 {
        pass(secs(10)).await;
        process.append("s", "x").await.unwrap();
        process.read("s").await.unwrap();
    }
    pass(secs(11)).await;
    assert_eq!(process.tail("s").await, Err(Refusal::StreamNotFound));
    assert!(world.object(&common::surgery::slot_of("s", incarnation(&world).await, 11)).await.is_none());
}

async fn incarnation(world: &World) -> wadi_protocol::Incarnation {
    world.manifest("s").await.incarnation()
}

#[tokio::test(start_paused = true)]
async fn what_ended_before_it_began_is_created_and_gone() {
    for lifetime in [Lifetime::Ttl { seconds: 0 }, Lifetime::Until(Timestamp::from_millis(1))] {
        let world = World::new();
        let process = world.process();
        assert!(!process.engine.create(&key("s"), create_for(lifetime)).await.unwrap().existed);
        pass(Duration::from_millis(2)).await;
        assert_eq!(process.tail("s").await, Err(Refusal::StreamNotFound));
        let again = process.engine.create(&key("s"), create_for(lifetime)).await.unwrap();
        assert!(!again.existed);
    }
}

/// On a store whose dates have whole seconds, an instant within a second is only over at its end.
#[tokio::test(start_paused = true)]
async fn coarse_dates_never_end_a_stream_early() {
    let world = World::new();
    let coarse: SharedStore = DatedStore::coarse(world.faulty.clone());
    let process = world.process_on(coarse.clone());
    let started = tokio::time::Instant::now();
    pass(Duration::from_millis(700)).await;
    process.engine.create(&key("s"), create_for(Lifetime::Ttl { seconds: 3 })).await.unwrap();
    let created = started.elapsed();
    let reader = world.process_on(coarse);
    loop {
        pass(Duration::from_millis(100)).await;
        let lives = reader.tail("s").await.is_ok();
        let age = started.elapsed().checked_sub(created).unwrap();
        assert!(lives || age >= secs(3), "gone after {age:?}");
        if !lives {
            assert!(age < secs(6), "gone after {age:?} only");
            return;
        }
    }
}

/// What a process takes for now after a suspension is long past, until the store answers.
#[tokio::test(start_paused = true)]
async fn a_stream_created_right_after_a_suspension_lives_its_whole_time() {
    for warm in [false, true] {
        let world = World::new();
        let (process, runtime) = world.suspendable();
        process.create("clock").await.unwrap();
        if warm {
            process.engine.create(&key("s"), create_for(TTL)).await.unwrap();
        }
        runtime.suspend();
        pass(secs(7200)).await;
        runtime.resume();
        let created = process.engine.create(&key("s"), create_for(TTL)).await.unwrap();
        assert!(!created.existed);
        pass(secs(99)).await;
        assert_eq!(world.process().tail("s").await, Ok(0), "warm: {warm}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_renewal_right_after_a_short_suspension_counts_from_now() {
    for kind in ["append", "read", "close"] {
        let world = World::new();
        let (process, runtime) = world.suspendable();
        process.engine.create(&key("s"), create_for(Lifetime::Ttl { seconds: 40 })).await.unwrap();
        process.append_keyed("s", "x", "p", 0, 0).await.unwrap();
        runtime.suspend();
        pass(secs(29)).await;
        runtime.resume();
        ask(&process, kind).await;
        pass(secs(39)).await;
        assert!(world.process().tail("s").await.is_ok(), "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_create_over_an_expired_stream_ends_it_and_begins_another() {
    for warm in [true, false] {
        let world = World::new();
        let first = with_ttl(&world).await;
        first.append("s", "old").await.unwrap();
        let other = world.process();
        if warm {
            other.tail("s").await.unwrap();
        }
        let old = incarnation(&world).await;
        pass(secs(101)).await;
        let created = other.engine.create(&key("s"), create_with("new")).await.unwrap();
        assert!(!created.existed && created.stream.incarnation != old);
        assert_eq!(first.read("s").await.unwrap(), "new");
        assert_eq!(world.process().read("s").await.unwrap(), "new");
        let ends = world.object(&common::surgery::slot_of("s", old, 2)).await.unwrap().0;
        assert!(String::from_utf8_lossy(&ends).contains("\"expired\""), "the old log is closed for good");
    }
}

/// Whoever is first decides, and both agree on it.
#[tokio::test(start_paused = true)]
async fn an_expiry_and_a_renewal_that_race_agree() {
    for delay_ms in 0..60 {
        let world = World::new();
        let writer = with_ttl(&world).await;
        let reader = world.process();
        reader.tail("s").await.unwrap();
        pass(Duration::from_millis(99_960)).await;
        let late = async {
            pass(Duration::from_millis(20)).await;
            writer.append("s", "x").await
        };
        let looks = async {
            pass(Duration::from_millis(delay_ms)).await;
            reader.tail("s").await
        };
        let (appended, tail) = join(late, looks).await;
        match &appended {
            Ok(_) => assert!(matches!(tail, Ok(0 | 1)), "{delay_ms}: {tail:?}"),
            Err(refusal) => assert_eq!((refusal, &tail), (&Refusal::StreamNotFound, &Err(Refusal::StreamNotFound))),
        }
        let lives = appended.is_ok();
        assert_eq!(reader.tail("s").await.is_ok(), lives, "{delay_ms}");
        assert_eq!(world.process().tail("s").await.is_ok(), lives, "{delay_ms}");
    }
}

/// A reader's delete record is on its way when a writer's append takes its slot.
#[tokio::test(start_paused = true)]
async fn an_expiry_that_loses_to_a_renewal_is_decided_again() {
    let world = World::new();
    let process = with_ttl(&world).await;
    let writer = world.process();
    writer.tail("s").await.unwrap();
    pass(secs(100) + Duration::from_millis(1)).await;
    let mut hold = world.script.hold(Operation::Put, "/log/");
    let process = Arc::new(process);
    let looks = tokio::spawn({
        let process = process.clone();
        async move { process.tail("s").await }
    });
    hold.arrived().await;
    // A writer whose answers are older does not know yet that the time is over.
    let slot = world.slot("s", 1).await;
    let lagging = world.process();
    lagging.create("t").await.unwrap();
    let renewal = renewal_record(&world, &lagging).await;
    world.overwrite(&slot, renewal).await;
    hold.release();
    assert_eq!(looks.await.unwrap(), Ok(1));
    assert_eq!(writer.tail("s").await, Ok(1));
}

/// The record of an append of one byte, as it would be in slot 1 of `s`.
async fn renewal_record(world: &World, process: &Process) -> Vec<u8> {
    process.append("t", "x").await.unwrap();
    let (ours, theirs) = (world.manifest("s").await, world.manifest("t").await);
    let record = world.object(&world.slot("t", 1).await).await.unwrap().0;
    let text = String::from_utf8(record.to_vec()).unwrap();
    let expires = ours.genesis.at.as_millis() + 101 * 1000;
    let at = ours.genesis.at.as_millis() + 1000;
    let (head, _) = text.rsplit_once(",\"check\":").unwrap();
    let head = head.replace(&theirs.incarnation().to_string(), &ours.incarnation().to_string());
    let (before, after) = head.split_once("\"at\":").unwrap();
    let after = after.split_once(',').unwrap().1;
    let head = format!("{before}\"at\":{at},{after}");
    let end = head.rfind("}}").unwrap();
    let head = format!("{},\"expires_at\":{expires}{}", &head[..end], &head[end..]);
    let check = blake3::hash(head.as_bytes()).to_hex();
    format!("{head},\"check\":\"{}\"}}\nx", &check[..16]).into_bytes()
}

/// What renews: each request, and whether the stream lives 60 seconds after 60 seconds.
#[tokio::test(start_paused = true)]
async fn writes_and_reads_that_succeed_renew_and_nothing_else_does() {
    for (kind, renews) in [
        ("append", true),
        ("keyed append", true),
        ("close", true),
        ("read", true),
        ("read of nothing", true),
        ("read not modified", true),
        ("head", false),
        ("repeat", false),
        ("refused append", false),
        ("failed condition", false),
        ("read beyond the tail", false),
        ("create again", false),
        ("close again", false),
    ] {
        let world = World::new();
        let process = with_ttl(&world).await;
        process.append_keyed("s", "x", "p", 0, 0).await.unwrap();
        if kind == "close again" {
            process.close("s").await.unwrap();
        }
        pass(secs(60)).await;
        ask(&process, kind).await;
        pass(secs(60)).await;
        assert_eq!(world.process().tail("s").await.is_ok(), renews, "{kind}");
    }
}

async fn ask(process: &Process, kind: &str) {
    let name = key("s");
    let read = |request: ReadRequest| process.engine.read(&name, request);
    match kind {
        "append" => drop(process.append("s", "x").await.unwrap()),
        "keyed append" => drop(process.append_keyed("s", "x", "p", 0, 1).await.unwrap()),
        "close" | "close again" => drop(process.close("s").await.unwrap()),
        "read" => drop(process.read("s").await.unwrap()),
        "read of nothing" => drop(read(common::read(ReadFrom::Now)).await.unwrap()),
        "read not modified" => {
            let condition = Some(IfNoneMatch::Any);
            let request = ReadRequest { if_none_match: condition, ..common::read(ReadFrom::Start) };
            assert!(read(request).await.unwrap().not_modified);
        }
        "head" => drop(process.tail("s").await.unwrap()),
        "repeat" => {
            let repeat = process.append_keyed("s", "x", "p", 0, 0).await.unwrap();
            assert!(matches!(repeat, WriteOutcome::Repeat(_)));
        }
        "refused append" => drop(process.append_keyed("s", "x", "p", 0, 7).await.unwrap_err()),
        "failed condition" => {
            let request = WriteRequest { if_match: Some(IfMatch::Tags(Vec::new())), ..append("x") };
            process.write("s", request).await.unwrap_err();
        }
        "read beyond the tail" => drop(read(common::read(ReadFrom::At(Offset::new(9)))).await.unwrap_err()),
        "create again" => {
            let again = process.engine.create(&name, create_for(TTL)).await.unwrap();
            assert!(again.existed);
        }
        other => panic!("{other}"),
    }
}

#[tokio::test(start_paused = true)]
async fn a_refused_read_inside_a_message_renews_nothing() {
    let world = World::new();
    let process = world.process();
    let content_type = wadi_protocol::ContentType::parse("application/json").unwrap();
    let request = CreateRequest { content_type, text: "[1]\n".into(), messages: 1, ..create_for(TTL) };
    process.engine.create(&key("s"), request).await.unwrap();
    pass(secs(60)).await;
    let inside = ReadRequest { form: ReadForm::Array, ..read(ReadFrom::At(Offset::new(2))) };
    let refused = process.engine.read(&key("s"), inside).await;
    assert!(matches!(refused, Err(Refusal::NotJsonBoundary { .. })), "{refused:?}");
    assert!(world.line("s", 2).await.is_none());
    let whole = ReadRequest { form: ReadForm::Array, ..read(ReadFrom::At(Offset::new(4))) };
    process.engine.read(&key("s"), whole).await.unwrap();
    assert_eq!(operations(&world, 2).await, [Done::Touch]);
}

#[tokio::test(start_paused = true)]
async fn reads_renew_once_a_quarter_of_the_time_has_passed() {
    let world = World::new();
    let process = with_ttl(&world).await;
    pass(secs(24)).await;
    process.read("s").await.unwrap();
    assert!(world.line("s", 1).await.is_none());
    pass(secs(1)).await;
    let reads = futures::future::join_all((0..50).map(|_| process.read("s")));
    assert!(reads.await.into_iter().all(|read| read.is_ok()));
    assert_eq!(operations(&world, 1).await, [Done::Touch]);
    assert!(world.line("s", 2).await.is_none(), "fifty readers, one renewal");
    let warm = world.process();
    warm.tail("s").await.unwrap();
    pass(secs(25)).await;
    let (text, cost) = warm.counting(warm.read("s")).await;
    assert_eq!((text.unwrap(), cost.put, cost.get), (String::new(), 1, 1), "a probe and a renewal, in parallel");
}

#[tokio::test(start_paused = true)]
async fn a_renewal_that_cannot_be_committed_does_not_fail_the_read() {
    for fault in [Fault::Denied, Fault::NotSent, Fault::ServerError, Fault::LoseAnswer] {
        let world = World::new();
        let process = with_ttl(&world).await;
        process.append("s", "x").await.unwrap();
        pass(secs(30)).await;
        world.script.always(Operation::Put, "/log/", fault.clone());
        assert_eq!(process.read("s").await.unwrap(), "x", "{fault:?}");
    }
}

/// A touch that loses its slot is done when the record that took it renewed.
#[tokio::test(start_paused = true)]
async fn a_renewal_that_loses_to_a_write_is_not_sent_again() {
    let world = World::new();
    let (reader, writer) = (Arc::new(with_ttl(&world).await), world.process());
    writer.tail("s").await.unwrap();
    pass(secs(26)).await;
    let mut hold = world.script.hold(Operation::Put, "/log/");
    let reads = tokio::spawn({
        let reader = reader.clone();
        async move { reader.read("s").await }
    });
    hold.arrived().await;
    writer.append("s", "x").await.unwrap();
    hold.release();
    reads.await.unwrap().unwrap();
    pass(secs(1)).await;
    assert!(world.line("s", 2).await.is_none());
}
