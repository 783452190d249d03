//! What a deployment may choose of live reads.

use std::time::Duration;

use axum::body::Body;
use http::Request;
use http_body_util::BodyExt;
use tokio::time::timeout;
use tower::ServiceExt;
use wadi_http::Settings;

use crate::harness::{Service, open_lifecycle};

/// Far beyond what the settings of these tests allow, and below what holds without them.
const PATIENCE: Duration = Duration::from_secs(15);

#[tokio::test]
async fn a_long_poll_waits_no_longer_than_the_setting_whatever_it_asks_for() {
    let service = Service::with(Settings { long_poll_wait_max: Duration::from_millis(20), ..open_lifecycle() });
    let stream = service.stream("/v1/stream/poll", "text/plain", "abc").await;
    for asked in ["", "&timeout_ms=60000"] {
        let reply = timeout(PATIENCE, stream.ask(&format!("GET {{s}}?offset=3&live=long-poll{asked}"))).await;
        reply.expect("an answer in time").check(asked, "204\nstream-next-offset: @3\nstream-up-to-date: true");
    }
}

#[tokio::test]
async fn a_stream_of_events_lives_as_long_as_the_setting() {
    let service = Service::with(Settings { sse_lifetime: Duration::from_millis(20), ..open_lifecycle() });
    let stream = service.stream("/v1/stream/events", "text/plain", "abc").await;
    let request = Request::get(format!("{}?offset=-1&live=sse", stream.path)).body(Body::empty()).unwrap();
    let events = service.router.clone().oneshot(request).await.unwrap().into_body();
    let events = timeout(PATIENCE, events.collect()).await.expect("the events end").unwrap().to_bytes();
    assert!(events.ends_with(b"\n\n"), "{events:?}");
}

#[tokio::test]
async fn a_live_read_too_many_is_told_to_come_back() {
    let service = Service::with(Settings { live_reads_max: 1, ..open_lifecycle() });
    let stream = service.stream("/v1/stream/full", "text/plain", "abc").await;
    let request = Request::get(format!("{}?offset=-1&live=sse", stream.path)).body(Body::empty()).unwrap();
    let first = service.router.clone().oneshot(request).await.unwrap();
    for live in ["long-poll", "sse"] {
        let request = format!("GET {{s}}?offset=-1&live={live}");
        stream.expect(&request, "503 LIVE_READ_BACKPRESSURE\nretry-after: 1").await;
    }
    drop(first);
    stream.expect("GET {s}?offset=-1&live=long-poll", "200").await;
}
