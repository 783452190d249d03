//! The limit of bodies, and the budget that all bodies share.

use std::convert::Infallible;

use axum::body::Body;
use bytes::Bytes;
use futures::{StreamExt, stream};
use http::Request;
use wadi_http::Settings;

use crate::harness::{Service, open_lifecycle};

const LIMIT: usize = 1000;
const REFUSED: &str = "413 REQUEST_TOO_LARGE\nursula-max-request-bytes: 1000";

fn limited() -> Service {
    Service::with(Settings { request_bytes_max: LIMIT as u64, ..open_lifecycle() })
}

/// A body of unknown length that comes in pieces.
fn chunked(pieces: usize, piece: &'static str) -> Body {
    Body::from_stream(stream::iter((0..pieces).map(move |_| Ok::<_, Infallible>(Bytes::from_static(piece.as_bytes())))))
}

fn post(path: &str, body: Body) -> Request<Body> {
    Request::post(path).header("content-type", "text/plain").body(body).unwrap()
}

#[tokio::test]
async fn the_limit_itself_passes_and_a_byte_more_does_not() {
    let service = limited();
    for stream in service.both("limit", "text/plain", "").await {
        let exact = "x".repeat(LIMIT);
        stream
            .expect(&format!("POST {{s}}\ncontent-type: text/plain\n\n{exact}"), "204\nstream-next-offset: @1000")
            .await;
        let reply = service.send(post(&stream.path, chunked(100, "0123456789"))).await;
        reply.check("chunked", "204\nstream-next-offset: @2000");
        stream.refuses(&format!("POST {{s}}\ncontent-type: text/plain\n\n{exact}x"), REFUSED).await;
        service.send(post(&stream.path, chunked(101, "0123456789"))).await.check("chunked", REFUSED);
        stream.expect("HEAD {s}", "200\nstream-next-offset: @2000").await;
    }
}

#[tokio::test]
async fn a_declared_length_over_the_limit_comes_before_every_other_fault() {
    let service = limited();
    let long = "x".repeat(LIMIT + 1);
    for request in [
        format!("POST /v1/stream/..\nstream-incarnation: x\n\n{long}"),
        format!("PUT /v1/stream/..\nstream-ttl: x\n\n{long}"),
    ] {
        service.ask(&request).await.check("413 first", REFUSED);
    }
    let unknown = Request::post("/v1/stream/..").header("stream-incarnation", "x").body(chunked(101, "0123456789"));
    service.send(unknown.unwrap()).await.check("the head decides", "400 INVALID_HEADER");
}

#[tokio::test]
async fn a_create_over_the_limit_creates_nothing() {
    let service = limited();
    let long = "x".repeat(LIMIT + 1);
    service.ask(&format!("PUT /v1/stream/big\n\n{long}")).await.check("PUT", REFUSED);
    let request = Request::put("/v1/stream/big").body(chunked(101, "0123456789")).unwrap();
    service.send(request).await.check("PUT", REFUSED);
    assert_eq!(service.ask("HEAD /v1/stream/big").await.status, 404);
}

#[tokio::test]
async fn a_body_that_breaks_off_appends_nothing() {
    let service = Service::new();
    for stream in service.both("broken", "text/plain", "abc").await {
        let pieces = [Ok(Bytes::from_static(b"half")), Err(std::io::Error::other("gone"))];
        let body = Body::from_stream(stream::iter(pieces));
        service.send(post(&stream.path, body)).await.check("broken", "400 BODY_UNREADABLE");
        stream.expect("HEAD {s}", "200\nstream-next-offset: @3").await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_body_that_stops_coming_is_given_up() {
    let service = Service::new();
    let stream = service.stream("/v1/stream/stalled", "text/plain", "").await;
    let first = stream::iter([Ok::<_, Infallible>(Bytes::from_static(b"half"))]);
    let body = Body::from_stream(first.chain(stream::pending()));
    service.send(post(&stream.path, body)).await.check("stalled", "400 BODY_UNREADABLE");
}

#[tokio::test]
async fn bodies_beyond_the_budget_are_refused_at_once_and_apply_nothing() {
    let settings = Settings { bodies_in_flight_bytes_max: 1500, request_bytes_max: 1000, ..open_lifecycle() };
    let service = Service::with(settings);
    let stream = service.stream("/v1/stream/budget", "text/plain", "").await;
    // One body of unknown length that does not end holds the whole limit.
    let held = Body::from_stream(stream::pending::<Result<Bytes, Infallible>>());
    let (holder, request) = (service.clone(), post(&stream.path, held));
    let holding = tokio::spawn(async move { holder.send(request).await });
    tokio::task::yield_now().await;

    let append = |length| format!("POST {{s}}\ncontent-type: text/plain\n\n{}", "x".repeat(length));
    stream.refuses_busy(&append(501)).await;
    stream.expect(&append(500), "204").await;
    // Neither reads nor bodiless writes need any of it.
    stream.expect("GET {s}", "200").await;

    holding.abort();
    let _ = holding.await;
    stream.expect(&append(1000), "204\nstream-next-offset: @1500").await;
}
