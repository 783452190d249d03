//! Several processes on one stream at once.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests")]

mod common;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use common::*;
use futures::future::join_all;
use wadi_protocol::{ContentType, CreateRequest, IfMatch, Refusal, WriteOutcome, WriteRequest};
use wadi_store::{Operation, RequestCounts};

/// Appends under their offsets: the text between two neighbours is one payload.
fn check_order(text: &str, ends: &BTreeMap<u64, String>) {
    let mut from = 0;
    for (end, payload) in ends {
        let range = from..usize::try_from(*end).unwrap();
        assert_eq!(&text[range], payload, "each payload lies where it was acknowledged");
        from = usize::try_from(*end).unwrap();
    }
    assert_eq!(from, text.len(), "and there is nothing else");
}

/// See: <https://github.com/durable-streams/durable-streams/pull/340>
#[tokio::test(start_paused = true)]
async fn appends_of_three_processes_are_each_there_once_at_their_own_offset() {
    let world = World::new();
    let processes = [world.process(), world.process(), world.process()];
    processes[0].create("s").await.unwrap();
    let appends = (0..300).map(|n| {
        let process = &processes[n % 3];
        async move {
            let payload = format!("<{n:04}>");
            // Waves, so that there are many records to race for.
            pass(std::time::Duration::from_millis(7 * (n as u64 / 10))).await;
            (end_of(&process.append("s", &payload).await.unwrap()), payload)
        }
    });
    let acknowledged = join_all(appends).await;
    let ends: BTreeMap<u64, String> = acknowledged.into_iter().collect();
    assert_eq!(ends.len(), 300, "all offsets are distinct");
    let text = processes[0].read("s").await.unwrap();
    check_order(&text, &ends);
    for process in [&processes[1], &processes[2], &world.process()] {
        assert_eq!(process.read("s").await.unwrap(), text, "one order for all");
        assert_eq!(process.tail("s").await, Ok(1800));
    }
    for end in ends.keys() {
        let suffix = processes[1].read_from("s", *end).await.unwrap();
        assert_eq!(suffix, &text.as_bytes()[usize::try_from(*end).unwrap()..]);
    }
}

#[tokio::test(start_paused = true)]
async fn each_keyed_append_sent_to_two_processes_applies_once() {
    let world = World::new();
    let processes = [world.process(), world.process()];
    processes[0].create("s").await.unwrap();
    let producers = (0..8).map(|producer| {
        let processes = &processes;
        async move {
            let mut ends = Vec::new();
            for seq in 0..25 {
                let payload = format!("<{producer}:{seq:02}>");
                let id = format!("p{producer}");
                let sent = processes.iter().map(|process| process.append_keyed("s", &payload, &id, 0, seq));
                let answers = join_all(sent).await;
                let applied = answers.iter().filter(|answer| matches!(answer, Ok(WriteOutcome::Applied(_))));
                let repeats = answers.iter().filter(|answer| matches!(answer, Ok(WriteOutcome::Repeat(_))));
                assert_eq!((applied.count(), repeats.count()), (1, 1), "{answers:?}");
                let offsets: BTreeSet<u64> = answers.iter().map(|answer| end_of(answer.as_ref().unwrap())).collect();
                assert_eq!(offsets.len(), 1, "both are told the same range");
                ends.extend(offsets.into_iter().map(|end| (end, payload.clone())));
            }
            ends
        }
    });
    let ends: BTreeMap<u64, String> = join_all(producers).await.into_iter().flatten().collect();
    assert_eq!(ends.len(), 200);
    check_order(&world.process().read("s").await.unwrap(), &ends);
}

/// See: <https://github.com/durable-streams/durable-streams/pull/34>
#[tokio::test(start_paused = true)]
async fn of_many_appends_on_one_version_exactly_one_applies() {
    let world = World::new();
    let processes = [world.process(), world.process()];
    let stream = processes[0].create("s").await.unwrap().stream;
    processes[1].tail("s").await.unwrap();
    let tag = wadi_protocol::EndTag { incarnation: stream.incarnation, end: stream.tail, closed: false };
    let request = WriteRequest { if_match: Some(IfMatch::Tags(vec![tag])), ..append("x") };
    let answers = join_all((0..16).map(|n| processes[n % 2].write("s", request.clone()))).await;
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 1, "{answers:?}");
    for refusal in answers.into_iter().filter_map(Result::err) {
        assert!(matches!(refusal, Refusal::IfMatchFailed { current } if current.end.get() == 1), "{refusal:?}");
    }
    assert_eq!(processes[0].read("s").await.unwrap(), "x");
}

#[tokio::test(start_paused = true)]
async fn of_appends_that_race_with_a_close_those_before_it_are_there_and_no_other() {
    for delay_ms in [0, 5, 11, 23, 37, 60] {
        let world = World::new();
        let (writer, closer) = (world.process(), world.process());
        writer.create("s").await.unwrap();
        closer.tail("s").await.unwrap();
        let appends = join_all((0..60).map(|n| {
            let writer = &writer;
            async move {
                pass(std::time::Duration::from_millis(n * 2)).await;
                writer.append("s", &format!("<{n:02}>")).await
            }
        }));
        let end = async {
            pass(std::time::Duration::from_millis(delay_ms)).await;
            closer.close("s").await
        };
        let (appended, end) = futures::future::join(appends, end).await;
        let Ok(WriteOutcome::Closed { tail, .. }) = end else { panic!("{end:?}") };
        let there = appended.iter().filter(|appended| appended.is_ok()).count();
        for appended in &appended {
            match appended {
                Ok(outcome) => assert!(end_of(outcome) <= tail.get()),
                Err(refusal) => assert_eq!(*refusal, Refusal::StreamClosed { tail }),
            }
        }
        assert_eq!(world.process().read("s").await.unwrap().len(), there * 4, "{delay_ms}");
    }
}

/// A probe that was answered before an append says nothing to a read that began after it.
#[tokio::test(start_paused = true)]
async fn a_read_that_comes_while_a_probe_is_under_way_waits_for_one_of_its_own() {
    let world = World::new();
    let (reader, writer) = (Arc::new(world.process()), world.process());
    reader.create("s").await.unwrap();
    let mut hold = world.script.hold_answer(Operation::Get, "/log/");
    let ask = |reader: &Arc<Process>| {
        let reader = reader.clone();
        tokio::spawn(async move { reader.tail("s").await })
    };
    let before = ask(&reader);
    hold.arrived().await;
    writer.append("s", "x").await.unwrap();
    let after = [ask(&reader), ask(&reader)];
    pass(ROUND * 3).await;
    assert!(after.iter().all(|read| !read.is_finished()));
    hold.release();
    assert!(matches!(before.await.unwrap(), Ok(0 | 1)));
    for read in after {
        assert_eq!(read.await.unwrap(), Ok(1), "what was acknowledged before it began");
    }
}

/// See: <https://github.com/electric-sql/electric/pull/4675>
#[tokio::test(start_paused = true)]
async fn of_creates_that_race_one_creates_and_the_others_find_it() {
    let world = World::new();
    let processes = [world.process(), world.process()];
    let creates = (0..8).map(|n| {
        let (one, other) = (&processes[n % 2], &processes[(n + 1) % 2]);
        async move {
            let created = one.create("s").await.unwrap();
            let seen = other.engine.head(&key("s"), None).await.unwrap();
            assert_eq!(seen.incarnation, created.stream.incarnation, "visible everywhere at once");
            created.existed
        }
    });
    let existed = join_all(creates).await;
    assert_eq!(existed.iter().filter(|existed| !**existed).count(), 1, "{existed:?}");
}

#[tokio::test(start_paused = true)]
async fn of_creates_of_different_types_that_race_one_wins_and_the_others_conflict() {
    let world = World::new();
    let processes = [world.process(), world.process()];
    let types = ["text/plain", "application/json", "application/octet-stream", "text/html"];
    let creates = (0..8).map(|n| {
        let process = &processes[n % 2];
        let content_type = ContentType::parse(types[n / 2]).unwrap();
        async move { process.engine.create(&key("s"), CreateRequest { content_type, ..create() }).await }
    });
    let answers = join_all(creates).await;
    let winners: Vec<_> = answers.iter().flatten().filter(|answer| !answer.existed).collect();
    assert_eq!(winners.len(), 1);
    for process in &processes {
        let seen = process.engine.head(&key("s"), None).await.unwrap();
        assert_eq!(seen.content_type, winners[0].stream.content_type);
    }
    for (n, answer) in answers.iter().enumerate() {
        let same = types[n / 2] == winners[0].stream.content_type.to_string();
        assert_eq!(answer.is_ok(), same, "{n}: {answer:?}");
        assert!(same || *answer == Err(Refusal::StreamAlreadyExists), "{n}: {answer:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn of_creates_with_bytes_that_race_only_the_winner_s_bytes_are_there() {
    let world = World::new();
    let processes = [world.process(), world.process(), world.process()];
    let creates = (0..9).map(|n| {
        let process = &processes[n % 3];
        async move { (n, process.engine.create(&key("s"), create_with(&format!("<{n}>"))).await.unwrap()) }
    });
    let winners: Vec<_> = join_all(creates).await.into_iter().filter(|(_, created)| !created.existed).collect();
    assert_eq!(winners.len(), 1);
    let text = format!("<{}>", winners[0].0);
    for process in processes.iter().chain([&world.process()]) {
        assert_eq!(process.read("s").await.unwrap(), text);
    }
}

#[tokio::test(start_paused = true)]
async fn a_create_that_must_find_nothing_is_refused_on_all_but_one() {
    let world = World::new();
    let processes = [world.process(), world.process()];
    let request = CreateRequest { only_if_missing: true, ..create() };
    let name = key("s");
    let answers = join_all((0..6).map(|n| processes[n % 2].engine.create(&name, request.clone()))).await;
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 1);
    assert!(answers.iter().flatten().all(|created| !created.existed));
    assert!(answers.into_iter().filter_map(Result::err).all(|refusal| refusal == Refusal::ExistsAlready));
}

/// See: <https://github.com/electric-sql/electric/issues/4703>
#[tokio::test(start_paused = true)]
async fn three_hundred_creates_on_two_processes_cost_one_put_each() {
    let world = World::new();
    let processes = [world.process(), world.process()];
    join_all(processes.iter().map(|process| process.create("clock"))).await;
    let names: Vec<String> = (0..300).map(|n| format!("s{n}")).collect();
    let started = tokio::time::Instant::now();
    let ((), cost) = processes[0]
        .counting(async {
            let creates = names.iter().enumerate().map(|(n, name)| processes[n % 2].create(name));
            assert!(join_all(creates).await.into_iter().all(|created| !created.unwrap().existed));
        })
        .await;
    assert_eq!(cost, RequestCounts { put: 150, ..RequestCounts::default() });
    assert_eq!(started.elapsed(), ROUND, "all in one round");
}
