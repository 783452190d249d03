//! A stream of events over several invocations, each with an end of its own.

use serde_json::{Value, json};
use wadi_tests::{
    bucket::Bucket,
    emulator::Emulator,
    http::Streams,
    messages::{Kind, Stream},
};

/// Windows that the reader opens.
const WINDOWS: usize = 3;

/// The last bytes of each window are a whole control event, and a reader that goes on there misses nothing.
///
/// See: <https://github.com/opennextjs/opennextjs-aws/pull/487>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reader_that_comes_back_after_each_window_misses_nothing() {
    let emulator = Emulator::start().await;
    let settings = [("WADI_SEALING", "events"), ("WADI_SSE_LIFETIME", "1s")];
    let _environments = emulator.environments(2, &Bucket::fresh("lambda-windows"), &settings);
    let via = emulator.streams();
    let stream = Stream::new("followed", Kind::Json);
    via.create(&stream).await;
    let (mut from, mut seen) = ("-1".to_owned(), Vec::new());
    for window in 0..WINDOWS {
        let message = format!("m{window}");
        let (found, _) = futures::future::join(window_from(&via, &stream, &from), via.append(&stream, &message)).await;
        seen.extend(found.0);
        from = found.1;
    }
    seen.extend(window_from(&via, &stream, &from).await.0);
    let expected: Vec<Value> = (0..WINDOWS).map(|window| json!({ "message": format!("m{window}") })).collect();
    assert_eq!(seen, expected);
}

/// The data of one connection until its end, and where the last control event says to go on.
async fn window_from(via: &Streams, stream: &Stream, from: &str) -> (Vec<Value>, String) {
    let mut events = via.follow(stream, from).await;
    let (mut data, mut next, mut last) = (Vec::new(), None, String::new());
    while let Some(event) = events.next().await {
        let event = event.expect("a connection that ends between two events");
        last.clone_from(&event.event);
        match event.event.as_str() {
            // Where an append comes after the end of a window, two may share an event of the next one.
            "data" => data.extend(serde_json::from_str::<Vec<Value>>(&event.data).expect("an array of messages")),
            "control" => next = Some(event.id),
            other => panic!("an event `{other}`: {}", event.data),
        }
    }
    assert_eq!(last, "control");
    (data, next.expect("a control event in each window"))
}
