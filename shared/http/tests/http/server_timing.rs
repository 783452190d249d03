//! `Server-Timing`: what a request asked of the store.

use wadi_http::Settings;
use wadi_store::Operation;

use crate::harness::{Reply, Service, open_lifecycle};

fn service() -> Service {
    Service::with(Settings { server_timing: true, ..open_lifecycle() })
}

/// The requests that an answer tells of, without the time.
fn asked(reply: &Reply) -> &str {
    let value = reply.header("server-timing").unwrap();
    let (requests, duration) = value.strip_prefix("store;desc=\"").unwrap().split_once("\";dur=").unwrap();
    assert!(duration.parse::<f64>().unwrap() >= 0.0, "{value}");
    requests
}

#[tokio::test]
async fn every_answer_tells_what_it_cost() {
    let service = service();
    let keyed = "POST /v1/stream/s\ncontent-type: text/plain\nproducer-id: p\nproducer-epoch: 0\nproducer-seq: 0\n\nk";
    for (request, status, expected) in [
        ("GET /v1/stream/s", 404, "put=0 get=1 list=0"),
        ("PUT /v1/stream/s\ncontent-type: text/plain\n\nabc", 201, "put=2 get=1 list=0"),
        ("POST /v1/stream/s\ncontent-type: text/plain\n\nd", 204, "put=1 get=0 list=0"),
        (keyed, 200, "put=1 get=0 list=0"),
        (keyed, 204, "put=0 get=1 list=0"),
        ("GET /v1/stream/s", 200, "put=0 get=1 list=0"),
        ("GET /v1/stream/s\nif-none-match: *", 304, "put=0 get=1 list=0"),
        ("GET /v1/stream/s?offset=0&live=long-poll", 200, "put=0 get=1 list=0"),
        ("HEAD /v1/stream/s", 200, "put=0 get=1 list=0"),
        ("GET /v1/stream/s?offset=x", 400, "put=0 get=0 list=0"),
        ("GET /healthz", 200, "put=0 get=0 list=0"),
        ("GET /readyz", 200, "put=0 get=1 list=0"),
        ("GET /nowhere", 404, "put=0 get=0 list=0"),
        (
            "OPTIONS /v1/stream/s\norigin: https://a.example\naccess-control-request-method: GET",
            204,
            "put=0 get=0 list=0",
        ),
        ("DELETE /v1/stream/s", 204, "put=2 get=0 list=0"),
    ] {
        let reply = service.ask(request).await;
        assert_eq!((reply.status.as_u16(), asked(&reply)), (status, expected), "{request}");
    }
}

#[tokio::test]
async fn what_several_requests_share_counts_once() {
    let service = service();
    let stream = service.stream("/v1/stream/shared", "text/plain", "abc").await;
    let mut hold = service.faults.hold(Operation::Put, "/log/");
    let append = || {
        let (service, path) = (service.clone(), stream.path.clone());
        tokio::spawn(async move { service.ask(&format!("POST {path}\ncontent-type: text/plain\n\nx")).await })
    };
    let first = append();
    hold.arrived().await;
    // These two wait for the first, and share a record after it.
    let (second, third) = (append(), append());
    tokio::task::yield_now().await;
    hold.release();
    let replies = [first.await.unwrap(), second.await.unwrap(), third.await.unwrap()];
    let told = ["put=1 get=0 list=0", "put=1 get=0 list=0", "put=0 get=0 list=0"];
    assert_eq!(replies.each_ref().map(asked), told);
    assert_eq!(replies.map(|reply| reply.status.as_u16()), [204; 3]);
}

#[tokio::test]
async fn nothing_is_told_unless_it_is_asked_for() {
    let service = Service::new();
    let stream = service.stream("/v1/stream/quiet", "text/plain", "abc").await;
    stream.expect("GET {s}", "200\n!server-timing").await;
}
