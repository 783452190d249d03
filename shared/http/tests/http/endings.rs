//! Live reads do not hold up the end of the process.

use std::time::Duration;

use axum::body::Body;
use http::Request;
use http_body_util::BodyExt;
use tokio::time::timeout;
use tower::ServiceExt;

use crate::harness::Service;

const PATIENCE: Duration = Duration::from_secs(5);

#[tokio::test]
async fn a_stream_of_events_ends_between_two_events() {
    let service = Service::new();
    let stream = service.stream("/v1/stream/events", "text/plain", "abc").await;
    let request = Request::get(format!("{}?offset=-1&live=sse", stream.path)).body(Body::empty()).unwrap();
    let mut events = service.router.clone().oneshot(request).await.unwrap().into_body();
    let first = events.frame().await.unwrap().unwrap().into_data().unwrap();
    assert!(first.ends_with(b"\n\n"), "{first:?}");

    let rest = tokio::spawn(async move { events.collect().await.unwrap().to_bytes() });
    tokio::task::yield_now().await;
    service.ending.begin();
    let rest = timeout(PATIENCE, rest).await.expect("the events end").unwrap();
    assert!(rest.is_empty() || rest.ends_with(b"\n\n"), "{rest:?}");
}

#[tokio::test]
async fn a_long_poll_is_answered_with_what_there_is() {
    let service = Service::new();
    let stream = service.stream("/v1/stream/poll", "text/plain", "abc").await;
    let (waiting, path) = (service.clone(), stream.path.clone());
    let poll = tokio::spawn(async move { waiting.ask(&format!("GET {path}?offset=3&live=long-poll")).await });
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert!(!poll.is_finished());
    service.ending.begin();
    let reply = timeout(PATIENCE, poll).await.expect("an answer").unwrap();
    reply.check("long-poll", "204\nstream-next-offset: @3\nstream-up-to-date: true");

    let late = timeout(PATIENCE, stream.ask("GET {s}?offset=0&live=long-poll")).await.expect("an answer");
    late.check("bytes that are there are still told", "200\nstream-next-offset: @3");
}
