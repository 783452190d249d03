//! Bytes through an event.
//!
//! See: <https://github.com/floci-io/floci/issues/3153>, <https://github.com/anomalyco/sst/issues/6275>

use base64::{Engine, prelude::BASE64_STANDARD};

use crate::harness::{Service, event, fixture};

const BYTES: &str = "/v1/stream/bytes";
const OCTETS: (&str, &str) = ("content-type", "application/octet-stream");

async fn service() -> Service {
    let service = Service::new();
    service.create(BYTES, "application/octet-stream").await;
    service
}

#[tokio::test]
async fn bytes_in_base64_are_the_bytes_that_were_sent() {
    let service = service().await;
    let appended = service.send(fixture("base64_body")).await;
    assert_eq!(appended.status, 204, "what the event says of the length is not believed: {appended:?}");
    let read = service.ask("GET", BYTES, &[], None).await;
    assert_eq!(read.body, [0x00, 0xff, 0x80, 0x0a, 0x1f, 0x8b]);
}

#[tokio::test]
async fn json_in_base64_is_json() {
    let service = Service::new();
    service.create("/v1/stream/json", "application/json").await;
    assert_eq!(service.send(fixture("base64_json")).await.status, 204);
    assert_eq!(service.ask("GET", "/v1/stream/json", &[], None).await.text(), r#"[{"n":1}]"#);
}

#[tokio::test]
async fn what_is_no_base64_is_refused_and_not_applied() {
    let service = service().await;
    service.send(fixture("invalid_base64")).await.refuses(400, "INVALID_REQUEST");
    assert_eq!(service.ask("GET", BYTES, &[], None).await.text(), "");
}

#[tokio::test]
async fn a_body_that_is_null_empty_or_absent_is_none() {
    let service = service().await;
    service.send(fixture("null_body")).await.refuses(400, "EMPTY_APPEND");
    for body in [None, Some("")] {
        service.ask("POST", BYTES, &[OCTETS], body).await.refuses(400, "EMPTY_APPEND");
        let mut in_base64 = event("POST", BYTES, &[OCTETS], body);
        in_base64.is_base64_encoded = true;
        service.send(in_base64).await.refuses(400, "EMPTY_APPEND");
    }
    assert_eq!(service.send(fixture("empty_body")).await.status, 204, "and closes where that is asked for");
}

#[tokio::test]
async fn the_limit_counts_decoded_bytes() {
    let service = service().await;
    for (bytes, status) in [(1000, 204), (1001, 413)] {
        let mut append = event("POST", BYTES, &[OCTETS], Some(&BASE64_STANDARD.encode(vec![0; bytes])));
        append.is_base64_encoded = true;
        let answer = service.send(append).await;
        assert_eq!(answer.status, status, "{bytes}");
        if status == 413 {
            answer.refuses(413, "REQUEST_TOO_LARGE");
            assert_eq!(answer.headers["ursula-max-request-bytes"], "1000");
        }
    }
}
