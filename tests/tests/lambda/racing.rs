//! Environments that write at once, each with one invocation at a time.

use futures::future::join_all;
use wadi_tests::{
    bucket::Bucket,
    emulator::Emulator,
    http::Streams,
    ledger::{self, Fate, Sent},
    messages::{Kind, Stream},
    producer::Producer,
};

/// Messages of each producer.
const MESSAGES: usize = 12;

/// Producers that share a stream.
const PRODUCERS: usize = 6;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn three_environments_on_one_stream_keep_every_message_once_and_in_order() {
    race(3, &[Stream::new("raced", Kind::Json)], PRODUCERS).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn five_environments_on_five_streams_keep_every_message_once_and_in_order() {
    let streams: Vec<Stream> = (0..5).map(|number| Stream::new(&format!("apart/{number}"), Kind::Lines)).collect();
    race(5, &streams, 1).await;
}

/// Producers write to each stream, all at once, through so many environments.
async fn race(environments: usize, streams: &[Stream], producers: usize) {
    let bucket = Bucket::fresh("lambda-racing");
    let emulator = Emulator::start().await;
    let _environments = emulator.environments(environments, &bucket, &[("WADI_SEALING", "events")]);
    let via = emulator.streams();
    for stream in streams {
        via.create(stream).await;
    }
    let all = streams.iter().flat_map(|stream| (0..producers).map(move |number| (stream, number)));
    let sent = join_all(all.map(|(stream, number)| produce(stream, number, &via))).await;
    for (stream, sent) in streams.iter().zip(sent.chunks(producers)) {
        let found = stream.messages(&via.read_all(stream).await);
        assert_eq!(found.len(), producers * MESSAGES, "{}", stream.path);
        ledger::check(&stream.path, &found, &sent.iter().map(Vec::as_slice).collect::<Vec<_>>());
    }
}

async fn produce(stream: &Stream, number: usize, via: &Streams) -> Vec<Sent> {
    let mut producer = Producer::new(stream, &format!("producer-{number}"));
    let mut sent = Vec::new();
    for count in 0..MESSAGES {
        let message = format!("p{number}-{count:04}");
        let offset = producer.send(std::slice::from_ref(via), &message).await.next_offset;
        sent.push(Sent { message, fate: Fate::Acknowledged(offset) });
    }
    sent
}
