//! Pages: where they start and end, and what they cost.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use bytes::Bytes;
use common::*;
use futures::future::join_all;
use tokio::time::Instant;
use wadi_protocol::{
    ContentType, CreateRequest, End, IfNoneMatch, Offset, Payload, ReadForm, ReadFrom, ReadRequest, Refusal,
    WriteRequest, split_messages,
};
use wadi_stream::ReadAnswer;

const MIB: usize = 1 << 20;

fn json() -> ContentType {
    ContentType::parse("application/json").unwrap()
}

fn create_json() -> CreateRequest {
    CreateRequest { content_type: json(), ..create() }
}

fn append_json(body: &str) -> WriteRequest {
    let messages = split_messages(body.as_bytes()).unwrap();
    let content = Payload::Bytes { content_type: json(), text: messages.text, messages: messages.count };
    WriteRequest { content: Ok(content), ..append("") }
}

fn page(from: u64, bytes_max: u64) -> ReadRequest {
    ReadRequest { bytes_max, ..read(ReadFrom::At(Offset::new(from))) }
}

fn array(from: u64, bytes_max: u64) -> ReadRequest {
    ReadRequest { form: ReadForm::Array, ..page(from, bytes_max) }
}

async fn get(process: &Process, request: ReadRequest) -> ReadAnswer {
    process.engine.read(&key("s"), request).await.unwrap()
}

/// `0123456789` in three records.
async fn digits(world: &World) -> Process {
    let process = world.process();
    process.create("s").await.unwrap();
    for text in ["0123", "4", "56789"] {
        process.append("s", text).await.unwrap();
    }
    process
}

#[tokio::test(start_paused = true)]
async fn any_start_and_any_size_give_the_bytes_asked_for() {
    let world = World::new();
    let writer = digits(&world).await;
    for process in [&writer, &world.process()] {
        for start in 0..=10 {
            for bytes_max in 0..=11 {
                let answer = get(process, page(start, bytes_max)).await;
                let end = (start + bytes_max).min(10);
                let expected: Vec<u8> = (start..end).map(|n| b'0' + u8::try_from(n).unwrap()).collect();
                assert_eq!(answer.body.joined(), expected, "{start} {bytes_max}");
                assert_eq!((answer.start.get(), answer.next.get()), (start, end));
                assert_eq!(answer.end, if end == 10 { End::OpenTail } else { End::BelowTail });
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn beyond_the_tail_is_refused_and_now_is_the_tail() {
    let world = World::new();
    let process = digits(&world).await;
    let beyond = process.engine.read(&key("s"), page(11, 1)).await;
    assert!(matches!(beyond, Err(Refusal::OffsetOutOfRange { tail, .. }) if tail.get() == 10), "{beyond:?}");
    let now = get(&process, read(ReadFrom::Now)).await;
    assert_eq!((now.start.get(), now.next.get(), now.body.len()), (10, 10, 0));
    process.close("s").await.unwrap();
    assert_eq!(get(&process, read(ReadFrom::Now)).await.end, End::ClosedTail);
}

#[tokio::test(start_paused = true)]
async fn an_array_is_cut_at_messages_and_never_inside_one() {
    let world = World::new();
    let process = world.process();
    process.engine.create(&key("s"), create_json()).await.unwrap();
    // "1\n" "22\n" "333\n" in one record, "4444\n" in another: boundaries at 2, 5, 9 and 14.
    process.write("s", append_json("[1,22,333]")).await.unwrap();
    process.write("s", append_json("4444")).await.unwrap();
    let text = b"1\n22\n333\n4444\n";
    let boundaries = [0, 2, 5, 9, 14];
    for process in [&process, &world.process()] {
        for start in 0..=14u64 {
            for bytes_max in 1..=15 {
                let answer = process.engine.read(&key("s"), array(start, bytes_max)).await;
                if !boundaries.contains(&start) {
                    assert!(matches!(answer, Err(Refusal::NotJsonBoundary { tail }) if tail.get() == 14), "{start}");
                    continue;
                }
                let limit = (start + bytes_max).min(14);
                // The last boundary within the limit, or the end of a first message that is longer.
                let fits = boundaries.into_iter().rfind(|at| *at <= limit && *at > start);
                let end = fits.or_else(|| boundaries.into_iter().find(|at| *at > start)).unwrap_or(14);
                let answer = answer.unwrap();
                assert_eq!(answer.next.get(), end, "{start} {bytes_max}");
                let range = usize::try_from(start).unwrap()..usize::try_from(end).unwrap();
                assert_eq!(answer.body.joined(), text[range], "{start} {bytes_max}");
                assert!(answer.tag.array);
            }
        }
    }
    assert_eq!(get(&process, array(2, 0)).await.body.joined(), "", "nothing was asked for");
}

#[tokio::test(start_paused = true)]
async fn a_message_longer_than_the_page_costs_its_own_record_only() {
    let world = World::new();
    let writer = world.process();
    writer.engine.create(&key("s"), create_json()).await.unwrap();
    let long = format!("\"{}\"", "x".repeat(100_000));
    for _ in 0..50 {
        writer.write("s", append_json(&long)).await.unwrap();
    }
    let reader = world.process();
    reader.tail("s").await.unwrap();
    let (answer, cost) = reader.counting(get(&reader, array(0, 10))).await;
    assert_eq!(answer.body.len(), 100_003);
    assert!(cost.get <= 2, "one probe and one record, but {cost:?}");
}

#[tokio::test(start_paused = true)]
async fn a_json_message_of_the_largest_size_is_stored_and_delivered_whole() {
    let world = World::new();
    let writer = world.process();
    writer.engine.create(&key("s"), create_json()).await.unwrap();
    let largest = format!("\"{}\"", "x".repeat(8 * MIB - 2));
    assert_eq!(end_of(&writer.write("s", append_json(&largest)).await.unwrap()), 8 * MIB as u64 + 1);
    writer.write("s", append_json("1")).await.unwrap();
    for process in [&writer, &world.process()] {
        let whole = get(process, array(0, 8 << 20)).await;
        assert_eq!((whole.next.get(), whole.body.len()), (8 * MIB as u64 + 1, 8 * MIB + 1));
        assert_eq!(whole.body.joined(), format!("{largest}\n"));
        let rest = get(process, array(whole.next.get(), 8 << 20)).await;
        assert_eq!((&rest.body.joined()[..], rest.end), (&b"1\n"[..], End::OpenTail));
        let lines = process.read_from("s", 0).await.unwrap();
        assert_eq!(lines.len(), 8 * MIB + 3);
    }
}

#[tokio::test(start_paused = true)]
async fn more_records_than_one_page_takes_are_several_pages() {
    let world = World::new();
    let writer = world.process();
    writer.create("s").await.unwrap();
    for n in 0..1500 {
        writer.append("s", if n % 2 == 0 { "a" } else { "b" }).await.unwrap();
    }
    for process in [&writer, &world.process()] {
        let first = get(process, page(0, 8 << 20)).await;
        assert_eq!((first.next.get(), first.end), (1024, End::BelowTail));
        let middle = get(process, page(1, 8 << 20)).await;
        assert_eq!(middle.next.get(), 1025);
        assert_eq!(process.read("s").await.unwrap(), "ab".repeat(750));
    }
}

#[tokio::test(start_paused = true)]
async fn a_json_stream_of_many_small_records_is_paged_in_whole_messages() {
    let world = World::new();
    let writer = world.process();
    writer.engine.create(&key("s"), create_json()).await.unwrap();
    for _ in 0..1100 {
        writer.write("s", append_json("7")).await.unwrap();
    }
    let (mut from, mut pages) = (0, 0);
    while from < 2200 {
        let answer = get(&writer, array(from, 8 << 20)).await;
        assert!(answer.body.len().is_multiple_of(2) && !answer.body.is_empty());
        from = answer.next.get();
        pages += 1;
    }
    assert_eq!((from, pages), (2200, 2));
}

#[tokio::test(start_paused = true)]
async fn a_page_that_the_client_has_is_not_fetched() {
    let world = World::new();
    let writer = digits(&world).await;
    writer.append("s", &"x".repeat(100_000)).await.unwrap();
    let reader = world.process();
    let had = get(&reader, page(0, 8 << 20)).await;
    let cold = world.process();
    cold.tail("s").await.unwrap();
    for header in [had.tag.to_string(), format!("W/{}", had.tag), format!("\"other\", {}", had.tag), "*".to_owned()] {
        let condition = Some(IfNoneMatch::parse(&[&header]));
        let request = ReadRequest { if_none_match: condition, ..page(0, 8 << 20) };
        let (answer, cost) = cold.counting(get(&cold, request)).await;
        assert!(answer.not_modified && answer.body.is_empty(), "{header}");
        assert_eq!((answer.next, answer.tag), (had.next, had.tag));
        assert_eq!(cost.total(), 1, "only the probe: {cost:?}");
    }
    let other = ReadRequest { if_none_match: Some(IfNoneMatch::parse(&["\"other\""])), ..page(0, 8 << 20) };
    assert!(!get(&cold, other).await.not_modified);
    let now = ReadRequest { if_none_match: Some(IfNoneMatch::Any), ..read(ReadFrom::Now) };
    assert!(!get(&cold, now).await.not_modified, "the tail is never known already");
    // Growth and closing change the tag of a page at the tail, and of no other.
    let below = get(&reader, page(0, 5)).await.tag;
    writer.close("s").await.unwrap();
    for (tag, known) in [(had.tag, false), (below, true)] {
        let bytes_max = tag.next.get() - tag.start.get();
        let condition = Some(IfNoneMatch::parse(&[&tag.to_string()]));
        let request = ReadRequest { if_none_match: condition, ..page(0, bytes_max) };
        assert_eq!(get(&reader, request).await.not_modified, known, "{tag}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_conditional_read_of_an_array_that_ends_at_a_message_is_answered_from_its_tag() {
    let world = World::new();
    let process = world.process();
    process.engine.create(&key("s"), create_json()).await.unwrap();
    process.write("s", append_json("[1,22,333]")).await.unwrap();
    for bytes_max in [3, 5, 100] {
        let had = get(&process, array(0, bytes_max)).await;
        let condition = Some(IfNoneMatch::parse(&[&had.tag.to_string()]));
        let again = get(&process, ReadRequest { if_none_match: condition, ..array(0, bytes_max) }).await;
        assert!(again.not_modified, "{bytes_max}");
        assert_eq!((again.tag, again.next), (had.tag, had.next));
    }
}

#[tokio::test(start_paused = true)]
async fn a_cold_read_fetches_in_parallel() {
    let world = World::new();
    let writer = world.process();
    writer.create("s").await.unwrap();
    let large = Bytes::from(vec![b'x'; 100_000]);
    for _ in 0..48 {
        writer.write("s", append_bytes(large.clone())).await.unwrap();
    }
    let reader = world.process();
    let started = Instant::now();
    let (answer, cost) = reader.counting(get(&reader, page(0, 8 << 20))).await;
    assert_eq!(answer.body.len(), 4_800_000);
    let rounds = started.elapsed().as_millis() / ROUND.as_millis();
    // The manifest, two rounds of slots, and three times sixteen payloads: no probe besides.
    assert!(rounds <= 6, "{rounds} rounds");
    assert!(cost.get <= 1 + 7 + 57 + 48, "{cost:?}");
    let started = Instant::now();
    let (_, cost) = reader.counting(get(&reader, page(0, 8 << 20))).await;
    assert_eq!(cost.get, 1, "what was read is kept");
    assert!(started.elapsed() <= ROUND);
}

#[tokio::test(start_paused = true)]
async fn a_warm_read_fetches_while_it_probes() {
    let world = World::new();
    let (writer, reader) = (world.process(), world.process());
    writer.create("s").await.unwrap();
    let large = Bytes::from(vec![b'x'; 100_000]);
    for _ in 0..16 {
        writer.write("s", append_bytes(large.clone())).await.unwrap();
    }
    reader.tail("s").await.unwrap();
    let started = Instant::now();
    get(&reader, page(0, 8 << 20)).await;
    assert_eq!(started.elapsed(), ROUND, "probe and payloads in one round");
}

#[tokio::test(start_paused = true)]
async fn readers_and_writers_at_once_see_prefixes_of_one_text() {
    let world = World::new();
    let (one, two) = (world.process(), world.process());
    one.create("s").await.unwrap();
    let appends = join_all((0..100).map(|_| one.append("s", "x")));
    let reads = join_all((0..100).map(|_| two.read("s")));
    let (_, reads) = futures::future::join(appends, reads).await;
    for text in reads {
        let text = text.unwrap();
        assert!(text.len() <= 100 && text.bytes().all(|byte| byte == b'x'));
    }
}

/// What a checkpoint covers and no index names cannot be read: a refusal, never other bytes.
#[tokio::test(start_paused = true)]
async fn bytes_below_a_checkpoint_without_an_index_are_refused() {
    let world = World::new();
    let writer = digits(&world).await;
    world.checkpoint("s").await;
    writer.append("s", "abc").await.unwrap();
    let cold = world.process();
    assert_eq!(cold.read_from("s", 10).await.unwrap(), b"abc");
    assert_eq!(cold.engine.read(&key("s"), page(0, 8 << 20)).await, Err(Refusal::StoreUnavailable));
    assert_eq!(cold.engine.read(&key("s"), page(9, 1)).await, Err(Refusal::StoreUnavailable));
    assert_eq!(writer.read("s").await.unwrap(), "0123456789abc", "known by record");
}
