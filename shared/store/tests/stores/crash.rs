//! The embedded store killed at any moment: what it acknowledged is there and whole, and so is all the rest.

use std::{
    collections::BTreeMap,
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, Command, Stdio},
    sync::Arc,
};

use wadi_store::{EmbeddedStore, GetOptions, ListRequest, NewObject, ObjectStore, OpenError, PutCondition, PutOutcome};

use crate::{
    contract::{basics::noise, found},
    system_clock,
};

/// Kills in each of some directories: twenty in all.
const ROUNDS: usize = 5;
const DIRECTORIES: usize = 4;
const WRITERS: usize = 8;
const DIRECTORY: &str = "WADI_TEST_CRASH_DIRECTORY";
const ROUND: &str = "WADI_TEST_CRASH_ROUND";
const GENERATION: &str = "WADI_TEST_CRASH_GENERATION";

/// Bytes of a generation of changes in each directory: with few, kills meet turns of the journal and commits of the
/// database all the time; with many, most of what a start finds is in the journal.
const GENERATIONS: [usize; DIRECTORIES] = [1, 100_000, 1_000_000, 8_000_000];

/// Bodies of all kinds: in the database, in files, and empty. Their size tells their content.
fn size_of(step: usize) -> usize {
    [10, 3000, 0, 300_000, 70_000, 1024, 1024, 1_000_000][step % 8]
}

/// The process to be killed: not a test of its own, but started by one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "started by the test below"]
async fn writes_until_it_is_killed() {
    let [Ok(directory), Ok(round), Ok(generation)] = [DIRECTORY, ROUND, GENERATION].map(std::env::var) else { return };
    say("opening");
    let opened = EmbeddedStore::open_with_generations(directory, system_clock(), generation.parse().unwrap());
    let store = Arc::new(opened.unwrap());
    let writers =
        (0..WRITERS).map(|writer| tokio::spawn(write(Arc::clone(&store), format!("{round}-{writer}"), writer)));
    futures::future::join_all(writers).await;
}

async fn write(store: Arc<EmbeddedStore>, name: String, writer: usize) {
    for step in 0.. {
        let body = noise(size_of(step + writer));
        let key = format!("once/{name}/{step:06}");
        let outcome = store.put(&key.as_str().into(), body.into(), PutCondition::IfAbsent).await.unwrap();
        assert!(matches!(outcome, PutOutcome::Stored { .. }));
        say(&format!("once {key} {}", size_of(step + writer)));

        // One object replaced again and again: its size counts its steps.
        let size = 250_000 + step * 1000 % 20_000 + step / 20;
        let replaced = NewObject::from(noise(size));
        store.put(&format!("again/{writer}").as_str().into(), replaced, PutCondition::Always).await.unwrap();
        if step % 5 == 4 {
            say(&format!("gone {key} 0"));
            store.delete_many(&[key.as_str().into()]).await.unwrap();
        }
    }
}

fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "> {line}").unwrap();
    out.flush().unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_was_acknowledged_survives_a_kill() {
    let mut killed_after = (0..).map(|round| round * 37 % 101);
    for generation in GENERATIONS {
        let directory = tempfile::tempdir().unwrap();
        let mut acknowledged = BTreeMap::new();
        for (round, lines) in killed_after.by_ref().take(ROUNDS).enumerate() {
            run_and_kill(directory.path(), generation, round, lines, &mut acknowledged);
            check(directory.path(), &acknowledged).await;
        }
        assert!(acknowledged.len() > ROUNDS * 10, "only {} writes were acknowledged", acknowledged.len());
    }
}

/// Starts the writing process, kills it once it has said `lines` lines, and notes all that it said.
fn run_and_kill(
    directory: &Path,
    generation: usize,
    round: usize,
    lines: usize,
    acknowledged: &mut BTreeMap<String, usize>,
) {
    let mut child = start(directory, generation, round);
    let out = BufReader::new(child.stdout.take().unwrap());
    let mut said = 0;
    for line in out.lines() {
        let line = line.unwrap();
        let Some((_, text)) = line.split_once("> ") else { continue };
        if let [word, key, size] = text.split(' ').collect::<Vec<_>>()[..] {
            match word {
                "once" => drop(acknowledged.insert(key.to_owned(), size.parse().unwrap())),
                // Said before it is done: from here on it may be there or not.
                _ => drop(acknowledged.remove(key)),
            }
        }
        if said == 1 && lines >= 1 {
            refuses_a_second_process(directory, child.id());
        }
        if said == lines {
            // Reading goes on to the end: what was said before the kill counts.
            child.kill().unwrap();
        }
        said += 1;
    }
    child.wait().unwrap();
    assert!(said > lines, "the process ended by itself after {said} lines");
}

fn refuses_a_second_process(directory: &Path, first: u32) {
    let refused = EmbeddedStore::open(directory, system_clock()).unwrap_err();
    assert!(matches!(refused, OpenError::InUse { owner: Some(pid), .. } if pid == first), "{refused:?}");
}

fn start(directory: &Path, generation: usize, round: usize) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "crash::writes_until_it_is_killed", "--ignored", "--nocapture"])
        .env(DIRECTORY, directory)
        .env(ROUND, round.to_string())
        .env(GENERATION, generation.to_string())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

async fn check(directory: &Path, acknowledged: &BTreeMap<String, usize>) {
    let store = EmbeddedStore::open(directory, system_clock()).unwrap();
    for (key, size) in acknowledged {
        let object = found(store.get(&key.as_str().into(), GetOptions::default()).await.unwrap());
        assert_eq!(object.body.len(), *size, "{key}");
    }
    let mut start_after = None;
    loop {
        let page = store.list(ListRequest { prefix: String::new(), start_after, limit: 1000 }).await.unwrap();
        for listed in &page.objects {
            let object = found(store.get(&listed.key, GetOptions::default()).await.unwrap());
            assert!(object.body == noise(usize::try_from(listed.size).unwrap()), "{} is not whole", listed.key);
        }
        let Some(last) = page.objects.last().filter(|_| page.more) else { return };
        start_after = Some(last.key.clone());
    }
}
