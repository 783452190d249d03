//! Two servers share a bucket and one of them is killed: nothing acknowledged is lost, doubled or moved.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use tokio::task::JoinHandle;
use wadi_tests::{
    bucket::Bucket,
    http::{Page, Streams},
    ledger::{self, Fate, Sent},
    messages::{Kind, Stream},
    producer::Producer,
    server::Launch,
    wait,
};

/// Producers, half of them on each stream.
const PRODUCERS: usize = 16;

/// Messages of each producer.
const MESSAGES: usize = 20;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn acknowledged_appends_are_there_once_in_order_from_both() {
    let bucket = Bucket::fresh("two-processes");
    let launch = Launch::on_s3(&bucket);
    let mut first = launch.clone().start().await;
    let second = launch.start().await;
    let both = [first.streams(), second.streams()];
    let streams = [Stream::new("shared/lines", Kind::Lines), Stream::new("shared/json", Kind::Json)];
    for stream in &streams {
        first.streams().create(stream).await;
    }

    let acknowledged = Arc::new(AtomicUsize::new(0));
    let producers: Vec<_> = (0..PRODUCERS)
        .map(|number| tokio::spawn(produce(number, streams[number % 2].clone(), both.clone(), acknowledged.clone())))
        .collect();
    wait::until("a third of the appends is acknowledged", wait::LIMIT, async || {
        let enough = acknowledged.load(Ordering::Relaxed) >= PRODUCERS * MESSAGES / 3;
        (enough || producers.iter().any(JoinHandle::is_finished)).then_some(())
    })
    .await;
    first.kill_9();
    first.restart().await;

    let mut sent = Vec::new();
    for producer in producers {
        sent.push(producer.await.expect("every message of a producer is acknowledged"));
    }
    for (number, stream) in streams.iter().enumerate() {
        let of_stream: Vec<&[Sent]> = sent.iter().skip(number).step_by(2).map(Vec::as_slice).collect();
        check(stream, &both, &of_stream).await;
    }
}

/// Sends the messages of one producer, over both servers in turn; some of them it sends first
/// without waiting for the answer.
async fn produce(number: usize, stream: Stream, via: [Streams; 2], acknowledged: Arc<AtomicUsize>) -> Vec<Sent> {
    let mut producer = Producer::new(&stream, &format!("producer-{number:02}"));
    let mut sent = Vec::new();
    for count in 0..MESSAGES {
        let message = format!("p{number:02}-{count:04}");
        if count % 4 == 3 {
            let patience = Duration::from_millis(number as u64 * 5);
            producer.abandon(&via[number / 2 % 2], &message, patience).await;
        }
        let offset = producer.send(&via, &message).await.next_offset;
        acknowledged.fetch_add(1, Ordering::Relaxed);
        sent.push(Sent { message, fate: Fate::Acknowledged(offset) });
    }
    sent
}

/// Checks what both servers say is in a stream.
async fn check(stream: &Stream, both: &[Streams; 2], sent: &[&[Sent]]) {
    let here = both[0].read_all(stream).await;
    let there = both[1].read_all(stream).await;
    assert_eq!(bytes(&here), bytes(&there), "{} has other bytes from the other process", stream.path);
    let found = stream.messages(&here);
    ledger::check(&stream.path, &found, sent);
    for (turn, sent) in sent.iter().flat_map(|sent| sent.iter()).enumerate() {
        if let Fate::Acknowledged(Some(offset)) = &sent.fate {
            check_offset(stream, &both[turn % 2], offset, &sent.message, &found).await;
        }
    }
}

/// Reading on from the offset that was acknowledged for a message gives what follows the message.
async fn check_offset(stream: &Stream, via: &Streams, offset: &str, message: &str, found: &[String]) {
    let place = found.iter().position(|other| other == message).expect("an acknowledged message");
    let rest = stream.messages(&via.read_from(stream, offset).await);
    assert_eq!(rest, found[place + 1..], "what follows {message}, acknowledged at {offset}");
}

fn bytes(pages: &[Page]) -> Vec<u8> {
    pages.iter().flat_map(|page| page.body.to_vec()).collect()
}
