//! Delete, and create again: two lives of one name, seen from several processes.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests")]

mod common;

use std::sync::Arc;

use common::*;
use futures::future::{join, join_all};
use wadi_protocol::{DeleteRequest, IfMatch, Incarnation, ReadFrom, ReadRequest, Refusal, WriteRequest};
use wadi_store::{Fault, Operation};

fn tokened(incarnation: Incarnation, request: WriteRequest) -> WriteRequest {
    WriteRequest { incarnation: Some(incarnation), ..request }
}

async fn token(process: &Process) -> Incarnation {
    process.engine.head(&key("s"), None).await.unwrap().incarnation
}

/// Both processes know the stream, with "a" in it.
async fn two_warm(world: &World) -> (Process, Process) {
    let (one, two) = (world.process(), world.process());
    one.create("s").await.unwrap();
    one.append("s", "a").await.unwrap();
    assert_eq!(two.read("s").await.unwrap(), "a");
    (one, two)
}

/// See: <https://github.com/electric-sql/electric/pull/4675>
#[tokio::test(start_paused = true)]
async fn a_deleted_stream_is_gone_at_once_for_a_process_that_knew_it() {
    for kind in 0..7 {
        let world = World::new();
        let (one, two) = two_warm(&world).await;
        let old = token(&one).await;
        one.delete("s").await.unwrap();
        let refused = match kind {
            0 => two.read("s").await.map(drop),
            1 => two.tail("s").await.map(drop),
            2 => two.append("s", "x").await.map(drop),
            3 => two.append_keyed("s", "x", "p", 0, 0).await.map(drop),
            4 => two.close("s").await.map(drop),
            5 => two.delete("s").await,
            _ => two.write("s", tokened(old, append("x"))).await.map(drop),
        };
        assert_eq!(refused, Err(Refusal::StreamNotFound), "{kind}");
        assert_eq!(one.read("s").await, Err(Refusal::StreamNotFound), "{kind}");
        assert_eq!(world.process().read("s").await, Err(Refusal::StreamNotFound), "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_stream_created_again_has_another_token_and_nothing_of_the_first() {
    let world = World::new();
    let (one, two) = two_warm(&world).await;
    one.append_keyed("s", "k", "p", 3, 0).await.unwrap();
    one.close("s").await.unwrap();
    let mut tokens = vec![token(&one).await];
    for life in 0..5 {
        two.delete("s").await.unwrap();
        let created = one.engine.create(&key("s"), create_with(&format!("<{life}>"))).await.unwrap();
        assert!(!created.existed && !tokens.contains(&created.stream.incarnation));
        tokens.push(created.stream.incarnation);
        for process in [&one, &two, &world.process()] {
            assert_eq!(process.read("s").await.unwrap(), format!("<{life}>"));
            assert_eq!(token(process).await, created.stream.incarnation);
        }
    }
    // Neither closed nor fenced by what was before.
    assert_eq!(end_of(&two.append_keyed("s", "k", "p", 0, 0).await.unwrap()), 4);
    let manifest = world.manifest("s").await;
    assert_eq!(manifest.dropped.len(), 5);
    assert!(tokens.iter().all(|token| manifest.knows(*token)));
}

#[tokio::test(start_paused = true)]
async fn an_append_of_a_warm_process_goes_to_the_new_life_unless_it_names_the_old_one() {
    let world = World::new();
    let (one, two) = two_warm(&world).await;
    let old = token(&two).await;
    one.delete("s").await.unwrap();
    one.create("s").await.unwrap();
    let new = token(&one).await;
    let refused = Err(Refusal::IncarnationMismatch { current: Some(new) });
    assert_eq!(two.write("s", tokened(old, append("old"))).await, refused.clone());
    assert_eq!(end_of(&two.append("s", "new").await.unwrap()), 3);
    assert_eq!(two.write("s", tokened(old, close())).await, refused);
    let read_old = ReadRequest { incarnation: Some(old), ..read(ReadFrom::Start) };
    let refused = two.engine.read(&key("s"), read_old).await;
    assert_eq!(refused, Err(Refusal::IncarnationMismatch { current: Some(new) }));
    let delete_old = DeleteRequest { incarnation: Some(old), if_match: None };
    assert!(matches!(two.engine.delete(&key("s"), delete_old).await, Err(Refusal::IncarnationMismatch { .. })));
    two.write("s", tokened(new, append("!"))).await.unwrap();
    assert_eq!(one.read("s").await.unwrap(), "new!");
}

#[tokio::test(start_paused = true)]
async fn the_very_first_append_of_a_process_that_knew_the_old_life_goes_to_the_new_one() {
    let world = World::new();
    let (one, two) = two_warm(&world).await;
    one.delete("s").await.unwrap();
    one.create("s").await.unwrap();
    assert_eq!(end_of(&two.append("s", "new").await.unwrap()), 3);
    assert_eq!(one.read("s").await.unwrap(), "new");
}

#[tokio::test(start_paused = true)]
async fn nothing_is_acknowledged_after_a_delete_that_races_with_it() {
    for delay_ms in 0..40 {
        let world = World::new();
        let (one, two) = two_warm(&world).await;
        let old = token(&one).await;
        let appends = join_all((0..5).map(|n| {
            let one = &one;
            async move {
                pass(std::time::Duration::from_millis(n * 8)).await;
                one.append("s", "x").await
            }
        }));
        let deletes = async {
            pass(std::time::Duration::from_millis(delay_ms)).await;
            two.delete("s").await
        };
        let (appended, end) = join(appends, deletes).await;
        end.unwrap();
        let mut state = wadi_protocol::StreamState::born(&world.manifest("s").await.genesis);
        for seq in 1.. {
            let slot = common::surgery::slot_of("s", old, seq);
            let Some((object, _, _)) = world.object(&slot).await else { break };
            let line: common::surgery::Line =
                serde_json::from_slice(object.split(|byte| *byte == b'\n').next().unwrap()).unwrap();
            line.content.operations.iter().for_each(|operation| state.apply(operation, line.at).unwrap());
        }
        let there = appended.iter().filter(|appended| appended.is_ok()).count() as u64;
        assert_eq!(state.tail.get(), 1 + there, "all that was acknowledged came before the end: {appended:?}");
        assert!(state.deleted.is_some());
        assert!(appended.into_iter().filter_map(Result::err).all(|refusal| refusal == Refusal::StreamNotFound));
    }
}

/// See: <https://github.com/slatedb/slatedb/issues/352>
#[tokio::test(start_paused = true)]
async fn a_stalled_write_does_not_reach_the_next_life_of_its_stream() {
    for tell in [true, false] {
        let world = World::new();
        let (one, two) = two_warm(&world).await;
        let one = Arc::new(one);
        let old = token(&one).await;
        let mut hold = world.script.hold(Operation::Put, "/log/");
        let late = tokio::spawn({
            let one = one.clone();
            let request = if tell { tokened(old, append("late")) } else { append("late") };
            async move { one.write("s", request).await }
        });
        hold.arrived().await;
        two.delete("s").await.unwrap();
        two.create("s").await.unwrap();
        two.append("s", "b").await.unwrap();
        hold.release();
        let outcome = late.await.unwrap();
        if tell {
            assert!(matches!(outcome, Err(Refusal::IncarnationMismatch { .. })), "{outcome:?}");
        } else {
            assert_eq!(end_of(&outcome.unwrap()), 5, "it goes to the stream that is there now");
        }
        let text = if tell { "b" } else { "blate" };
        for process in [&*one, &two, &world.process()] {
            assert_eq!(process.read("s").await.unwrap(), text);
        }
    }
}

/// The PUT was given up and lands when the stream lives its next life.
#[tokio::test(start_paused = true)]
async fn a_write_that_lands_behind_the_end_of_its_log_is_void() {
    let world = World::new();
    let (one, two) = two_warm(&world).await;
    world.script.always(Operation::Put, "/log/", Fault::Postpone);
    assert_eq!(one.append("s", "late").await, Err(Refusal::OutcomeUnknown));
    world.script.clear();
    two.delete("s").await.unwrap();
    two.create("s").await.unwrap();
    assert_eq!(world.faulty.land_postponed(0).await, Ok(Some(false)), "the delete record has its slot");
    for process in [&one, &two, &world.process()] {
        assert_eq!(process.read("s").await.unwrap(), "");
    }
}

#[tokio::test(start_paused = true)]
async fn a_delete_asks_for_a_version_as_an_append_does() {
    let world = World::new();
    let (one, two) = two_warm(&world).await;
    let stream = one.engine.head(&key("s"), None).await.unwrap();
    let tag = wadi_protocol::EndTag { incarnation: stream.incarnation, end: stream.tail, closed: false };
    two.append("s", "b").await.unwrap();
    let request = DeleteRequest { incarnation: None, if_match: Some(IfMatch::Tags(vec![tag])) };
    let refused = one.engine.delete(&key("s"), request).await;
    assert!(matches!(refused, Err(Refusal::IfMatchFailed { current }) if current.end.get() == 2), "{refused:?}");
    assert_eq!(one.read("s").await.unwrap(), "ab");
}

/// The process that deleted it crashed before it put the tombstone.
#[tokio::test(start_paused = true)]
async fn a_create_over_an_end_without_a_tombstone_leaves_no_orphan() {
    for warm in [true, false] {
        let world = World::new();
        let (one, two) = two_warm(&world).await;
        world.script.always(Operation::Put, "manifest/", Fault::Denied);
        one.delete("s").await.unwrap();
        world.script.clear();
        let process = if warm { two } else { world.process() };
        let created = process.engine.create(&key("s"), create_with("new")).await.unwrap();
        assert!(!created.existed);
        let firsts = world.keys("ds/default/s/", "/log/00000000000000000001.rec").await;
        assert_eq!(firsts.len(), 2, "one log of each life: {firsts:?}");
        assert_eq!(one.read("s").await.unwrap(), "new");
    }
}

#[tokio::test(start_paused = true)]
async fn of_deletes_that_race_one_deletes() {
    let world = World::new();
    let (one, two) = two_warm(&world).await;
    let deletes = join_all((0..10).map(|n| if n % 2 == 0 { one.delete("s") } else { two.delete("s") }));
    let answers = deletes.await;
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 1, "{answers:?}");
    assert!(answers.into_iter().filter_map(Result::err).all(|refusal| refusal == Refusal::StreamNotFound));
    assert_eq!(world.manifest("s").await.revision, 2);
}

/// Creates, deletes and appends of three processes, all at once: each append that was acknowledged
/// is in the life it was acknowledged in, and the last life holds only its own.
#[tokio::test(start_paused = true)]
async fn lives_that_follow_each_other_quickly_do_not_mix() {
    let world = World::new();
    let processes = [world.process(), world.process(), world.process()];
    let work = (0..120_usize).map(|n| {
        let process = &processes[n % 3];
        async move {
            pass(std::time::Duration::from_millis(n as u64 * 13)).await;
            match n % 8 {
                0 => drop(process.create("s").await.unwrap()),
                5 => assert!(matches!(process.delete("s").await, Ok(()) | Err(Refusal::StreamNotFound))),
                _ => match process.append("s", "x").await {
                    Ok(wadi_protocol::WriteOutcome::Appended { incarnation, end, .. }) => {
                        return Some((incarnation, end));
                    }
                    outcome => assert_eq!(outcome, Err(Refusal::StreamNotFound)),
                },
            }
            None
        }
    });
    let acknowledged: Vec<_> = join_all(work).await.into_iter().flatten().collect();
    let distinct: std::collections::BTreeSet<_> = acknowledged.iter().collect();
    assert_eq!(distinct.len(), acknowledged.len(), "no two at one place");
    processes[0].create("s").await.unwrap();
    let last = token(&processes[1]).await;
    let there = acknowledged.iter().filter(|(incarnation, _)| *incarnation == last).count();
    for process in &processes {
        assert_eq!(process.read("s").await.unwrap().len(), there);
    }
    assert!(acknowledged.len() > 40, "{}", acknowledged.len());
}
