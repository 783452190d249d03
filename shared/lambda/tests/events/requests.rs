//! Requests by their events.

use crate::harness::{Service, fixture};

#[tokio::test]
async fn a_read_through_a_function_url() {
    let service = Service::new();
    service.create("/v1/stream/hello", "text/plain").await;
    let read = service.send(fixture("function_url_read")).await;
    assert_eq!((read.status, read.text()), (200, ""));
    assert_eq!(read.headers["stream-up-to-date"], "true");
    assert_eq!(read.headers["cache-control"], "no-store");
}

#[tokio::test]
async fn the_location_is_what_the_client_asked_for() {
    let service = Service::new();
    let created = service.send(fixture("encoded_slash")).await;
    assert_eq!(created.status, 201, "{created:?}");
    assert_eq!(created.headers["location"], "https://x4u2.lambda-url.eu-central-1.on.aws/v1/stream/a/b");
}

#[tokio::test]
async fn a_header_that_was_sent_twice_is_refused_as_at_the_server() {
    let service = Service::new();
    service.create("/v1/stream/bytes", "application/octet-stream").await;
    service.send(fixture("duplicate_headers")).await.refuses(400, "INVALID_HEADER");
    let twice = [("content-type", "application/octet-stream"), ("producer-id", "p"), ("producer-epoch", "0,0")];
    let twice = [&twice[..], &[("producer-seq", "0")]].concat();
    service.ask("POST", "/v1/stream/bytes", &twice, Some("x")).await.refuses(400, "INVALID_PRODUCER");
}

#[tokio::test]
async fn what_no_request_can_have_is_the_clients_fault_not_the_functions() {
    let service = Service::new();
    service.create("/v1/stream/bytes", "application/octet-stream").await;
    service.send(fixture("not_ascii_header")).await.refuses(400, "INVALID_PRODUCER");
    for (name, value) in [("a b", "x"), ("x", "a\nb"), ("", "x")] {
        service.ask("GET", "/v1/stream/bytes", &[(name, value)], None).await.refuses(400, "INVALID_REQUEST");
    }
    service.ask("G T", "/v1/stream/bytes", &[], None).await.refuses(400, "INVALID_REQUEST");
}

#[tokio::test]
async fn the_secret_of_the_cdn_comes_before_everything() {
    const OLD: &str = "an-old-secret-of-the-cdn";
    const NEW: &str = "a-new-secret-of-the-cdn";
    let service = Service::with(Some("an-old-secret-of-the-cdn,a-new-secret-of-the-cdn"));
    let both = format!("{OLD},{NEW}");
    let with = |secret| [("content-type", "text/plain"), ("x-wadi-origin-secret", secret)];
    let without = [("content-type", "text/plain"), ("bad name", "x")];
    service.ask("PUT", "/v1/stream/s", &without, Some("x")).await.refuses(403, "ORIGIN_REFUSED");
    service.ask("PUT", "/v1/stream/s", &with("another-secret-of-the-cdn"), None).await.refuses(403, "ORIGIN_REFUSED");
    service.ask("PUT", "/v1/stream/s", &with(&both), None).await.refuses(403, "ORIGIN_REFUSED");
    service.ask("GET", "/healthz", &[], None).await.refuses(403, "ORIGIN_REFUSED");
    assert_eq!(service.ask("PUT", "/v1/stream/s", &with(OLD), None).await.status, 201);
    assert_eq!(service.ask("PUT", "/v1/stream/s", &with(NEW), None).await.status, 200);
}
