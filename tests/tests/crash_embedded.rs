//! A server on the embedded store may be killed at any moment: what it acknowledged is there, once.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use std::{
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use tokio::task::JoinHandle;
use wadi_tests::{
    http::Streams,
    ledger::{self, Fate, Sent},
    messages::{Kind, Stream},
    server::{Launch, Server},
    wait,
    writer::Writer,
};

/// How many times the server is killed.
const KILLS: usize = 50;

/// Writers with and without a key, each, for every stream.
const WRITERS: usize = 2;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn acknowledged_appends_survive_every_kill_once() {
    let data = tempfile::tempdir().expect("a temporary folder");
    let mut server = Launch::embedded(data.path()).start().await;
    let streams = [Stream::new("crash/a", Kind::Lines), Stream::new("crash/b", Kind::Lines), json()];
    for stream in &streams {
        server.streams().create(stream).await;
    }
    let mut writers: Vec<Writer> = streams.iter().flat_map(writers_of).collect();
    let mut seen = HashMap::new();
    for kill in 0..KILLS {
        writers = write_until_killed(&mut server, writers, acknowledgements_before(kill)).await;
        server.restart().await;
        check(&server.streams(), &streams, &writers, &mut seen).await;
        settle(&server.streams(), &mut writers).await;
    }
    check(&server.streams(), &streams, &writers, &mut seen).await;
}

fn json() -> Stream {
    Stream::new("crash/json", Kind::Json)
}

/// How much is acknowledged before a kill: another amount each time, from nothing to some dozens.
fn acknowledgements_before(kill: usize) -> usize {
    kill * 37 % 60
}

fn writers_of(stream: &Stream) -> Vec<Writer> {
    let name = stream.path.rsplit('/').next().expect("a last part of the path");
    let keyed = (0..WRITERS).map(|number| Writer::keyed(stream, &format!("{name}-keyed{number}")));
    let unkeyed = (0..WRITERS).map(|number| Writer::unkeyed(stream, &format!("{name}-plain{number}")));
    keyed.chain(unkeyed).collect()
}

/// Lets all write at once, kills the server after `acknowledgements`, and returns the writers.
async fn write_until_killed(server: &mut Server, writers: Vec<Writer>, acknowledgements: usize) -> Vec<Writer> {
    let count = Arc::new(AtomicUsize::new(0));
    let tasks: Vec<_> = writers
        .into_iter()
        .map(|writer| tokio::spawn(write_until_gone(writer, server.streams(), Arc::clone(&count))))
        .collect();
    wait::until("enough appends are acknowledged", wait::LIMIT, async || {
        let enough = count.load(Ordering::Relaxed) >= acknowledgements;
        (enough || tasks.iter().all(JoinHandle::is_finished)).then_some(())
    })
    .await;
    server.kill_9();
    let mut back = Vec::new();
    for task in tasks {
        back.push(task.await.expect("a writer does not fail"));
    }
    back
}

/// Appends until the server does not answer any more.
async fn write_until_gone(mut writer: Writer, via: Streams, count: Arc<AtomicUsize>) -> Writer {
    loop {
        match writer.step(&via).await {
            Fate::Acknowledged(_) => {
                count.fetch_add(1, Ordering::Relaxed);
            }
            Fate::Refused => wait::back_off(0).await,
            Fate::Unknown => return writer,
        }
    }
}

/// Holds every stream against the ledgers, and against what it contained before.
async fn check(via: &Streams, streams: &[Stream], writers: &[Writer], seen: &mut HashMap<String, Vec<String>>) {
    for stream in streams {
        let found = stream.messages(&via.read_all(stream).await);
        let sent: Vec<&[Sent]> = writers.iter().filter(|writer| writer.stream() == stream).map(Writer::sent).collect();
        ledger::check(&stream.path, &found, &sent);
        let before = seen.insert(stream.path.clone(), found.clone()).unwrap_or_default();
        assert!(found.starts_with(&before), "{} changed where it had been read before", stream.path);
    }
}

/// Lets the writers with a key send again what had no answer.
async fn settle(via: &Streams, writers: &mut [Writer]) {
    for writer in writers.iter_mut().filter(|writer| writer.is_pending()) {
        wait::until("a repeated append is acknowledged", wait::LIMIT, async || {
            matches!(writer.step(via).await, Fate::Acknowledged(_)).then_some(())
        })
        .await;
    }
}
