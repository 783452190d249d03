//! Health and readiness.

use std::sync::Arc;

use wadi_http::{Settings, app};
use wadi_protocol::Timestamp;
use wadi_store::{Before, Call, Fault, FaultyStore, MemoryStore, Operation};
use wadi_stream::{Engine, Fitness, TokioRuntime};

use crate::harness::Service;

#[tokio::test]
async fn a_process_is_healthy_and_ready_once_its_bucket_is_proved() {
    let service = Service::new();
    service.ask("GET /healthz").await.check("healthz", "200\ncache-control: no-store");
    service.ask("GET /readyz").await.check("readyz", "200\ncache-control: no-store");
    assert_eq!(service.ask("HEAD /readyz").await.status, 200);
    for request in ["POST /healthz\n\nx", "DELETE /readyz"] {
        service.ask(request).await.check(request, "405 METHOD_NOT_ALLOWED\nallow: GET, HEAD, OPTIONS");
    }
}

#[tokio::test]
async fn an_unproved_bucket_is_not_ready_and_takes_no_write() {
    let service = Service::new();
    let stream = service.stream("/v1/stream/proof", "text/plain", "a").await;

    service.engine.set_fitness(Fitness::Untested);
    service.ask("GET /readyz").await.check("untested", "503 STORE_UNAVAILABLE\nretry-after: 1");

    service.engine.set_fitness(Fitness::Unfit { probe: "create where the key exists".to_owned() });
    let reply = service.ask("GET /readyz").await;
    reply.check("unfit", "503 STORE_UNFIT\nretry-after: 1");
    assert!(reply.text().contains("create where the key exists"), "{}", reply.text());
    service.ask("GET /healthz").await.check("healthz", "200");

    for request in ["POST {s}\ncontent-type: text/plain\n\nb", "PUT /v1/stream/new", "DELETE {s}"] {
        stream.expect(request, "503 STORE_UNFIT\nretry-after: 1").await;
    }
    assert_eq!(stream.ask("GET {s}").await.text(), "a");
}
