//! A client that leaves, of which Lambda is told nothing.

use std::time::Duration;

use wadi_tests::{
    bucket::Bucket,
    call::Call,
    emulator::Emulator,
    messages::{Kind, Stream},
    proxy::{Proxy, Verb},
    wait,
};

/// More than two of the longest pauses between two looks at a stream that is followed.
const LOOKS: Duration = Duration::from_millis(2500);

/// Its invocation ends by the lifetime of the events, and nothing goes on behind it.
///
/// See: <https://github.com/aws/aws-lambda-nodejs-runtime-interface-client/issues/145>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reader_that_left_costs_nothing_after_the_lifetime_of_its_events() {
    let proxy = Proxy::before(&Bucket::fresh("lambda-departed")).await;
    let emulator = Emulator::start().await;
    let settings = [("WADI_SEALING", "events"), ("WADI_SSE_LIFETIME", "2s")];
    let _environments = emulator.environments(1, proxy.bucket(), &settings);
    let via = emulator.streams();
    let stream = Stream::new("left", Kind::Json);
    via.create(&stream).await;
    let mut events = via.follow(&stream, "-1").await;
    let _ = events.next().await.expect("a first event").expect("a whole one");
    drop(events);

    // The only environment takes another invocation once the one before has ended.
    let _ = Call::head(&stream.path).patient(wait::LIMIT).ask(&via).await.expect_status(200);
    proxy.forget();
    tokio::time::sleep(LOOKS).await;
    assert_eq!(proxy.seen(), []);
}

/// While nothing happens, a reader costs a look a second and no write.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_idle_reader_costs_looks_only() {
    let proxy = Proxy::before(&Bucket::fresh("lambda-idle")).await;
    let emulator = Emulator::start().await;
    let settings = [("WADI_SEALING", "events"), ("WADI_SSE_LIFETIME", "4s")];
    let _environments = emulator.environments(1, proxy.bucket(), &settings);
    let via = emulator.streams();
    let stream = Stream::new("idle", Kind::Json);
    via.create(&stream).await;
    proxy.forget();
    let mut events = via.follow(&stream, "-1").await;
    while let Some(event) = events.next().await {
        let _ = event.expect("a whole event");
    }
    let seen = proxy.seen();
    assert!(seen.iter().all(|seen| seen.verb == Verb::Get), "{seen:?}");
    // One to open it, one a second, one at its end.
    assert!(seen.len() <= 1 + 4 + 1, "{seen:?}");
}
