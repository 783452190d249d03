//! Streams that are created, written, closed and deleted by several clients at once, through two processes
//! whose requests meet every quick fault; and what must be true of every answer.

use std::{
    collections::{BTreeMap, HashSet},
    sync::{Mutex, PoisonError},
    time::Duration,
};

use futures::future::join_all;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use wadi_tests::{
    answer::Answer,
    call::Call,
    proxy::{Deck, Fault},
};

use crate::instance::{Instance, two};

/// What the clients do and meet.
const SEED: u64 = 20_260_102;

/// Clients at once.
const CLIENTS: usize = 4;

/// Requests of each.
const REQUESTS: usize = 60;

/// Faults of each kind, for each process.
const FAULTS: usize = 5;

const PATH: &str = "/v1/stream/lives";

fn faults() -> Vec<Fault> {
    let kinds = [
        Fault::Reset,
        Fault::AnswerLost,
        Fault::HalfAnswer,
        Fault::Conflict,
        Fault::PreconditionFailed,
        Fault::SlowDown,
        Fault::Twice,
        Fault::Late(Duration::from_millis(100)),
    ];
    kinds.into_iter().flat_map(|fault| vec![fault; FAULTS]).collect()
}

/// What is known of one life of the stream.
#[derive(Debug, Default)]
struct Life {
    /// The longest text that was read.
    text: String,
    /// Acknowledged messages, by the offset after them.
    acknowledged: BTreeMap<usize, String>,
    closed_at: Option<usize>,
    deleted: bool,
}

/// What the clients have been told, by the token of the life it was about.
#[derive(Debug, Default)]
struct Told(Mutex<BTreeMap<String, Life>>);

/// What was known when a request was sent: its answer must not fall behind it.
struct Before {
    deleted: HashSet<String>,
    /// Of each life, where the last message ended that was acknowledged.
    tails: BTreeMap<String, usize>,
    closed: HashSet<String>,
}

impl Told {
    fn with<T>(&self, look: impl FnOnce(&mut BTreeMap<String, Life>) -> T) -> T {
        look(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn before(&self) -> Before {
        self.with(|lives| {
            let having = |has: fn(&Life) -> bool| {
                lives.iter().filter(move |(_, life)| has(life)).map(|(token, _)| token.clone())
            };
            Before {
                deleted: having(|life| life.deleted).collect(),
                closed: having(|life| life.closed_at.is_some()).collect(),
                tails: lives
                    .iter()
                    .filter_map(|(token, life)| Some((token.clone(), *life.acknowledged.last_key_value()?.0)))
                    .collect(),
            }
        })
    }

    /// Takes note of an answer about the life it names.
    fn note(&self, before: &Before, answer: &Answer, note: impl FnOnce(&mut Life)) {
        let token = answer.header("stream-incarnation").unwrap_or_else(|| panic!("no token in {answer}")).to_owned();
        assert!(!before.deleted.contains(&token), "a deleted life comes back: {answer}");
        self.with(|lives| note(lives.entry(token).or_default()));
    }
}

fn end(answer: &Answer) -> usize {
    answer.next_offset().parse().expect("an offset")
}

/// See: <https://github.com/electric-sql/electric/pull/4675>, <https://github.com/slatedb/slatedb/issues/1622>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_answer_contradicts_another_under_fire() {
    let instances = two("lives").await;
    for (seed, instance) in (SEED..).zip(&instances) {
        instance.proxy.deal(Deck::shuffled(faults(), 4, seed));
    }
    let told = Told::default();
    join_all((0..CLIENTS).map(|number| client(number, &instances, &told))).await;
    for instance in &instances {
        instance.proxy.heal();
    }
    let before = told.before();
    for instance in &instances {
        read(instance, &told, &before).await;
    }
    told.with(|lives| {
        lives.values().for_each(check);
        let mut seen = HashSet::new();
        let messages = lives.values().flat_map(|life| life.text.split_inclusive('>'));
        messages.for_each(|message| assert!(seen.insert(message), "{message} is there twice: {lives:?}"));
    });
    let acknowledged: usize = told.with(|lives| lives.values().map(|life| life.acknowledged.len()).sum());
    let lives = told.with(|lives| lives.len());
    assert!(acknowledged >= REQUESTS / 2 && lives > 1, "{acknowledged} appends in {lives} lives only");
}

async fn client(number: usize, instances: &[Instance; 2], told: &Told) {
    let mut rng = StdRng::seed_from_u64(SEED + 100 + number as u64);
    for request in 0..REQUESTS {
        let via = &instances[rng.random_range(0..2)];
        let before = told.before();
        match rng.random_range(0..24) {
            0 => delete(via, told, &before).await,
            1 => close(via, told, &before).await,
            2..5 => create(via, told, &before).await,
            5..9 => read(via, told, &before).await,
            _ => append(via, told, &before, &format!("<{number}-{request:03}>")).await,
        }
    }
}

async fn create(via: &Instance, told: &Told, before: &Before) {
    let answer = via.create(PATH).await;
    match answer.status.as_u16() {
        200 | 201 => told.note(before, &answer, |_| ()),
        // It exists and is closed.
        409 => {}
        _ => says_why(&answer),
    }
}

async fn append(via: &Instance, told: &Told, before: &Before, message: &str) {
    let answer = via.append(PATH, message).await;
    match answer.status.as_u16() {
        204 => {
            let token = answer.header("stream-incarnation").unwrap_or_default();
            assert!(!before.closed.contains(token), "it was closed: {answer}");
            told.note(before, &answer, |life| {
                let other = life.acknowledged.insert(end(&answer), message.to_owned());
                assert_eq!(other, None, "two messages end at one offset: {answer}");
            });
        }
        // Gone, or closed: so that there is something to append to again.
        404 => create(via, told, &told.before()).await,
        409 => delete(via, told, &told.before()).await,
        _ => says_why(&answer),
    }
}

async fn close(via: &Instance, told: &Told, before: &Before) {
    let answer = Call::append(PATH).header("stream-closed", "true").ask(&via.streams).await;
    match answer.status.as_u16() {
        204 => told.note(before, &answer, |life| {
            let end = end(&answer);
            assert_eq!(life.closed_at.replace(end).unwrap_or(end), end, "it is closed where it was: {answer}");
        }),
        404 => {}
        _ => says_why(&answer),
    }
}

/// The life that a delete ends is not named by its answer: it is asked for by name.
async fn delete(via: &Instance, told: &Told, before: &Before) {
    let head = Call::head(PATH).ask(&via.streams).await;
    let Some(token) = head.header("stream-incarnation").map(str::to_owned) else { return };
    assert!(!before.deleted.contains(&token), "a deleted life comes back: {head}");
    let answer = Call::delete(PATH).header("stream-incarnation", &token).ask(&via.streams).await;
    match answer.status.as_u16() {
        204 => told.with(|lives| lives.entry(token).or_default().deleted = true),
        404 | 412 => {}
        _ => says_why(&answer),
    }
}

async fn read(via: &Instance, told: &Told, before: &Before) {
    let answer = Call::get(PATH).ask(&via.streams).await;
    match answer.status.as_u16() {
        200 => {
            let text = String::from_utf8_lossy(&answer.body).into_owned();
            let token = answer.header("stream-incarnation").unwrap_or_default();
            let least = before.tails.get(token).copied().unwrap_or(0);
            assert!(text.len() >= least, "{text:?} misses what was acknowledged up to {least}");
            told.note(before, &answer, |life| {
                let (short, long) =
                    if text.len() < life.text.len() { (&text, &life.text) } else { (&life.text, &text) };
                assert!(long.starts_with(short.as_str()), "two texts of one life: {short:?} and {long:?}");
                life.text.clone_from(&long.clone());
            });
        }
        404 => {}
        _ => says_why(&answer),
    }
}

/// Every other answer is a 503 that says what it proves, and when to come back.
fn says_why(answer: &Answer) {
    assert_eq!(answer.status, 503, "{answer}");
    assert!(answer.error_code().is_some() && answer.header("retry-after").is_some(), "{answer}");
}

/// The text of a life holds each message acknowledged in it where its answer said.
fn check(life: &Life) {
    for (end, message) in life.acknowledged.range(..=life.text.len()) {
        assert_eq!(life.text.get(end - message.len()..*end), Some(message.as_str()), "{life:?}");
    }
    if let Some(end) = life.closed_at {
        let last = life.acknowledged.last_key_value().map_or(0, |(end, _)| *end);
        assert!(last <= end && life.text.len() <= end, "something behind the end: {life:?}");
    }
}
