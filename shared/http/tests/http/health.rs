//! Health and readiness.

use wadi_store::{Fault, Operation};
use wadi_stream::Fitness;

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
async fn a_bucket_that_does_not_answer_is_not_ready() {
    let service = Service::new();
    service.faults.next(Operation::Get, "", Fault::NotSent);
    service.ask("GET /readyz").await.check("readyz", "503 STORE_UNAVAILABLE\nretry-after: 1");
    service.ask("GET /readyz").await.check("readyz", "200");
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

#[tokio::test]
async fn a_write_whose_fate_is_open_says_so_and_one_that_was_not_sent_says_that() {
    let service = Service::new();
    let stream = service.stream("/v1/stream/fate", "text/plain", "a").await;
    let append = "POST {s}\ncontent-type: text/plain\n\nb";
    service.faults.next(Operation::Put, "/log/", Fault::Denied);
    stream.expect(append, "503 STORE_UNAVAILABLE\nretry-after: 1").await;
    assert_eq!(stream.ask("GET {s}").await.text(), "a");
}
