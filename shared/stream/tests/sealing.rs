//! Sealing: the bytes stay the same, the requests become few, and nobody waits.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use bytes::Bytes;
use common::*;
use futures::FutureExt;
use wadi_protocol::{CreateRequest, Offset, ReadFrom};
use wadi_store::{ObjectStore, RequestCounts};
use wadi_stream::{EngineSettings, Sealing, limits::SEALINGS_AT_ONCE_MAX};

const CELL: usize = 4 << 20;
const NOTHING: RequestCounts = RequestCounts { get: 0, put: 0, delete: 0, list: 0 };

/// Bytes of which no two stretches are equal.
fn noise(bytes: usize, seed: u64) -> Bytes {
    let mut state = seed | 1;
    let mut step = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()
    };
    (0..bytes.div_ceil(8)).flat_map(|_| step()).take(bytes).collect()
}

/// A stream `s` with these appends, and all its bytes.
async fn stream_of(process: &Process, sizes: impl IntoIterator<Item = usize>) -> Vec<u8> {
    process.create("s").await.unwrap();
    let mut all = Vec::new();
    for (seed, size) in (1..).zip(sizes) {
        let body = noise(size, seed);
        all.extend_from_slice(&body);
        process.write("s", append_bytes(body)).await.unwrap();
    }
    all
}

async fn seal(process: &Process) -> bool {
    process.engine.seal(&key("s")).await.unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_sealed_stream_reads_as_before_and_opens_with_one_manifest() {
    let world = World::new();
    let process = world.process();
    let all = stream_of(&process, std::iter::repeat_n(100, 60)).await;
    assert!(seal(&process).await);
    assert!(!seal(&process).await, "nothing is new");
    let cold = world.process();
    let (tail, cost) = cold.counting(cold.tail("s")).await;
    assert_eq!(tail.unwrap(), 6000);
    assert_eq!(cost, RequestCounts { get: 1 + 7, ..NOTHING }, "the manifest and one round of probes");
    assert_eq!(cold.read_from("s", 0).await.unwrap(), all);
    for from in [1, 99, 100, 101, 5999, 6000] {
        assert_eq!(cold.read_from("s", from).await.unwrap(), all[usize::try_from(from).unwrap()..], "from {from}");
    }
    assert_eq!(process.read_from("s", 0).await.unwrap(), all, "the sealer itself");
}

#[tokio::test(start_paused = true)]
async fn a_sparse_stream_is_left_alone_until_it_is_closed() {
    let world = World::new();
    let process = world.process();
    let all = stream_of(&process, std::iter::repeat_n(100, 49)).await;
    assert!(!seal(&process).await);
    process.close("s").await.unwrap();
    assert!(seal(&process).await);
    let manifest = world.manifest("s").await;
    assert_eq!(
        (manifest.sealed.chunks_end.get(), manifest.sealed.segments.len()),
        (4900, 0),
        "its last cell is a chunk"
    );
    assert_eq!(world.process().read_from("s", 0).await.unwrap(), all);
}

#[tokio::test(start_paused = true)]
async fn cells_become_chunks_and_the_rest_segments() {
    let world = World::new();
    let process = world.process();
    let all = stream_of(&process, [3 << 20, 3 << 20, 3 << 20, 1000]).await;
    assert!(seal(&process).await);
    let sealed = world.manifest("s").await.sealed;
    assert_eq!(sealed.chunks_end.get(), 2 * CELL as u64);
    assert_eq!(sealed.segments.len(), 1);
    let prefix = format!("{}/chunk/", world.prefix("s").await);
    assert_eq!(world.keys(&prefix, "").await.len(), 2);
    let cold = world.process();
    assert_eq!(cold.read_from("s", 0).await.unwrap(), all);
    assert_eq!(cold.read_from("s", CELL as u64 - 1).await.unwrap(), all[CELL - 1..]);
}

/// Whether a stream is closed at the end of a full cell is not decided while it is open.
#[tokio::test(start_paused = true)]
async fn a_cell_that_ends_at_the_open_tail_is_no_chunk_yet() {
    let world = World::new();
    let process = world.process();
    let all = stream_of(&process, [CELL]).await;
    assert!(seal(&process).await);
    assert_eq!(world.manifest("s").await.sealed.chunks_end, Offset::ZERO);
    process.close("s").await.unwrap();
    assert!(seal(&process).await);
    assert_eq!(world.manifest("s").await.sealed.chunks_end.get(), CELL as u64);
    let chunk = format!("{}/chunk/{}", world.prefix("s").await, Offset::ZERO);
    let (_, attributes) = world.attributes(&chunk).await;
    assert_eq!(attributes.metadata["stream-closed"], "true");
    assert_eq!(world.process().read_from("s", 0).await.unwrap(), all);
}

#[tokio::test(start_paused = true)]
async fn a_chunk_carries_the_headers_that_it_is_served_with() {
    let world = World::new();
    let process = world.process();
    let request = CreateRequest { content_type: wadi_protocol::ContentType::json(), ..create() };
    process.engine.create(&key("s"), request).await.unwrap();
    let text = format!("\"{}\"\n", "x".repeat((2 << 20) - 3));
    for _ in 0..3 {
        let write = wadi_protocol::WriteRequest {
            content: Ok(wadi_protocol::Payload::Bytes {
                content_type: wadi_protocol::ContentType::json(),
                text: Bytes::from(text.clone()),
                messages: 1,
            }),
            ..append("")
        };
        process.write("s", write).await.unwrap();
    }
    assert!(seal(&process).await);
    let manifest = world.manifest("s").await;
    let (body, attributes) = world.attributes(&format!("{}/chunk/{}", world.prefix("s").await, Offset::ZERO)).await;
    assert_eq!(body.len(), CELL);
    assert_eq!(attributes.content_type.as_deref(), Some("application/x-ndjson"));
    assert_eq!(attributes.cache_control.as_deref(), Some("max-age=31536000, immutable"));
    let digest = blake3::hash(&body).to_hex().to_string();
    let expected = [
        ("blake3", digest),
        ("stream-immutable", "true".into()),
        ("stream-incarnation", manifest.incarnation().to_string()),
        ("stream-next-offset", Offset::new(CELL as u64).to_string()),
        ("stream-offset", Offset::ZERO.to_string()),
    ];
    assert_eq!(attributes.metadata, expected.map(|(name, value)| (name.to_owned(), value)).into());
}

#[tokio::test(start_paused = true)]
async fn a_large_state_lies_beside_the_manifest() {
    let world = World::new();
    let process = world.process();
    process.create("s").await.unwrap();
    for producer in 0..200 {
        process.append_keyed("s", "x", &format!("a-producer-with-a-long-name-{producer}"), 0, 0).await.unwrap();
    }
    assert!(seal(&process).await);
    let manifest = world.manifest("s").await;
    assert!(manifest.state.is_none() && manifest.state_object.is_some());
    assert!(manifest.to_json().unwrap().len() < 2048);
    let cold = world.process();
    let (outcome, cost) = cold.counting(cold.append_keyed("s", "x", "a-producer-with-a-long-name-7", 0, 0)).await;
    assert!(matches!(outcome.unwrap(), wadi_protocol::WriteOutcome::Repeat(_)), "the producer is known");
    assert_eq!(cost, RequestCounts { get: 2 + 7 + 1, ..NOTHING }, "manifest, state, probes; and the proof");
}

#[tokio::test(start_paused = true)]
async fn a_stream_is_sealed_in_the_background_for_few_requests() {
    let world = World::new();
    let settings = EngineSettings { sealing: Sealing::Background, ..EngineSettings::default() };
    let process = world.process_by(settings);
    process.create("s").await.unwrap();
    let (all, cost) = process
        .counting(async {
            let mut all = String::new();
            for number in 0..2000 {
                let body = format!("message {number}\n");
                process.append("s", &body).await.unwrap();
                all.push_str(&body);
            }
            pass(secs(1)).await;
            all
        })
        .await;
    assert!(cost.put <= 2000 + 2000 / 10, "at most 0.1 PUT for each append: {cost:?}");
    assert_eq!(cost.get, 0, "all that it seals it wrote itself");
    let manifest = world.manifest("s").await;
    assert!(manifest.log.checkpoint.seq >= 1950 && manifest.sealed.segments.len() <= 10, "{manifest:?}");
    let cold = world.process();
    let (read, cost) = cold.counting(cold.read("s")).await;
    assert_eq!(read.unwrap(), all);
    assert!(cost.get <= 1 + 7 + 64 + 64 + 10, "{cost:?}");
}

#[tokio::test(start_paused = true)]
async fn two_sealers_at_once_do_no_harm() {
    let world = World::new();
    let (one, other) = (world.process(), world.process());
    let all = stream_of(&one, std::iter::repeat_n(70_000, 70)).await;
    other.tail("s").await.unwrap();
    let (first, second) = futures::future::join(seal(&one), seal(&other)).await;
    assert!(first ^ second, "one of them publishes: {first} {second}");
    for process in [&one, &other, &world.process()] {
        assert_eq!(process.read_from("s", 0).await.unwrap(), all);
    }
    one.append("s", "more").await.unwrap();
    assert_eq!(other.tail("s").await.unwrap(), all.len() as u64 + 4);
}

/// A process that only seals hears of nothing but what it asks for.
#[tokio::test(start_paused = true)]
async fn a_sealer_that_knows_the_stream_seals_what_others_wrote_since() {
    let world = World::new();
    let (writer, sealer) = (world.process(), world.process());
    stream_of(&writer, [10]).await;
    assert!(!seal(&sealer).await);
    for body in std::iter::repeat_n("more", 50) {
        writer.append("s", body).await.unwrap();
    }
    assert!(seal(&sealer).await);
    assert_eq!(world.manifest("s").await.log.checkpoint.seq, 51);
}

#[tokio::test(start_paused = true)]
async fn a_sealer_that_died_half_way_leaves_only_what_the_next_one_finds() {
    let world = World::new();
    let process = world.process();
    let all = stream_of(&process, [3 << 20, 3 << 20, 10]).await;
    let prefix = world.prefix("s").await;
    // It wrote the chunk and died.
    let chunk = wadi_store::ObjectKey::new(format!("{prefix}/chunk/{}", Offset::ZERO));
    assert!(seal(&process).await);
    let (body, attributes) = world.attributes(chunk.as_str()).await;
    let again = world.process();
    assert_eq!(again.read_from("s", 0).await.unwrap(), all);
    // Another chunk in its place is an alarm, and nothing is published on it.
    let other = World::new();
    let process = other.process();
    stream_of(&process, [3 << 20, 3 << 20, 10]).await;
    let wrong = wadi_store::ObjectKey::new(format!("{}/chunk/{}", other.prefix("s").await, Offset::ZERO));
    let object = wadi_store::NewObject { body: body.slice(1..), attributes };
    other.bucket.put(&wrong, object, wadi_store::PutCondition::Always).await.unwrap();
    assert!(process.engine.seal(&key("s")).await.is_err());
    assert_eq!(other.manifest("s").await.log.checkpoint.seq, 0);
    assert_eq!(process.tail("s").await.unwrap(), all.len() as u64);
}

#[tokio::test(start_paused = true)]
async fn a_damaged_or_missing_chunk_fails_the_read_and_never_fakes_it() {
    let world = World::new();
    let process = world.process();
    stream_of(&process, [3 << 20, 3 << 20, 10]).await;
    assert!(seal(&process).await);
    let chunk = wadi_store::ObjectKey::new(format!("{}/chunk/{}", world.prefix("s").await, Offset::ZERO));
    let (body, attributes) = world.attributes(chunk.as_str()).await;
    let put = async |bytes: Bytes| {
        let object = wadi_store::NewObject { body: bytes, attributes: attributes.clone() };
        world.bucket.put(&chunk, object, wadi_store::PutCondition::Always).await.unwrap();
    };
    let mut flipped = body.to_vec();
    flipped[77] ^= 1;
    put(flipped.into()).await;
    assert!(world.process().read_page("s", ReadFrom::Start).await.is_err(), "a bit flipped");
    put(body.slice(..body.len() - 1)).await;
    assert!(world.process().read_page("s", ReadFrom::Start).await.is_err(), "a byte short");
    world.bucket.delete_many(std::slice::from_ref(&chunk)).await.unwrap();
    assert!(world.process().read_page("s", ReadFrom::Start).await.is_err(), "gone");
    put(body).await;
    assert!(world.process().read_page("s", ReadFrom::Start).await.is_ok());
}

/// A view that is older than a checkpoint reads on from the sealed objects once it knows of it.
#[tokio::test(start_paused = true)]
async fn records_are_forgotten_once_their_bytes_are_sealed() {
    let world = World::new();
    let (writer, reader) = (world.process(), world.process());
    let all = stream_of(&writer, std::iter::repeat_n(100, 60)).await;
    reader.tail("s").await.unwrap();
    assert!(seal(&writer).await);
    pass(secs(45)).await;
    reader.tail("s").await.unwrap();
    let ((), asked) = reader
        .recording(async {
            assert_eq!(reader.read_from("s", 0).await.unwrap(), all);
        })
        .await;
    assert!(asked.iter().any(|request| request.contains("/segment/")), "{asked:?}");
    assert!(asked.len() <= 2, "a segment and a probe: {asked:?}");
}

/// Nobody writes to a closed stream any more, so nobody else would start its sealing again.
#[tokio::test(start_paused = true)]
async fn a_closed_stream_whose_sealing_failed_is_sealed_later() {
    let world = World::new();
    let process = world.process_by(EngineSettings { sealing: Sealing::Background, ..EngineSettings::default() });
    let all = stream_of(&process, std::iter::repeat_n(100, 3)).await;
    world.script.always(wadi_store::Operation::Put, "/chunk/", wadi_store::Fault::Denied);
    process.close("s").await.unwrap();
    pass(secs(5)).await;
    assert_eq!(world.manifest("s").await.log.checkpoint.seq, 0, "the store took no chunk");
    world.script.clear();
    pass(secs(30)).await;
    assert_eq!(world.manifest("s").await.sealed.chunks_end.get(), all.len() as u64);
}

#[tokio::test(start_paused = true)]
async fn streams_that_are_due_at_the_same_time_are_sealed_a_few_at_once() {
    let world = World::new();
    let process = world.process_by(EngineSettings { sealing: Sealing::Background, ..EngineSettings::default() });
    let names: Vec<String> = (0..2 * SEALINGS_AT_ONCE_MAX).map(|number| format!("s{number}")).collect();
    let put = |_: &String| world.script.hold(wadi_store::Operation::Put, "/segment/");
    let holds: Vec<_> = names.iter().map(put).collect();
    for name in &names {
        process.create(name).await.unwrap();
        process.write(name, append_bytes(noise(1 << 20, 1))).await.unwrap();
    }
    pass(secs(1)).await;
    let mut under_way = 0;
    for mut hold in holds {
        under_way += usize::from(hold.arrived().now_or_never().is_some());
        hold.release();
    }
    assert_eq!(under_way, SEALINGS_AT_ONCE_MAX);
    pass(secs(1)).await;
    for name in &names {
        assert_eq!(world.manifest(name).await.log.checkpoint.seq, 1, "{name}");
    }
}
