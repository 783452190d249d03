//! A verification finds what is wrong, and nothing where nothing is.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use bytes::Bytes;
use common::*;
use wadi_protocol::Offset;
use wadi_store::ObjectKey;
use wadi_stream::{SweepScope, Verified};

async fn verify(world: &World) -> Verified {
    world.process().engine.verify(&key("s")).await.unwrap()
}

/// A stream with a chunk, a segment, a large record and a few small ones behind the checkpoint.
async fn world() -> World {
    let world = World::new();
    let process = world.process();
    process.engine.create(&key("s"), create_with("initial")).await.unwrap();
    process.write("s", append_bytes(Bytes::from(vec![b'x'; 5 << 20]))).await.unwrap();
    for _ in 0..60 {
        process.append("s", "small").await.unwrap();
    }
    assert!(process.engine.seal(&key("s")).await.unwrap());
    for _ in 0..5 {
        process.append("s", "late").await.unwrap();
    }
    world
}

#[tokio::test(start_paused = true)]
async fn a_sound_stream_has_no_problems_before_and_after_collection() {
    let world = world().await;
    let tail = world.process().tail("s").await.unwrap();
    let verified = verify(&world).await;
    assert_eq!(verified.problems, [] as [&str; 0]);
    assert_eq!((verified.bytes, verified.records, verified.sealed_objects), (tail, 67, 2));
    let process = world.process();
    for _ in 0..2 {
        pass(wadi_stream::limits::GRACE + secs(60)).await;
        process.engine.sweep(SweepScope::Full, &|_| {}).await.unwrap();
    }
    let verified = verify(&world).await;
    assert_eq!(verified.problems, [] as [&str; 0]);
    assert_eq!((verified.bytes, verified.records, verified.sealed_objects), (tail, 5, 2));
}

#[tokio::test(start_paused = true)]
async fn what_does_not_live_is_nothing_to_verify() {
    let world = World::new();
    assert_eq!(verify(&world).await, Verified::default());
    let process = world.process();
    process.create("s").await.unwrap();
    process.delete("s").await.unwrap();
    assert_eq!(verify(&world).await, Verified::default());
}

/// The object of an incarnation's prefix that is to be damaged.
type Pick<'a> = &'a dyn Fn(&str) -> ObjectKey;

#[tokio::test(start_paused = true)]
async fn damage_is_found() {
    let chunk = |prefix: &str| ObjectKey::new(format!("{prefix}/chunk/{}", Offset::ZERO));
    let slot = |prefix: &str, seq: u64| ObjectKey::new(format!("{prefix}/log/{seq:020}.rec"));
    let cases: [(&str, Pick<'_>, bool); 5] = [
        ("a chunk is gone", &chunk, true),
        ("a chunk is changed", &chunk, false),
        ("a covered record is gone", &|prefix| slot(prefix, 3), true),
        ("a record is changed", &|prefix| slot(prefix, 65), false),
        ("a record above the checkpoint is changed", &|prefix| slot(prefix, 67), false),
    ];
    for (what, object, removed) in cases {
        let world = world().await;
        let object = object(&world.prefix("s").await);
        if removed {
            world.remove(&object).await;
        } else {
            let (body, attributes) = world.attributes(object.as_str()).await;
            let mut bytes = body.to_vec();
            *bytes.last_mut().unwrap() ^= 1;
            let changed = wadi_store::NewObject { body: bytes.into(), attributes };
            wadi_store::ObjectStore::put(&*world.bucket, &object, changed, wadi_store::PutCondition::Always)
                .await
                .unwrap();
        }
        assert_eq!(verify(&world).await.problems.len(), 1, "{what}: {:?}", verify(&world).await.problems);
    }
}

/// A chunk whose own checksum is right and whose bytes are not those of the log.
#[tokio::test(start_paused = true)]
async fn a_chunk_that_is_not_a_function_of_the_log_is_found() {
    let world = world().await;
    let object = format!("{}/chunk/{}", world.prefix("s").await, Offset::ZERO);
    let (body, mut attributes) = world.attributes(&object).await;
    let mut bytes = body.to_vec();
    bytes[0] ^= 1;
    attributes.metadata.insert("blake3".to_owned(), blake3::hash(&bytes).to_hex().to_string());
    let changed = wadi_store::NewObject { body: bytes.into(), attributes };
    let key = ObjectKey::new(object);
    wadi_store::ObjectStore::put(&*world.bucket, &key, changed, wadi_store::PutCondition::Always).await.unwrap();
    let problems = verify(&world).await.problems;
    assert_eq!(problems, ["slot 1 and the sealed object that holds its bytes differ"]);
}

#[tokio::test(start_paused = true)]
async fn names_are_listed_page_by_page() {
    let world = World::new();
    let process = world.process();
    for name in ["a", "b/c", "d"] {
        process.create(name).await.unwrap();
    }
    let all = process.engine.names(None).await.unwrap();
    assert_eq!(all, [key("a"), key("b/c"), key("d")]);
    assert_eq!(process.engine.names(Some(&key("b/c"))).await.unwrap(), [key("d")]);
    assert_eq!(process.engine.names(Some(&key("d"))).await.unwrap(), []);
}

/// Whoever serves the bucket serves the copy, though a process would find the body where it was uploaded to.
#[tokio::test(start_paused = true)]
async fn a_snapshot_that_is_not_the_one_published_is_told() {
    for size in [5, 9 << 20] {
        let world = world().await;
        let body = Bytes::from(vec![b's'; size]);
        let process = world.process();
        let parts = process.stage_all("s", &body, 6 << 20).await;
        process.commit("s", 7, &body, &parts).await.unwrap();
        assert_eq!(verify(&world).await.problems, [] as [&str; 0]);
        let copy = world.keys("ds/", "/snapshot/").await.remove(0);
        world.overwrite(&copy, vec![b't'; size]).await;
        let another = "the copy of the snapshot at 00000000000000000007 is not what was committed";
        assert_eq!(verify(&world).await.problems, [another]);
        let upload = world.keys("ds/", "/body/").await.remove(0);
        world.remove(&upload).await;
        let gone = "the body of the snapshot at 00000000000000000007 is gone";
        assert_eq!(verify(&world).await.problems, [another, gone]);
        world.remove(&copy).await;
        assert_eq!(verify(&world).await.problems, [gone], "one that is not copied yet is in order");
        world.overwrite(&upload, vec![b't'; size]).await;
        let changed = "the body of the snapshot at 00000000000000000007 is not what was committed";
        assert_eq!(verify(&world).await.problems, [changed]);
    }
}
