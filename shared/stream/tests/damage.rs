//! Damaged objects: refused, loudly and soon. Never skipped, never answered otherwise.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use common::*;
use futures::future::join_all;
use wadi_protocol::{ReadFrom, Refusal, WriteOutcome};
use wadi_stream::manifest_key;

/// A stream with records 1 to 5 ("one" to "five"), and a sound one beside it.
async fn streams(world: &World) -> Process {
    let process = world.process();
    for name in ["s", "sound"] {
        process.create(name).await.unwrap();
        for text in ["one", "two", "three", "four", "five"] {
            process.append(name, text).await.unwrap();
        }
    }
    process
}

async fn ask(process: &Process) -> Vec<Result<(), Refusal>> {
    vec![
        process.read_page("s", ReadFrom::Start).await.map(drop),
        process.tail("s").await.map(drop),
        process.append("s", "x").await.map(drop),
        process.append_keyed("s", "x", "p", 0, 0).await.map(drop),
        process.close("s").await.map(drop),
        process.delete("s").await,
        process.create("s").await.map(drop),
    ]
}

/// Each request of a cold process is refused as proved unwritten, with few requests, and other
/// streams are not touched by it.
async fn refuses(world: &World, what: &str) {
    let before = world.bucket.object_count();
    let slots = world.keys("ds/default/s/", "/log/").await.len() as u64;
    let process = world.process();
    let (mut answers, cost) = process.counting(ask(&process)).await;
    // A create that meets a manifest it cannot read cannot tell whether it is its own.
    let created = answers.pop();
    assert!(matches!(created, Some(Err(Refusal::StoreUnavailable | Refusal::OutcomeUnknown))), "{what}: {created:?}");
    for answer in &answers {
        assert_eq!(*answer, Err(Refusal::StoreUnavailable), "{what}: {answers:?}");
    }
    // The log is read three times before it is called broken, and a little beyond its tail.
    assert!(cost.get <= 7 * 3 * (slots + 16) && cost.put <= 7, "{what}: {cost:?} for seven requests");
    assert_eq!(world.bucket.object_count(), before, "{what}: nothing was written");
    assert_eq!(process.read("sound").await.unwrap(), "onetwothreefourfive", "{what}");
}

async fn slot_bytes(world: &World, seq: u64) -> Vec<u8> {
    world.object(&world.slot("s", seq).await).await.unwrap().0.to_vec()
}

#[tokio::test(start_paused = true)]
async fn a_record_with_any_byte_flipped_stops_the_reader() {
    let world = World::new();
    streams(&world).await;
    let slot = world.slot("s", 3).await;
    let sound = slot_bytes(&world, 3).await;
    for at in 0..sound.len() {
        let mut damaged = sound.clone();
        damaged[at] ^= 1 << (at % 8);
        world.overwrite(&slot, damaged).await;
        let process = world.process();
        let (answer, cost) = process.counting(process.read("s")).await;
        assert_eq!(answer, Err(Refusal::StoreUnavailable), "byte {at}");
        assert!(cost.total() < 80, "byte {at}: {cost:?}");
    }
    world.overwrite(&slot, sound).await;
    assert_eq!(world.process().read("s").await.unwrap(), "onetwothreefourfive");
}

#[tokio::test(start_paused = true)]
async fn a_record_cut_anywhere_stops_the_reader() {
    let world = World::new();
    streams(&world).await;
    let slot = world.slot("s", 3).await;
    let sound = slot_bytes(&world, 3).await;
    for length in 0..sound.len() {
        world.overwrite(&slot, sound[..length].to_vec()).await;
        assert_eq!(world.process().read("s").await, Err(Refusal::StoreUnavailable), "{length} bytes");
    }
    world.overwrite(&slot, [&sound[..], b"x"].concat()).await;
    assert_eq!(world.process().read("s").await, Err(Refusal::StoreUnavailable), "one byte too many");
}

#[tokio::test(start_paused = true)]
async fn damage_is_refused_for_every_kind_of_request() {
    for (what, seq) in [("first", 1), ("middle", 3), ("last", 5)] {
        let world = World::new();
        streams(&world).await;
        let mut damaged = slot_bytes(&world, seq).await;
        *damaged.last_mut().unwrap() ^= 1;
        world.overwrite(&world.slot("s", seq).await, damaged).await;
        refuses(&world, what).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_record_that_is_none_is_refused() {
    for garbage in ["", "\n", "{}\n", "[1,2,3]\n", "{\"format\":1}\n", "\u{0}\u{0}", "null\n"] {
        let world = World::new();
        streams(&world).await;
        world.overwrite(&world.slot("s", 5).await, garbage).await;
        refuses(&world, garbage).await;
    }
    let world = World::new();
    streams(&world).await;
    world.overwrite(&world.slot("s", 5).await, vec![b'['; 300_000]).await;
    refuses(&world, "deeply nested").await;
}

#[tokio::test(start_paused = true)]
async fn a_record_of_a_later_format_stops_the_reader_and_is_not_skipped() {
    let world = World::new();
    streams(&world).await;
    world.forge("s", 3, |line| line.replace("\"format\":1", "\"format\":2")).await;
    refuses(&world, "format 2").await;
}

#[tokio::test(start_paused = true)]
async fn an_operation_or_field_of_a_later_release_stops_the_reader() {
    for (from, to) in [
        ("\"op\":\"append\"", "\"op\":\"teleport\""),
        ("\"operations\"", "\"intents\":[],\"operations\""),
        ("\"format\":1,", "\"format\":1,\"shard\":7,"),
    ] {
        let world = World::new();
        streams(&world).await;
        world.forge("s", 3, |line| line.replace(from, to)).await;
        refuses(&world, to).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_record_that_does_not_follow_the_one_before_is_never_folded() {
    for what in ["prev", "seq", "at", "start", "end", "tail", "bytes"] {
        let world = World::new();
        streams(&world).await;
        let line = world.line("s", 4).await.unwrap();
        world
            .forge("s", 4, |text| match what {
                "prev" => text.replace(&line.prev, &line.id),
                "seq" => text.replace("\"seq\":4", "\"seq\":3"),
                "at" => text.replace(&format!("\"at\":{}", line.at.as_millis()), "\"at\":1"),
                "start" => text.replace("\"start\":11", "\"start\":10"),
                "end" => text.replace("\"end\":15", "\"end\":16"),
                "tail" => text.replace("\"tail\":15", "\"tail\":14"),
                _ => text.replace("\"bytes\":4", "\"bytes\":5"),
            })
            .await;
        refuses(&world, what).await;
    }
}

/// As far as a reader can tell: it does not look beyond the first missing slot unless its first
/// round of probes did.
#[tokio::test(start_paused = true)]
async fn a_hole_in_the_log_is_not_taken_for_its_tail() {
    for (records, hole) in [(5, 2), (5, 3), (5, 1), (70, 33), (70, 63), (70, 2)] {
        let world = World::new();
        let process = streams(&world).await;
        for _ in 5..records {
            process.append("s", "x").await.unwrap();
        }
        world.remove(&world.slot("s", hole).await).await;
        refuses(&world, &format!("slot {hole} of {records}")).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_stream_without_the_record_of_its_initial_bytes_is_not_an_empty_one() {
    let world = World::new();
    let process = streams(&world).await;
    process.delete("s").await.unwrap();
    process.engine.create(&key("s"), create_with("first")).await.unwrap();
    world.remove(&world.slot("s", 1).await).await;
    refuses(&world, "initial bytes").await;
}

/// A process that knew the stream before it was damaged notices at its next step.
#[tokio::test(start_paused = true)]
async fn a_warm_process_stops_at_a_damaged_record_and_goes_on_once_it_is_mended() {
    let world = World::new();
    let writer = streams(&world).await;
    let (warm, other) = (world.process(), world.process());
    assert_eq!(warm.tail("s").await, Ok(19));
    other.append("s", "six").await.unwrap();
    let sound = slot_bytes(&world, 6).await;
    let mut damaged = sound.clone();
    damaged[20] ^= 1;
    world.overwrite(&world.slot("s", 6).await, damaged).await;
    let (answers, cost) = warm.counting(ask(&warm)).await;
    for answer in answers {
        // An append meets the record in its own slot and cannot tell whose it is.
        assert!(matches!(answer, Err(Refusal::StoreUnavailable | Refusal::OutcomeUnknown)), "{answer:?}");
    }
    assert!(cost.total() < 200, "{cost:?} for seven requests");
    assert_eq!(writer.tail("s").await, Err(Refusal::StoreUnavailable));
    world.overwrite(&world.slot("s", 6).await, sound).await;
    for process in [&warm, &writer, &other] {
        assert_eq!(process.read("s").await.unwrap(), "onetwothreefourfivesix");
    }
}

/// The header is sound, the payload behind it is not: readers find out when they read it.
#[tokio::test(start_paused = true)]
async fn a_large_payload_that_was_damaged_is_refused_where_it_is_read() {
    for damage in 0..3 {
        let world = World::new();
        let writer = world.process();
        writer.create("s").await.unwrap();
        writer.append("s", "before").await.unwrap();
        writer.append("s", &"x".repeat(200_000)).await.unwrap();
        writer.append("s", "after").await.unwrap();
        let mut damaged = slot_bytes(&world, 2).await;
        match damage {
            0 => *damaged.last_mut().unwrap() ^= 1,
            1 => damaged.truncate(150_000),
            _ => damaged.push(b'x'),
        }
        world.overwrite(&world.slot("s", 2).await, damaged).await;
        let reader = world.process();
        let (refused, cost) = reader.counting(reader.read_page("s", ReadFrom::Start)).await;
        assert_eq!(refused, Err(Refusal::StoreUnavailable), "{damage}");
        assert!(cost.total() < 80, "{cost:?}");
        assert_eq!(reader.read_from("s", 200_006).await.unwrap(), b"after");
    }
}

#[tokio::test(start_paused = true)]
async fn a_manifest_that_cannot_be_read_refuses_its_stream_and_no_other() {
    let world = World::new();
    streams(&world).await;
    let key = manifest_key(&key("s"));
    let sound = String::from_utf8(world.object(&key).await.unwrap().0.to_vec()).unwrap();
    for damaged in [
        String::new(),
        "{}".to_owned(),
        sound[..sound.len() - 1].to_owned(),
        sound.replace("\"format\":1", "\"format\":2"),
        sound.replace("\"revision\"", "\"lineage\":[],\"revision\""),
        sound.replace("\"seq\":0", "\"seq\":3"),
        sound.replace("\"seq\":0", "\"seq\":18446744073709551615"),
        sound.replace("\"revision\":1", "\"revision\":18446744073709551615"),
    ] {
        assert_ne!(damaged, sound);
        world.overwrite(&key, damaged.clone()).await;
        refuses(&world, &damaged).await;
    }
    world.overwrite(&key, sound).await;
    assert_eq!(world.process().read("s").await.unwrap(), "onetwothreefourfive");
}

/// Many requests at a damaged stream cost each a bounded number of requests, too.
#[tokio::test(start_paused = true)]
async fn a_crowd_at_a_damaged_stream_does_not_make_a_storm() {
    let world = World::new();
    streams(&world).await;
    world.overwrite(&world.slot("s", 2).await, "damaged").await;
    let process = world.process();
    let process = &process;
    let crowd = join_all((0..200).map(|n| async move {
        if n % 2 == 0 { process.tail("s").await.map(drop) } else { process.append("s", "x").await.map(drop) }
    }));
    let (answers, cost) = process.counting(crowd).await;
    assert!(answers.into_iter().all(|answer| answer == Err(Refusal::StoreUnavailable)));
    assert!(cost.total() < 100, "{cost:?}");
}

#[tokio::test(start_paused = true)]
async fn bytes_that_were_read_once_stay_the_same_when_the_store_rots() {
    let world = World::new();
    let process = streams(&world).await;
    let mut damaged = slot_bytes(&world, 1).await;
    *damaged.last_mut().unwrap() ^= 1;
    world.overwrite(&world.slot("s", 1).await, damaged).await;
    assert_eq!(process.read("s").await.unwrap(), "onetwothreefourfive", "kept by who wrote it");
    assert!(matches!(process.append("s", "six").await, Ok(WriteOutcome::Appended { .. })));
}
