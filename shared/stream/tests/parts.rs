//! Snapshots in parts: what staging and committing cost and leave, and what a commit is told.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use bytes::Bytes;
use common::{
    parts::{ANY_LIFE, commit, noise},
    snapshots::{bytes_of, snapshot_request},
    *,
};
use wadi_protocol::{
    ByteRange, Incarnation, PartId, PartsRefusal, PartsRequest, Refusal, SnapshotRefusal, SnapshotRequest,
};
use wadi_store::RequestCounts;

const MIB: usize = 1 << 20;
const NOTHING: RequestCounts = RequestCounts { get: 0, put: 0, delete: 0, list: 0 };

/// A process that has written ten bytes to `s`.
async fn written(world: &World) -> Process {
    let process = world.process();
    process.create("s").await.unwrap();
    process.append("s", "0123456789").await.unwrap();
    process
}

fn refused(refusal: PartsRefusal) -> Result<wadi_protocol::Published, Refusal> {
    Err(refusal.into())
}

#[tokio::test(start_paused = true)]
async fn any_process_commits_what_others_staged_and_what_it_comes_to_is_read_in_pieces() {
    let world = World::new();
    let (one, other) = (written(&world).await, world.process());
    let body = noise(21 * MIB + 5);
    for size in [8 * MIB, 3 * MIB + 1] {
        let mut parts = one.stage_all("s", &body.slice(..9 * MIB), size).await;
        parts.extend(other.stage_all("s", &body.slice(9 * MIB..), size).await);
        let at = if size == 8 * MIB { 7 } else { 8 };
        let published = world.process().commit("s", at, &body, &parts).await.unwrap();
        assert!(one.snapshot("s", at).await.unwrap() == body);
        let ranged = |text: &str| SnapshotRequest { range: ByteRange::parse(text), ..snapshot_request(at) };
        let answer = other.engine.snapshot(&key("s"), &ranged("bytes=8388600-16777299")).await.unwrap();
        assert!(bytes_of(answer).await.unwrap() == body.slice(8_388_600..16_777_300));
        let head = other.engine.head_snapshot(&key("s"), &snapshot_request(at)).await.unwrap();
        assert_eq!((head.plan.snapshot.bytes, head.plan.snapshot.name()), (body.len() as u64, published.snapshot));
        let mut bootstrap = other.engine.bootstrap(&key("s"), None, 1 << 30, true).await.unwrap();
        let mut whole = Vec::new();
        while let Some(Ok(wadi_stream::BootstrapPiece::Snapshot(piece))) = bootstrap.next_piece().await {
            assert!(piece.len() <= 8 * MIB);
            whole.extend_from_slice(&piece);
        }
        assert!(whole == body);
        assert_eq!(world.count("staged").await, 0, "the parts are used up");
    }
    assert_eq!(world.bucket.upload_count(), 0);
}

#[tokio::test(start_paused = true)]
async fn the_copy_of_a_large_snapshot_has_the_headers_it_is_served_with() {
    let world = World::new();
    let process = written(&world).await;
    let body = noise(9 * MIB);
    let parts = process.stage_all("s", &body, 8 * MIB).await;
    let published = process.commit("s", 7, &body, &parts).await.unwrap();
    let copy = world.stored(&world.keys("ds/", "/snapshot/").await[0]).await;
    assert!(copy.body == body);
    assert_eq!(copy.attributes.content_type.as_deref(), Some("text/plain"));
    assert_eq!(copy.attributes.cache_control.as_deref(), Some("max-age=31536000, immutable"));
    assert_eq!(copy.attributes.metadata["stream-snapshot-digest"], published.snapshot.digest.to_string());
    assert_eq!(copy.attributes.metadata["stream-immutable"], "true");
}

#[tokio::test(start_paused = true)]
async fn parts_that_come_to_little_are_one_put_and_empty_ones_are_parts_too() {
    let world = World::new();
    let process = written(&world).await;
    for (at, texts) in [(3, vec!["a", "", "bc"]), (4, vec![""]), (5, vec!["", "", ""])] {
        let mut parts = Vec::new();
        for text in &texts {
            parts.push(process.stage("s", Bytes::from(*text)).await.unwrap());
        }
        let body = texts.concat();
        process.commit("s", at, body.as_bytes(), &parts).await.unwrap();
        assert_eq!(process.snapshot("s", at).await.unwrap(), body.as_bytes());
    }
}

#[tokio::test(start_paused = true)]
async fn staging_costs_a_probe_and_a_put_and_a_listing_a_minute() {
    let world = World::new();
    let process = written(&world).await;
    let (first, cost) = process.counting(process.stage("s", "one")).await;
    first.unwrap();
    assert_eq!(cost, RequestCounts { get: 1, put: 1, list: 1, ..NOTHING });
    for _ in 0..3 {
        let (next, cost) = process.counting(process.stage("s", "more")).await;
        next.unwrap();
        assert_eq!(cost, RequestCounts { get: 1, put: 1, ..NOTHING });
    }
    pass(secs(61)).await;
    process.append("s", "x").await.unwrap();
    let (later, cost) = process.counting(process.stage("s", "later")).await;
    later.unwrap();
    assert_eq!(cost, RequestCounts { get: 1, put: 1, list: 1, ..NOTHING });
}

#[tokio::test(start_paused = true)]
async fn a_commit_costs_a_read_of_each_part_and_its_bytes_twice() {
    let world = World::new();
    let process = written(&world).await;
    let body = noise(20 * MIB);
    let parts = process.stage_all("s", &body, 5 * MIB).await;
    let (published, cost) = process.counting(process.commit("s", 7, &body, &parts)).await;
    published.unwrap();
    // A probe, four parts, a look for the copy, three pieces; twice a begin, three parts and an end; the
    // record; the parts at once.
    assert_eq!(cost, RequestCounts { get: 1 + 4 + 1 + 3, put: 2 * (1 + 3 + 1) + 1, delete: 1, list: 1 });
}

#[tokio::test(start_paused = true)]
async fn a_repeat_is_told_by_its_key_though_its_parts_are_gone() {
    let world = World::new();
    let process = written(&world).await;
    let parts = process.stage_all("s", &"state".into(), 2).await;
    let first = process.commit("s", 7, b"state", &parts).await.unwrap();
    let (repeat, cost) = process.counting(process.commit("s", 7, b"state", &parts)).await;
    assert_eq!((repeat, cost), (Ok(first), RequestCounts { get: 1, ..NOTHING }));
    // One whose check came before the first was done.
    let late = process.engine.commit(&key("s"), commit(7, b"state", 3), parts).await;
    assert_eq!(late, Ok(first));
}

#[tokio::test(start_paused = true)]
async fn a_part_that_is_not_staged_for_this_life_of_this_stream_is_unknown() {
    let world = World::new();
    let process = written(&world).await;
    process.create("other").await.unwrap();
    let ours = process.stage("s", "state").await.unwrap();
    let theirs = process.stage("other", "state").await.unwrap();
    let named = |text: &str| PartId::parse(text).unwrap();
    for part in [theirs, named("0123456789abcdef"), named("../../x"), named("%2e"), named(&format!("../staged/{ours}"))]
    {
        let told = process.commit("s", 7, b"statestate", &[ours.clone(), part.clone()]).await;
        assert_eq!(told, refused(PartsRefusal::Unknown), "{part}");
        let last = process.commit("s", 7, b"state", &[part]).await;
        assert_eq!(last, refused(PartsRefusal::Unknown));
    }
    assert_eq!(world.count("staged").await, 2, "nothing was copied, so nothing is used up");
    process.delete("s").await.unwrap();
    process.create("s").await.unwrap();
    process.append("s", "0123456789").await.unwrap();
    let former = process.commit("s", 7, b"state", &[ours]).await;
    assert_eq!(former, refused(PartsRefusal::Unknown));
}

#[tokio::test(start_paused = true)]
async fn parts_of_another_digest_are_used_up_and_leave_nothing() {
    let world = World::new();
    let process = written(&world).await;
    for size in [5, 10 * MIB] {
        let body = noise(size);
        let parts = process.stage_all("s", &body, 6 * MIB).await;
        let told = process.commit("s", 7, b"another", &parts).await;
        assert_eq!(told, refused(PartsRefusal::OtherDigest));
        assert_eq!((world.count("staged").await, world.count("body").await), (0, 0));
        assert_eq!(world.bucket.upload_count(), 0);
    }
}

#[tokio::test(start_paused = true)]
async fn what_stands_against_a_commit_is_told_before_its_parts_are_looked_at() {
    let world = World::new();
    let process = written(&world).await;
    let first = process.publish("s", 5, "latest").await.unwrap();
    let part = [PartId::parse("0123").unwrap()];
    for (at, expected) in [
        (4, SnapshotRefusal::Conflict { latest: first.snapshot, tail: None }),
        (5, SnapshotRefusal::Conflict { latest: first.snapshot, tail: None }),
        (11, SnapshotRefusal::BeyondTail { tail: wadi_protocol::Offset::new(10) }),
    ] {
        let (told, cost) = process.counting(process.commit("s", at, b"state", &part)).await;
        assert_eq!((told, cost), (Err(expected.into()), RequestCounts { get: 1, ..NOTHING }), "{at}");
    }
    let missing = process.commit("none", 4, b"state", &part).await;
    assert_eq!(missing, Err(Refusal::StreamNotFound));
}

#[tokio::test(start_paused = true)]
async fn a_discard_removes_what_is_staged_and_may_be_repeated() {
    let world = World::new();
    let process = written(&world).await;
    let parts = world.process().stage_all("s", &"state".into(), 2).await;
    for _ in 0..2 {
        process.engine.discard_parts(&key("s"), ANY_LIFE).await.unwrap();
        assert_eq!(world.count("staged").await, 0);
    }
    assert_eq!(process.commit("s", 7, b"state", &parts).await, refused(PartsRefusal::Unknown));
    let other_life = PartsRequest { incarnation: Some(Incarnation::parse("5").unwrap()) };
    let told = process.engine.discard_parts(&key("s"), other_life).await;
    assert!(matches!(told, Err(Refusal::IncarnationMismatch { .. })), "{told:?}");
    assert_eq!(process.engine.discard_parts(&key("none"), ANY_LIFE).await, Err(Refusal::StreamNotFound));
}
