//! Many readers of one stream's events, in a process of their own.
//!
//! Arguments: the stream's URL, how many readers, and how many messages each is to get. A message is
//! `{"message":"<group> <number> <microseconds since 1970 when it was sent>"}`, numbered from 0.
//! Prints `ready` once all readers have caught up, and once each has got every message in order, for
//! each group of messages how long they took. Then the readers stay, until the process is killed.
#![allow(clippy::expect_used, clippy::print_stdout, reason = "a helper of tests fails by panicking")]

use std::{
    collections::BTreeMap,
    time::{SystemTime, UNIX_EPOCH},
};

use futures::{StreamExt, stream};
use reqwest::Client;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde_json::Value;
use tokio::{
    sync::mpsc::{UnboundedSender, unbounded_channel},
    task::JoinSet,
};
use wadi_tests::live::Events;

/// Connections that are being opened at once.
const OPENING_MAX: usize = 32;

/// What a reader tells.
enum Told {
    /// It has caught up for the first time.
    CaughtUp,
    /// A message arrived: its group, and how many microseconds after it was sent.
    Arrived(String, u64),
}

/// One reader: what it has read, and where it goes on.
struct Reader {
    http: Client,
    url: String,
    told: UnboundedSender<Told>,
    last_id: String,
    next_number: u64,
}

#[tokio::main]
async fn main() {
    let [url, readers, messages] = std::env::args().skip(1).collect::<Vec<_>>().try_into().expect("three arguments");
    let readers: usize = readers.parse().expect("a number of readers");
    let messages: usize = messages.parse().expect("a number of messages");
    raise_the_limit_of_open_files();

    let http = Client::builder().no_proxy().build().expect("an HTTP client");
    let (told, mut heard) = unbounded_channel();
    let reader =
        |_| Reader { http: http.clone(), url: url.clone(), told: told.clone(), last_id: String::new(), next_number: 0 };
    let mut open = stream::iter((0..readers).map(reader))
        .map(|reader| async move {
            let events = reader.open().await;
            (reader, events)
        })
        .buffer_unordered(OPENING_MAX);
    let mut running = JoinSet::new();
    while let Some((reader, events)) = open.next().await {
        running.spawn(reader.run(events));
    }

    let mut latencies: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    let (mut caught_up, mut arrived) = (0, 0);
    while arrived < readers * messages {
        tokio::select! {
            ended = running.join_next() => panic!("a reader failed: {ended:?}"),
            news = heard.recv() => match news.expect("readers that live") {
                Told::CaughtUp => {
                    caught_up += 1;
                    if caught_up == readers {
                        println!("ready");
                    }
                }
                Told::Arrived(group, micros) => {
                    arrived += 1;
                    latencies.entry(group).or_default().push(micros);
                }
            },
        }
    }
    for (group, mut micros) in latencies {
        micros.sort_unstable();
        let millis = |part: usize| micros[(micros.len() - 1) * part / 100] / 1000;
        println!("{} deliveries {group}: p50 {} ms, p99 {} ms", micros.len(), millis(50), millis(99));
    }
    println!("delivered");
    let ended = running.join_next().await;
    panic!("a reader failed: {ended:?}");
}

impl Reader {
    async fn open(&self) -> Events {
        let request = self.http.get(format!("{}?offset=-1&live=sse", self.url)).header("last-event-id", &self.last_id);
        let answer = request.send().await.expect("an answer");
        assert_eq!(answer.status().as_u16(), 200, "{answer:?}");
        Events::of(answer)
    }

    /// Reads for ever, over one connection after the other.
    async fn run(mut self, mut events: Events) {
        let mut caught_up = false;
        loop {
            while let Some(event) = events.next_whenever().await {
                let event = event.expect("a connection that ends between two events");
                assert_ne!(event.event, "error", "{event:?}");
                if event.event == "data" {
                    self.take(&event.data);
                } else if !std::mem::replace(&mut caught_up, true) {
                    self.tell(Told::CaughtUp);
                }
                self.last_id = event.id;
            }
            events = self.open().await;
        }
    }

    /// Takes the messages of an event, which must be the next ones.
    fn take(&mut self, data: &str) {
        let messages: Vec<Value> = serde_json::from_str(data).expect("an array of messages");
        for message in &messages {
            let text = message["message"].as_str().expect("a message of these tests");
            let [group, number, sent] = text.split(' ').collect::<Vec<_>>().try_into().expect("three words");
            assert_eq!(number, self.next_number.to_string(), "the next message in order");
            self.next_number += 1;
            let sent: u64 = sent.parse().expect("microseconds");
            self.tell(Told::Arrived(group.to_owned(), now_micros().saturating_sub(sent)));
        }
    }

    fn tell(&self, news: Told) {
        // Nobody listens any more once all has been told.
        let _ = self.told.send(news);
    }
}

fn now_micros() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).expect("a clock after 1970");
    u64::try_from(since.as_micros()).expect("a clock before the year 500,000")
}

/// A connection takes a descriptor, and the usual limit is about as many as there are readers.
fn raise_the_limit_of_open_files() {
    let maximum = getrlimit(Resource::Nofile).maximum;
    setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }).expect("a limit can be raised to its maximum");
}
