//! Live reads: who is woken when, and what waiting costs.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests")]

mod common;

use std::{sync::Arc, time::Duration};

use common::*;
use futures::future::join_all;
use tokio::time::Instant;
use wadi_protocol::{Lifetime, ReadFrom, Refusal};
use wadi_store::RequestCounts;
use wadi_stream::{Tail, TailStep};

const PAGE: u64 = 8 << 20;
const LONG: Duration = Duration::from_mins(1);

async fn tail(process: &Process, name: &str) -> Tail {
    process.engine.tail(&key(name), &read(ReadFrom::Start)).await.unwrap()
}

async fn text(tail: &mut Tail, wait: Duration) -> String {
    match tail.step(PAGE, wait).await.unwrap() {
        TailStep::Page(page) => String::from_utf8(page.body.clone().joined().to_vec()).unwrap(),
        other => panic!("no page but {other:?}"),
    }
}

#[tokio::test(start_paused = true)]
async fn an_append_in_the_same_process_is_seen_at_once_and_costs_no_get() {
    let world = World::new();
    let process = world.process();
    process.create("s").await.unwrap();
    let mut tail = tail(&process, "s").await;
    let waiting = tokio::spawn(async move {
        let seen = text(&mut tail, LONG).await;
        (seen, Instant::now())
    });
    tokio::task::yield_now().await;
    let (outcome, cost) = process.counting(process.append("s", "hello")).await;
    outcome.unwrap();
    let written = Instant::now();
    let (seen, at) = waiting.await.unwrap();
    assert_eq!(seen, "hello");
    assert_eq!(at, written);
    assert_eq!(cost, RequestCounts { put: 1, get: 0, delete: 0, list: 0 });
}

#[tokio::test(start_paused = true)]
async fn an_append_of_another_process_is_found_by_polling() {
    let world = World::new();
    let (reader, writer) = (world.process(), world.process());
    writer.create("s").await.unwrap();
    let mut tail = tail(&reader, "s").await;
    writer.append("s", "one ").await.unwrap();
    let started = Instant::now();
    assert_eq!(text(&mut tail, LONG).await, "one ");
    assert!(started.elapsed() <= Duration::from_millis(1100));
    writer.append("s", "two").await.unwrap();
    let started = Instant::now();
    assert_eq!(text(&mut tail, LONG).await, "two");
    assert!(started.elapsed() <= Duration::from_millis(100), "a busy stream is looked at more often");
}

#[tokio::test(start_paused = true)]
async fn a_minute_of_idle_tails_costs_at_most_61_gets_for_one_and_for_a_thousand() {
    for count in [1, 1000] {
        let world = World::new();
        let process = world.process();
        process.create("s").await.unwrap();
        let mut tails = join_all((0..count).map(|_| tail(&process, "s"))).await;
        let idle = join_all(tails.iter_mut().map(|tail| tail.step(PAGE, LONG)));
        let (steps, cost) = process.counting(idle).await;
        assert!(steps.into_iter().all(|step| matches!(step, Ok(TailStep::Idle(_)))));
        assert!(cost.get <= 61 && cost.put == 0, "{count} tails: {cost:?}");
        drop(tails);
        tokio::time::sleep(Duration::from_secs(2)).await;
        let (after, cost) = process.counting(tokio::time::sleep(LONG)).await;
        assert_eq!((after, cost.total()), ((), 0), "nobody tails, nobody polls");
    }
}

#[tokio::test(start_paused = true)]
async fn every_tail_gets_every_append_in_order_without_a_get_of_its_own() {
    let world = World::new();
    let process = world.process();
    process.create("s").await.unwrap();
    let tails = join_all((0..100).map(|_| tail(&process, "s"))).await;
    let readers = tails.into_iter().map(|mut tail| {
        tokio::spawn(async move {
            let mut seen = String::new();
            while seen.len() < 50 {
                seen.push_str(&text(&mut tail, LONG).await);
            }
            seen
        })
    });
    let readers = readers.collect::<Vec<_>>();
    let writes = async {
        for n in 0..10 {
            process.append("s", &format!("[{n}] ,")).await.unwrap();
        }
    };
    let ((), cost) = process.counting(writes).await;
    for reader in readers {
        assert_eq!(reader.await.unwrap(), "[0] ,[1] ,[2] ,[3] ,[4] ,[5] ,[6] ,[7] ,[8] ,[9] ,");
    }
    assert_eq!(cost.put, 10);
    assert!(cost.get <= 2, "{cost:?}");
}

#[tokio::test(start_paused = true)]
async fn tails_that_stand_together_have_one_page_which_goes_once_all_have_it() {
    let world = World::new();
    let process = world.process();
    process.create("s").await.unwrap();
    process.append("s", "old").await.unwrap();
    let mut tails = join_all((0..10).map(|_| tail(&process, "s"))).await;
    let mut behind = tails.pop().unwrap();
    for mine in &mut tails {
        assert_eq!(text(mine, LONG).await, "old");
    }
    process.append("s", " new").await.unwrap();
    let steps = join_all(tails.iter_mut().map(|tail| tail.step(PAGE, LONG))).await;
    let page = |step: Result<TailStep, Refusal>| match step {
        Ok(TailStep::Page(page)) => page,
        other => panic!("no page but {other:?}"),
    };
    let mut pages: Vec<_> = steps.into_iter().map(page).collect();
    assert_eq!(text(&mut behind, LONG).await, "old", "one that fell behind reads on where it was");
    assert!(Arc::strong_count(&pages[0]) > pages.len(), "and the page of the others is still there for it");
    pages.push(page(behind.step(PAGE, LONG).await));
    assert!(pages.iter().all(|each| Arc::ptr_eq(each, &pages[0]) && each.body.clone().joined() == " new"));
    assert_eq!(Arc::strong_count(&pages[0]), pages.len());
}

#[tokio::test(start_paused = true)]
async fn the_last_message_comes_before_the_end() {
    for delay_ms in (0..=400).step_by(10) {
        let world = World::new();
        let (reader, writer) = (world.process(), world.process());
        writer.create("s").await.unwrap();
        let mut tail = tail(&reader, "s").await;
        let closing = tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(delay_ms)).await;
            let closing = wadi_protocol::WriteRequest { closes: true, ..append("bye") };
            writer.engine.write(&key("s"), closing).await
        });
        assert_eq!(text(&mut tail, LONG).await, "bye");
        assert!(matches!(tail.step(PAGE, LONG).await, Ok(TailStep::Closed(_))));
        closing.await.unwrap().unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn a_delete_ends_tails_wherever_it_happens_and_a_new_stream_revives_none() {
    for here in [true, false] {
        let world = World::new();
        let (reader, other) = (world.process(), world.process());
        other.create("s").await.unwrap();
        let mut tail = tail(&reader, "s").await;
        let deleter = if here { &reader } else { &other };
        deleter.delete("s").await.unwrap();
        deleter.create("s").await.unwrap();
        deleter.append("s", "of another life").await.unwrap();
        assert_eq!(tail.step(PAGE, LONG).await, Err(Refusal::StreamNotFound), "here: {here}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_expiry_ends_tails() {
    let world = World::new();
    let process = world.process();
    let request = wadi_protocol::CreateRequest { lifetime: Lifetime::Ttl { seconds: 30 }, ..create() };
    process.engine.create(&key("s"), request).await.unwrap();
    let mut tail = tail(&process, "s").await;
    let started = Instant::now();
    assert_eq!(tail.step(PAGE, LONG).await, Err(Refusal::StreamNotFound));
    assert!(started.elapsed() >= Duration::from_secs(30) && started.elapsed() <= Duration::from_secs(32));
}

#[tokio::test(start_paused = true)]
async fn a_tail_goes_on_where_a_step_was_given_back() {
    let world = World::new();
    let process = world.process();
    process.create("s").await.unwrap();
    process.append("s", "grün").await.unwrap();
    let mut tail = tail(&process, "s").await;
    let Ok(TailStep::Page(page)) = tail.step(3, LONG).await else { panic!("no page") };
    assert_eq!(&page.body.clone().joined()[..], &b"gr\xc3"[..]);
    tail.give_back(1);
    assert_eq!(text(&mut tail, LONG).await, "ün");
}

#[tokio::test(start_paused = true)]
async fn bytes_given_back_at_the_tail_wait_for_what_follows_them() {
    let world = World::new();
    let process = world.process();
    process.create("s").await.unwrap();
    process.engine.write(&key("s"), append_bytes((&b"gr\xc3"[..]).into())).await.unwrap();
    let mut tail = tail(&process, "s").await;
    let Ok(TailStep::Page(page)) = tail.step(PAGE, LONG).await else { panic!("no page") };
    assert_eq!(page.body.len(), 3);
    tail.give_back(1);
    assert!(matches!(tail.step(PAGE, LONG).await, Ok(TailStep::Idle(_))));
    process.engine.write(&key("s"), append_bytes((&b"\xbcn"[..]).into())).await.unwrap();
    assert_eq!(text(&mut tail, LONG).await, "ün");
    tail.give_back(1);
    process.close("s").await.unwrap();
    assert_eq!(text(&mut tail, LONG).await, "n", "at the end nothing is held back any more");
}

#[tokio::test(start_paused = true)]
async fn a_tail_survives_a_store_that_is_away_for_a_while() {
    let world = World::new();
    let (reader, writer) = (world.process(), world.process());
    writer.create("s").await.unwrap();
    let mut tail = tail(&reader, "s").await;
    world.script.always(wadi_store::Operation::Get, "", wadi_store::Fault::ServerError);
    assert!(matches!(tail.step(PAGE, Duration::from_secs(10)).await, Ok(TailStep::Idle(_))));
    world.script.clear();
    writer.append("s", "back").await.unwrap();
    assert_eq!(text(&mut tail, LONG).await, "back");
}
