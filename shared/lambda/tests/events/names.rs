//! One name, one stream, whatever brings the request.
//!
//! See: <https://github.com/middleapi/standard-server/pull/93>,
//! <https://github.com/aws/aws-lambda-rust-runtime/issues/543>

use wadi_lambda::http::HttpEvent;

use crate::harness::{Service, event, fixture};

/// A request as an HTTP API with a stage brings it: with a path that was decoded.
fn through_api(method: &str, decoded: &str) -> HttpEvent {
    let mut event = event(method, "", &[], None);
    event.raw_path = Some(format!("/prod{decoded}"));
    event.request_context.stage = Some("prod".to_owned());
    event
}

#[tokio::test]
async fn a_stream_is_the_same_by_a_function_url_and_by_an_http_api() {
    for (sent, decoded) in [
        ("a%2Fb", "a/b"),
        ("a/b", "a/b"),
        ("c%3Fd", "c?d"),
        ("e%20f", "e f"),
        ("%C3%A9", "é"),
        ("%25", "%"),
        ("a+b", "a+b"),
        ("%2541", "%41"),
    ] {
        let service = Service::new();
        let path = format!("/v1/stream/{sent}");
        service.create(&path, "text/plain").await;
        let append = service.ask("POST", &path, &[("content-type", "text/plain")], Some("x")).await;
        assert_eq!(append.status, 204, "{sent}");
        let read = service.send(through_api("GET", &format!("/v1/stream/{decoded}"))).await;
        assert_eq!((read.status, read.text()), (200, "x"), "{sent}");
    }
}

#[tokio::test]
async fn what_is_no_name_is_none_on_either() {
    let long = "x".repeat(1024);
    for (sent, decoded) in [("a%00b", "a\0b"), (long.as_str(), long.as_str()), ("", "")] {
        let service = Service::new();
        let direct = service.ask("PUT", &format!("/v1/stream/{sent}"), &[], None).await;
        let through = service.send(through_api("PUT", &format!("/v1/stream/{decoded}"))).await;
        assert!((400..500).contains(&direct.status), "{direct:?}");
        assert_eq!((direct.status, direct.text()), (through.status, through.text()), "{sent:?}");
    }
}

#[tokio::test]
async fn an_encoded_slash_is_never_a_part_of_another_resource() {
    let service = Service::new();
    service.create("/ds/acct/s", "text/plain").await;
    for target in ["/ds/acct/s%2Fbootstrap", "/ds/acct%2Fs", "/ds/acct/a%2Fb"] {
        let answer = service.ask("GET", target, &[], None).await;
        assert!((400..500).contains(&answer.status), "{target}: {answer:?}");
    }
}

#[tokio::test]
async fn the_location_can_be_followed() {
    let service = Service::new();
    let host = [("host", "h.example"), ("content-type", "text/plain")];
    for name in ["a%2Fb", "c%3Fd", "e%20f", "%C3%A9", "%25", "a+b"] {
        let created = service.ask("PUT", &format!("/v1/stream/{name}"), &host, None).await;
        let location = created.headers["location"].strip_prefix("http://h.example").unwrap().to_owned();
        assert_eq!(service.ask("HEAD", &location, &[], None).await.status, 200, "{name}: {location}");
    }
}

#[tokio::test]
async fn a_recorded_request_through_a_stage_finds_its_stream() {
    let service = Service::new();
    service.create("/v1/stream/c%3Fd%20%25%C3%A9", "text/plain").await;
    assert_eq!(service.send(fixture("http_api_with_stage")).await.status, 200);
}
