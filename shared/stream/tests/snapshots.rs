//! Snapshots: what publishing and reading one costs, and that no crash, race or damage leaves more than
//! garbage.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests")]

mod common;

use std::sync::Arc;

use bytes::Bytes;
use common::{
    snapshots::{bytes_of, publish, snapshot_request},
    *,
};
use tokio::time::Instant;
use wadi_protocol::{
    ByteRange, ContentType, CreateRequest, Lifetime, Offset, Payload, Refusal, SnapshotRefusal, SnapshotRequest,
    WriteRequest,
};
use wadi_store::{Fault, ObjectKey, Operation, RequestCounts};

const NOTHING: RequestCounts = RequestCounts { get: 0, put: 0, delete: 0, list: 0 };

/// A process that has written ten bytes to `s`.
async fn written(world: &World) -> Process {
    let process = world.process();
    process.create("s").await.unwrap();
    process.append("s", "0123456789").await.unwrap();
    process
}

fn not_found(refusal: &Refusal) -> bool {
    matches!(refusal, Refusal::Snapshot(SnapshotRefusal::NotFound { .. }))
}

/// What kinds of keys were asked for, in order: `PUT body`, `GET log`.
fn kinds(requests: &[String]) -> Vec<String> {
    let kind = |line: &String| {
        let (operation, key) = line.split_once(' ').unwrap();
        let kind = ["log", "body", "snapshot"].into_iter().find(|kind| key.contains(&format!("/{kind}/")));
        format!("{operation} {}", kind.unwrap_or_else(|| key.split('/').next().unwrap()))
    };
    requests.iter().map(kind).collect()
}

async fn kept(world: &World, kind: &str) -> Vec<ObjectKey> {
    world.keys("ds/", &format!("/{kind}/")).await
}

#[tokio::test(start_paused = true)]
async fn a_warm_publish_is_its_body_its_record_and_its_copy() {
    let world = World::new();
    let process = written(&world).await;
    let (outcome, requests) = process.recording(process.publish("s", 7, "state")).await;
    outcome.unwrap();
    assert_eq!(kinds(&requests), ["PUT body", "PUT log", "PUT snapshot"]);
    assert_eq!(process.snapshot("s", 7).await.unwrap(), b"state");
}

#[tokio::test(start_paused = true)]
async fn a_repeat_uploads_nothing_and_a_refusal_asks_once() {
    let world = World::new();
    let process = written(&world).await;
    let first = process.publish("s", 7, "state").await.unwrap();
    let (repeat, requests) = process.recording(process.publish("s", 7, "state")).await;
    assert_eq!(repeat.unwrap(), first);
    assert_eq!(kinds(&requests), ["GET log", "GET snapshot"]);
    for (at, body) in [(7, "other"), (3, "state"), (11, "state")] {
        let (refused, cost) = process.counting(process.publish("s", at, body)).await;
        assert!(matches!(refused, Err(Refusal::Snapshot(_))), "{refused:?}");
        assert_eq!(cost, RequestCounts { get: 1, ..NOTHING }, "{at} {body}");
    }
    assert_eq!(kept(&world, "body").await.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_warm_read_is_one_probe_and_one_get_at_once() {
    let world = World::new();
    let process = written(&world).await;
    process.publish("s", 7, "state").await.unwrap();
    let started = Instant::now();
    let (read, requests) = process.recording(process.snapshot("s", 7)).await;
    assert_eq!(read.unwrap(), b"state");
    let mut requests = kinds(&requests);
    requests.sort_unstable();
    assert_eq!(requests, ["GET log", "GET snapshot"]);
    assert_eq!(started.elapsed(), ROUND, "both at once");
}

#[tokio::test(start_paused = true)]
async fn what_needs_no_bytes_fetches_none() {
    let world = World::new();
    let process = written(&world).await;
    process.publish("s", 7, "state").await.unwrap();
    process.publish("s", 8, "").await.unwrap();
    let known = wadi_protocol::IfNoneMatch::Any;
    let conditional = SnapshotRequest { if_none_match: Some(known), ..snapshot_request(8) };
    let (head, cost) = process.counting(process.engine.head_snapshot(&key("s"), &snapshot_request(8))).await;
    assert_eq!((head.unwrap().plan.snapshot.bytes, cost), (0, RequestCounts { get: 1, ..NOTHING }));
    let (answer, cost) = process.counting(process.engine.snapshot(&key("s"), &conditional)).await;
    assert_eq!((answer.unwrap().plan.not_modified, cost), (true, RequestCounts { get: 1, ..NOTHING }));
    let (empty, cost) = process.counting(process.snapshot("s", 8)).await;
    assert_eq!((empty.unwrap(), cost), (Vec::new(), RequestCounts { get: 1, ..NOTHING }));
    let (superseded, cost) = process.counting(process.snapshot("s", 7)).await;
    assert!(not_found(&superseded.unwrap_err()));
    assert_eq!(cost, RequestCounts { get: 1, ..NOTHING });
}

#[tokio::test(start_paused = true)]
async fn the_copy_has_the_headers_it_is_served_with() {
    let world = World::new();
    let process = written(&world).await;
    let published = process.publish("s", 7, "state").await.unwrap();
    let key = kept(&world, "snapshot").await.remove(0);
    let token = published.incarnation;
    assert_eq!(key.as_str(), format!("ds/default/s/incarnation/{token}/snapshot/00000000000000000007"));
    let found = wadi_store::ObjectStore::get(&*world.bucket, &key, wadi_store::GetOptions::default()).await.unwrap();
    let wadi_store::GetOutcome::Found(object) = found else { panic!("{found:?}") };
    assert_eq!(object.attributes.content_type.as_deref(), Some("text/plain"));
    assert_eq!(object.attributes.cache_control.as_deref(), Some("max-age=31536000, immutable"));
    let metadata: Vec<_> = object.attributes.metadata.iter().map(|(name, value)| format!("{name}: {value}")).collect();
    assert_eq!(
        metadata,
        [
            "stream-immutable: true".to_owned(),
            format!("stream-incarnation: {token}"),
            "stream-next-offset: 00000000000000000007".to_owned(),
            format!("stream-snapshot-digest: {}", published.snapshot.digest),
            "stream-snapshot-offset: 00000000000000000007".to_owned(),
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn every_process_sees_the_latest_at_once_and_no_other() {
    let world = World::new();
    let writer = written(&world).await;
    let reader = world.process();
    for (at, body) in [(0, "nothing"), (5, "half"), (10, "all")] {
        writer.publish("s", at, body).await.unwrap();
        assert_eq!(reader.snapshot("s", at).await.unwrap(), body.as_bytes());
        let stream = reader.engine.head(&key("s"), None).await.unwrap();
        assert_eq!(stream.snapshot.unwrap().offset, Offset::new(at));
        assert_eq!(world.process().snapshot("s", at).await.unwrap(), body.as_bytes());
    }
    assert!(not_found(&reader.snapshot("s", 5).await.unwrap_err()));
    assert_eq!(writer.read("s").await.unwrap(), "0123456789", "the bytes are all still there");
}

#[tokio::test(start_paused = true)]
async fn a_snapshot_outlives_the_record_that_named_it() {
    let world = World::new();
    written(&world).await.publish("s", 7, "state").await.unwrap();
    world.checkpoint("s").await;
    world.collect("s").await;
    let reader = world.process();
    assert_eq!(reader.snapshot("s", 7).await.unwrap(), b"state");
    reader.publish("s", 10, "more").await.unwrap();
    assert_eq!(world.process().snapshot("s", 10).await.unwrap(), b"more");
}

/// The publisher goes away at each of its requests in turn.
#[tokio::test(start_paused = true)]
async fn a_publisher_that_goes_away_leaves_garbage_at_most() {
    for (part, lost, published) in [
        ("/body/", Fault::Denied, false),
        ("/body/", Fault::LoseAnswer, false),
        ("/log/", Fault::Denied, false),
        ("/snapshot/", Fault::Denied, true),
        ("/snapshot/", Fault::LoseAnswer, true),
    ] {
        let world = World::new();
        let process = written(&world).await;
        world.script.next(Operation::Put, part, lost.clone());
        let outcome = process.publish("s", 7, "state").await;
        assert_eq!(outcome.is_ok(), published, "{part} {outcome:?}");
        let next = world.process();
        if published {
            assert_eq!(next.snapshot("s", 7).await.unwrap(), b"state", "{part} {lost:?}");
            next.publish("s", 7, "other").await.unwrap_err();
        } else {
            assert_eq!(outcome, Err(Refusal::StoreUnavailable));
            assert!(not_found(&next.snapshot("s", 7).await.unwrap_err()));
            next.publish("s", 7, "other").await.unwrap();
            assert_eq!(process.snapshot("s", 7).await.unwrap(), b"other", "{part} {lost:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_publish_whose_answer_was_lost_is_found() {
    let world = World::new();
    let process = written(&world).await;
    world.script.next(Operation::Put, "/log/", Fault::LoseAnswer);
    process.publish("s", 7, "state").await.unwrap();
    assert_eq!(kept(&world, "log").await.len(), 2, "one record, not two");
    assert_eq!(process.snapshot("s", 7).await.unwrap(), b"state");
}

#[tokio::test(start_paused = true)]
async fn who_repeats_a_publish_completes_its_copy() {
    let world = World::new();
    let process = written(&world).await;
    world.script.next(Operation::Put, "/snapshot/", Fault::Denied);
    process.publish("s", 7, "state").await.unwrap();
    assert_eq!(kept(&world, "snapshot").await, []);
    world.process().publish("s", 7, "state").await.unwrap();
    assert_eq!(kept(&world, "snapshot").await.len(), 1);
    world.remove(&kept(&world, "body").await[0]).await;
    assert_eq!(world.process().snapshot("s", 7).await.unwrap(), b"state", "it is read where it was copied to");
}

#[tokio::test(start_paused = true)]
async fn a_copy_that_hangs_is_not_waited_for() {
    let world = World::new();
    let process = written(&world).await;
    let hold = world.script.hold(Operation::Put, "/snapshot/");
    process.publish("s", 7, "state").await.unwrap();
    assert_eq!(process.snapshot("s", 7).await.unwrap(), b"state");
    drop(hold);
}

#[tokio::test(start_paused = true)]
async fn publishers_that_race_at_one_offset_publish_one_body() {
    let world = World::new();
    written(&world).await;
    let processes: Vec<Process> = (0..4).map(|_| world.process()).collect();
    let bodies = ["a", "b", "a", "b"];
    let publishes = processes.iter().zip(bodies).map(|(process, body)| process.publish("s", 7, body));
    let outcomes = futures::future::join_all(publishes).await;
    let kept = processes[0].snapshot("s", 7).await.unwrap();
    for (outcome, body) in outcomes.iter().zip(bodies) {
        assert_eq!(outcome.is_ok(), body.as_bytes() == kept, "{outcome:?}");
    }
    for process in &processes {
        assert_eq!(process.snapshot("s", 7).await.unwrap(), kept);
    }
}

#[tokio::test(start_paused = true)]
async fn a_stream_created_anew_meanwhile_gets_the_snapshot_below_its_own_token() {
    let world = World::new();
    let process = written(&world).await;
    let other = world.process();
    other.delete("s").await.unwrap();
    other.engine.create(&key("s"), create_with("0123456789")).await.unwrap();
    // It knows nothing of that yet, and uploads for the stream it knows.
    let published = process.publish("s", 7, "state").await.unwrap();
    let token = other.engine.head(&key("s"), None).await.unwrap().incarnation;
    assert_eq!(published.incarnation, token);
    assert_eq!(other.snapshot("s", 7).await.unwrap(), b"state");
    assert_eq!(kept(&world, &format!("incarnation/{token}/body")).await.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_is_gone_takes_no_snapshot() {
    let world = World::new();
    let process = written(&world).await;
    world.process().delete("s").await.unwrap();
    assert_eq!(process.publish("s", 7, "state").await, Err(Refusal::StreamNotFound));
    assert_eq!(process.publish("none", 0, "state").await, Err(Refusal::StreamNotFound));
    assert_eq!(process.snapshot("s", 7).await.unwrap_err(), Refusal::StreamNotFound);
}

/// A body that no record names is collected a day later, so only a young one may be named.
#[tokio::test(start_paused = true)]
async fn a_body_that_grew_old_before_its_record_was_sent_is_uploaded_again() {
    let world = World::new();
    let process = Arc::new(written(&world).await);
    // A write before it is slow: it fails, what became of it is found out slowly, and then it lands slowly.
    world.script.next(Operation::Put, "/log/", Fault::ServerError);
    let mut finding_out = world.script.hold(Operation::Get, "/log/");
    let appending = process.clone();
    let appending = tokio::spawn(async move { appending.append("s", "a").await });
    finding_out.arrived().await;
    let publishing = process.clone();
    let publishing = tokio::spawn(async move { publishing.publish("s", 7, "state").await });
    while kept(&world, "body").await.is_empty() {
        pass(ROUND).await;
    }
    pass(secs(18)).await;
    let mut record = world.script.hold(Operation::Put, "/log/");
    finding_out.release();
    record.arrived().await;
    pass(secs(20)).await;
    record.release();
    appending.await.unwrap().unwrap();
    publishing.await.unwrap().unwrap();
    assert_eq!(kept(&world, "body").await.len(), 2);
    assert_eq!(world.process().snapshot("s", 7).await.unwrap(), b"state");
}

#[tokio::test(start_paused = true)]
async fn a_record_that_lands_long_after_its_body_was_uploaded_is_no_success() {
    let world = World::new();
    let process = Arc::new(written(&world).await);
    let mut upload = world.script.hold_answer(Operation::Put, "/body/");
    let publishing = process.clone();
    let publishing = tokio::spawn(async move { publishing.publish("s", 7, "state").await });
    upload.arrived().await;
    pass(secs(28)).await;
    process.tail("s").await.unwrap();
    // The first attempt fails, what became of it is found out slowly, and the second one is slow, too.
    world.script.next(Operation::Put, "/log/", Fault::ServerError);
    let mut finding_out = world.script.hold(Operation::Get, "/log/");
    upload.release();
    finding_out.arrived().await;
    pass(secs(18)).await;
    let mut record = world.script.hold(Operation::Put, "/log/");
    finding_out.release();
    record.arrived().await;
    pass(secs(20)).await;
    record.release();
    assert_eq!(publishing.await.unwrap(), Err(Refusal::OutcomeUnknown));
    // It did land, and the next who asks is told so.
    assert_eq!(kept(&world, "log").await.len(), 2);
    process.publish("s", 7, "state").await.unwrap();
    assert_eq!(world.process().snapshot("s", 7).await.unwrap(), b"state");
}

#[tokio::test(start_paused = true)]
async fn an_object_that_is_not_the_snapshot_is_never_served_for_it() {
    for (at_copy, at_upload, readable) in [(true, false, true), (false, true, true), (true, true, false)] {
        for damage in [&b"stat"[..], b"STATE", b"statement", b""] {
            let world = World::new();
            let process = written(&world).await;
            process.publish("s", 7, "state").await.unwrap();
            if at_copy {
                world.overwrite(&kept(&world, "snapshot").await[0], damage).await;
            }
            if at_upload {
                world.overwrite(&kept(&world, "body").await[0], damage).await;
            }
            let expected = if readable { Ok(b"state".to_vec()) } else { Err(Refusal::StoreUnavailable) };
            assert_eq!(process.snapshot("s", 7).await, expected, "{at_copy} {at_upload} {damage:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_large_snapshot_comes_in_pieces_and_its_end_only_if_it_is_whole() {
    let world = World::new();
    let process = written(&world).await;
    let body: Bytes = (0..(9 << 20)).map(|n: u32| u8::try_from(n % 251).unwrap()).collect();
    process.publish("s", 7, body.clone()).await.unwrap();
    assert_eq!(process.snapshot("s", 7).await.unwrap(), body);
    let range = ByteRange::parse("bytes=1000-8999999");
    let request = SnapshotRequest { range, ..snapshot_request(7) };
    let part = process.engine.snapshot(&key("s"), &request).await.unwrap();
    assert_eq!(bytes_of(part).await.unwrap(), body.slice(1000..9_000_000));

    world.remove(&kept(&world, "snapshot").await[0]).await;
    let mut damaged = body.to_vec();
    damaged[0] ^= 1;
    world.overwrite(&kept(&world, "body").await[0], damaged).await;
    let mut answer = process.engine.snapshot(&key("s"), &snapshot_request(7)).await.unwrap().body.unwrap();
    assert_eq!(answer.next().await.unwrap().unwrap().len(), 8 << 20);
    assert_eq!(answer.next().await, Some(Err(Refusal::StoreUnavailable)));
    assert_eq!(answer.next().await, None);
}

async fn json(world: &World) -> Process {
    let process = world.process();
    let create = CreateRequest { content_type: ContentType::json(), ..create() };
    process.engine.create(&key("s"), create).await.unwrap();
    let content = Payload::of_append(Some("application/json"), None, Bytes::from_static(b"[11,22,33]"));
    process.write("s", WriteRequest { content, ..append("") }).await.unwrap();
    process
}

#[tokio::test(start_paused = true)]
async fn a_snapshot_of_a_json_stream_is_taken_between_messages() {
    let world = World::new();
    json(&world).await;
    for (at, taken) in [(0, true), (1, false), (2, false), (3, true), (5, false), (6, true), (9, true)] {
        let outcome = world.process().publish("s", at, "state").await;
        match outcome {
            Ok(_) => assert!(taken, "{at}"),
            Err(Refusal::Snapshot(SnapshotRefusal::InsideMessage { tail })) => {
                assert!(!taken && tail.get() == 9, "{at}");
            }
            other => panic!("{at}: {other:?}"),
        }
    }
    assert_eq!(kept(&world, "body").await.len(), 4, "nothing is uploaded for what is refused");
}

#[tokio::test(start_paused = true)]
async fn the_byte_of_another_incarnation_tells_nothing() {
    let world = World::new();
    let process = json(&world).await;
    let other = world.process();
    // At 3 a message of the old stream ends, and none of the new one.
    other.delete("s").await.unwrap();
    let text = Bytes::from_static(b"12345\n");
    let anew = CreateRequest { content_type: ContentType::json(), text, messages: 1, ..create() };
    other.engine.create(&key("s"), anew).await.unwrap();
    let refused = process.publish("s", 3, "state").await;
    assert!(matches!(refused, Err(Refusal::Snapshot(SnapshotRefusal::InsideMessage { .. }))), "{refused:?}");
}

#[tokio::test(start_paused = true)]
async fn a_read_renews_a_time_to_live_and_a_publish_does_not() {
    for (kind, renews) in [("read", true), ("known", true), ("head", false), ("publish", false), ("missing", false)] {
        let world = World::new();
        let process = world.process();
        let lifetime = Lifetime::Ttl { seconds: 100 };
        process.engine.create(&key("s"), CreateRequest { lifetime, ..create() }).await.unwrap();
        process.publish("s", 0, "state").await.unwrap();
        pass(secs(60)).await;
        let name = key("s");
        match kind {
            "read" => drop(process.snapshot("s", 0).await.unwrap()),
            "known" => {
                let known = Some(wadi_protocol::IfNoneMatch::Any);
                let request = SnapshotRequest { if_none_match: known, ..snapshot_request(0) };
                process.engine.snapshot(&name, &request).await.unwrap();
            }
            "head" => drop(process.engine.head_snapshot(&name, &snapshot_request(0)).await.unwrap()),
            "publish" => drop(process.publish("s", 0, "state").await.unwrap()),
            _ => drop(process.snapshot("s", 1).await.unwrap_err()),
        }
        pass(secs(60)).await;
        assert_eq!(process.tail("s").await.is_ok(), renews, "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_publish_shares_a_record_with_what_waits_beside_it() {
    let world = World::new();
    let process = Arc::new(written(&world).await);
    let mut busy = world.script.hold(Operation::Put, "/log/");
    let ask = |body: &'static str| {
        let process = process.clone();
        tokio::spawn(async move { process.append("s", body).await })
    };
    let first = ask("a");
    busy.arrived().await;
    let publishing = process.clone();
    let publishing = tokio::spawn(async move { publishing.publish("s", 10, "state").await });
    let second = ask("b");
    while kept(&world, "body").await.is_empty() {
        pass(ROUND).await;
    }
    pass(ROUND).await;
    busy.release();
    publishing.await.unwrap().unwrap();
    first.await.unwrap().unwrap();
    second.await.unwrap().unwrap();
    assert_eq!(kept(&world, "log").await.len(), 3, "the later two in one record");
    let reader = world.process();
    assert_eq!(reader.snapshot("s", 10).await.unwrap(), b"state");
    assert_eq!(reader.read("s").await.unwrap(), "0123456789ab");
}

#[tokio::test(start_paused = true)]
async fn publishes_are_decided_by_the_rules_and_not_by_what_a_process_remembers() {
    let world = World::new();
    let stale = written(&world).await;
    let other = world.process();
    other.append("s", "abc").await.unwrap();
    // Beyond the tail that it knows, and below the one there is.
    stale.publish("s", 12, "state").await.unwrap();
    let request = publish(12, b"other");
    let refused = other.engine.publish(&key("s"), request, Bytes::from_static(b"other")).await;
    assert!(matches!(refused, Err(Refusal::Snapshot(SnapshotRefusal::Conflict { .. }))), "{refused:?}");
}
