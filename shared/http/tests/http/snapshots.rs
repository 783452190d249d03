//! Snapshots: the rows of the contract, through the whole service.

use wadi_store::{Fault, Operation};

use crate::harness::{Service, Stream};

/// The digests of `state` and of `other`, as `text/plain`.
const STATE: &str = "d1768bf8ff2099ce2eb24a7b8ff7a2c6ea48a094fde29160a1ed42943358e2dc";

async fn ten_bytes(service: &Service) -> Stream<'_> {
    service.stream("/ds/acct/snaps", "text/plain", "0123456789").await
}

fn publish(at: &str, body: &str) -> String {
    format!("PUT {{s}}/snapshot/{at}\ncontent-type: text/plain\n\n{body}")
}

#[tokio::test]
async fn a_publish_is_told_and_told_again() {
    let service = Service::new();
    let stream = ten_bytes(&service).await;
    let told = format!(
        "204\nstream-snapshot-offset: @7\nstream-snapshot-digest: {STATE}\nstream-incarnation: {{token}}\n\
         cache-control: no-store\n!stream-next-offset\n!etag\n!content-type"
    );
    let first = stream.expect(&publish("7", "state"), &told).await;
    for at in ["7", "007", "00000000000000000007"] {
        assert_eq!(stream.expect(&publish(at, "state"), &told).await, first, "a repeat is told alike");
    }
    let head = format!("200\nstream-snapshot-offset: @7\nstream-snapshot-digest: {STATE}\nstream-retained-offset: @0");
    stream.expect("HEAD {s}", &head).await;
    stream.expect("GET {s}", "200\n!stream-snapshot-offset").await;
}

#[tokio::test]
async fn a_publish_names_the_bytes_and_their_type() {
    let service = Service::new();
    let stream = ten_bytes(&service).await;
    for (at, header, body, digest) in [
        (
            1,
            "content-type: application/json",
            "{\"n\":1}",
            "ab420a1fe7831ddacdf7979150eb8d55b8b6259dcfa656b4300888a7887c4283",
        ),
        (2, "x-none: x", "", "cecc1097efdd5bad6b90256bcfb122a72337573558de9814ba531cffeb63d8e5"),
        (3, "content-type:  ", "abc", "af353227804b3d14bd1b55e07339391b822a25a42418ba5a994c3c8d7913674e"),
        (4, "content-type: TEXT/plain;;", "state", STATE),
    ] {
        let told = format!("204\nstream-snapshot-digest: {digest}");
        stream.expect(&format!("PUT {{s}}/snapshot/{at}\n{header}\n\n{body}"), &told).await;
    }
    stream.expect("GET {s}/snapshot/4", "200\ncontent-type: text/plain").await;
}

#[tokio::test]
async fn rows_of_a_publish() {
    let service = Service::new();
    let stream = ten_bytes(&service).await;
    let too_long = "x".repeat(1016);
    for (request, refusal) in [
        ("PUT {s}/snapshot/x\nstream-snapshot-match: 1\nstream-incarnation: x", "400 UNSUPPORTED"),
        ("PUT {s}/snapshot/5\nif-match: *", "400 UNSUPPORTED"),
        ("PUT {s}/snapshot/5\nif-none-match: *", "400 UNSUPPORTED"),
        ("PUT {s}/snapshot/x\nstream-incarnation: x", "400 INVALID_OFFSET"),
        ("PUT {s}/snapshot/-1", "400 INVALID_OFFSET"),
        ("PUT {s}/snapshot/+5", "400 INVALID_OFFSET"),
        ("PUT {s}/snapshot/%35", "400 INVALID_OFFSET"),
        ("PUT {s}/snapshot/18446744073709551616", "400 INVALID_OFFSET"),
        ("PUT /ds/acct/none/snapshot/5\nstream-incarnation: 0", "400 INVALID_HEADER"),
        ("PUT {s}/snapshot/5\nstream-incarnation: 5\nstream-incarnation: 5", "400 INVALID_HEADER"),
        ("PUT /ds/acct/none/snapshot/5\ncontent-type: garbage", "400 INVALID_HEADER"),
        (&format!("PUT {{s}}/snapshot/5\ncontent-type: text/{too_long}xxxx"), "400 INVALID_HEADER"),
        ("PUT /ds/BAD/s/snapshot/5", "400 INVALID_BUCKET_ID"),
        ("PUT /ds/acct/%/snapshot/5", "400 INVALID_STREAM_ID"),
        ("PUT /ds/acct/none/snapshot/5\nstream-incarnation: 5", "404 STREAM_NOT_FOUND"),
        ("PUT {s}/snapshot/99\nstream-incarnation: 5", "412 INCARNATION_MISMATCH\nstream-incarnation: {token}"),
        (
            "PUT {s}/snapshot/11",
            "409 SNAPSHOT_CONFLICT\nstream-next-offset: @10\n!stream-snapshot-offset\n!stream-incarnation",
        ),
        ("POST {s}/snapshot/5", "405 METHOD_NOT_ALLOWED\nallow: GET, HEAD, PUT, OPTIONS"),
        ("DELETE {s}/snapshot/5", "405 METHOD_NOT_ALLOWED\nallow: GET, HEAD, PUT, OPTIONS"),
    ] {
        stream.refuses(request, refusal).await;
    }
    stream.expect("OPTIONS {s}/snapshot/5", "204\nallow: GET, HEAD, PUT, OPTIONS").await;
    stream.expect(&publish("7", "state"), "204").await;
    let latest = format!(
        "409 SNAPSHOT_CONFLICT\nstream-snapshot-offset: @7\nstream-snapshot-digest: {STATE}\nstream-next-offset: @10\n\
         !stream-incarnation"
    );
    for (at, body) in [("7", "other"), ("6", "state"), ("0", "")] {
        stream.refuses(&publish(at, body), &latest).await;
    }
    stream.expect(&publish("10", "later"), "204").await;
    stream.expect("POST {s}\nstream-closed: true", "204").await;
    stream.expect(&publish("10", "later"), "204").await;
}

#[tokio::test]
async fn a_body_over_the_limit_is_refused_before_anything_else() {
    let settings = wadi_http::Settings { request_bytes_max: 10, ..crate::harness::open_lifecycle() };
    let service = Service::with(settings);
    let stream = ten_bytes(&service).await;
    let refused = "413 REQUEST_TOO_LARGE\nursula-max-request-bytes: 10";
    stream.refuses("PUT {s}/snapshot/x\nif-match: *\n\n0123456789a", refused).await;
    stream.expect(&publish("7", "0123456789"), "204").await;
}

#[tokio::test]
async fn a_publish_works_where_streams_are_not_created_at_their_url() {
    let service = Service::with(wadi_http::Settings::default());
    let stream = service.stream("/v1/stream/managed", "text/plain", "a").await;
    stream.expect("PUT /ds/default/managed/snapshot/1\n\nx", "204\nstream-incarnation: {token}").await;
}

#[tokio::test]
async fn a_snapshot_of_a_json_stream_lies_between_messages() {
    let service = Service::new();
    let stream = service.stream("/ds/acct/json", "application/json", "[11,22,33]").await;
    for at in ["1", "2", "4", "8"] {
        stream.refuses(&publish(at, "state"), "400 INVALID_SNAPSHOT\nstream-next-offset: @9").await;
    }
    for at in ["0", "3", "6", "9"] {
        stream.expect(&publish(at, "state"), "204").await;
    }
}

#[tokio::test]
async fn a_read_of_a_snapshot() {
    let service = Service::new();
    let stream = ten_bytes(&service).await;
    stream.expect(&publish("7", "state"), "204").await;
    let told = format!(
        "content-type: text/plain\nstream-snapshot-offset: @7\nstream-snapshot-digest: {STATE}\nstream-next-offset: @7\n\
         stream-incarnation: {{token}}\netag: \"{STATE}\"\naccept-ranges: bytes\ncache-control: no-store\n\
         !stream-up-to-date\n!stream-immutable\n!vary\n!content-encoding"
    );
    let whole = format!("200\n{told}\ncontent-length: 5\n!content-range");
    let reply = stream.expect("GET {s}/snapshot/7\naccept-encoding: gzip", &whole).await;
    assert_eq!(reply.text(), "state");
    assert_eq!(stream.expect("HEAD {s}/snapshot/00007", &whole).await.headers, reply.headers);
    for (range, part, text) in [
        ("bytes=1-2", "1-2", "ta"),
        ("bytes=3-", "3-4", "te"),
        ("bytes=-1", "4-4", "e"),
        ("bytes=-99", "0-4", "state"),
        ("bytes=2-99", "2-4", "ate"),
    ] {
        let expected = format!("206\n{told}\ncontent-range: bytes {part}/5\ncontent-length: {}", text.len());
        let reply = stream.expect(&format!("GET {{s}}/snapshot/7\nrange: {range}"), &expected).await;
        assert_eq!(reply.text(), text, "{range}");
        stream.expect(&format!("HEAD {{s}}/snapshot/7\nrange: {range}"), &expected).await;
    }
    for ignored in [
        "range: bytes=0-1,3-4",
        "range: items=0-1",
        "range: bytes=3-1",
        "range: x",
        "range: bytes=0-1\nif-range: \"x\"",
    ] {
        stream.expect(&format!("GET {{s}}/snapshot/7\n{ignored}"), &whole).await;
    }
    for known in [format!("\"{STATE}\""), format!("\"x\", W/\"{STATE}\""), "*".to_owned()] {
        for range in ["", "\nrange: bytes=1-2", "\nrange: bytes=5-"] {
            let request = format!("GET {{s}}/snapshot/7\nif-none-match: {known}{range}");
            stream.expect(&request, &format!("304\n{told}\n!content-length\n!content-range")).await;
        }
    }
    stream.expect(&publish("10", ""), "204").await;
    let empty = stream.expect("GET {s}/snapshot/10\nrange: bytes=-5", "200\nstream-up-to-date: true").await;
    assert_eq!((empty.text(), empty.header("content-length")), ("", Some("0")));
    stream.refuses("GET {s}/snapshot/10\nrange: bytes=0-", "416 RANGE_NOT_SATISFIABLE\ncontent-range: bytes */0").await;
}

#[tokio::test]
async fn rows_of_a_read() {
    let service = Service::new();
    let stream = ten_bytes(&service).await;
    stream.expect(&publish("7", "state"), "204").await;
    let no_range = format!(
        "416 RANGE_NOT_SATISFIABLE\ncontent-range: bytes */5\nstream-snapshot-offset: @7\nstream-snapshot-digest: {STATE}\n\
         etag: \"{STATE}\"\n!stream-immutable"
    );
    let missing = "404 SNAPSHOT_NOT_FOUND\nstream-incarnation: {token}\n!stream-next-offset";
    for (request, refusal) in [
        ("{s}/snapshot/x?offset=1&offset=2", "400 INVALID_QUERY"),
        ("{s}/snapshot/x?incarnation=5", "400 UNSUPPORTED"),
        ("{s}/snapshot/x\nif-match: *", "400 UNSUPPORTED"),
        ("{s}/snapshot/x\nstream-incarnation: x", "400 INVALID_OFFSET"),
        ("{s}/snapshot/-1", "400 INVALID_OFFSET"),
        ("/ds/acct/none/snapshot/7\nstream-incarnation: x", "400 INVALID_HEADER"),
        ("/ds/acct/none/snapshot/7\nrange: bytes=0-1\nrange: bytes=0-1", "400 INVALID_HEADER"),
        ("/ds/BAD/none/snapshot/7", "400 INVALID_BUCKET_ID"),
        ("/ds/acct/none/snapshot/7\nrange: bytes=99-", "404 STREAM_NOT_FOUND\n!stream-incarnation"),
        ("{s}/snapshot/6\nrange: bytes=99-\nstream-incarnation: 5", missing),
        ("{s}/snapshot/0\nif-none-match: *", missing),
        ("{s}/snapshot/7\nrange: bytes=5-\nstream-incarnation: 5", &no_range),
        ("{s}/snapshot/7\nrange: bytes=-0", &no_range),
        (
            "{s}/snapshot/7\nif-none-match: *\nstream-incarnation: 5",
            "412 INCARNATION_MISMATCH\nstream-incarnation: {token}",
        ),
    ] {
        stream.refuses(&format!("GET {request}"), refusal).await;
        let status = refusal.split_whitespace().next().unwrap_or_default();
        assert_eq!(stream.ask(&format!("HEAD {request}")).await.status.as_str(), status, "{request}");
    }
    stream.expect("GET {s}/snapshot/7?offset=1&other=2\nstream-incarnation: {token}", "200").await;
}

#[tokio::test]
async fn an_immutable_snapshot() {
    let service = Service::new();
    let stream = ten_bytes(&service).await;
    stream.expect(&publish("10", "state"), "204").await;
    let url = "{s}/incarnation/{token}/snapshot/00000000000000000010";
    let told = format!(
        "content-type: text/plain\nstream-snapshot-offset: @10\nstream-snapshot-digest: {STATE}\nstream-next-offset: @10\n\
         stream-incarnation: {{token}}\nstream-immutable: true\netag: \"{STATE}\"\naccept-ranges: bytes\n\
         cache-control: public, max-age=31536000, immutable\n!stream-up-to-date"
    );
    // The header of the request has no effect, not even a malformed one.
    let reply = stream.expect(&format!("GET {url}\nstream-incarnation: x"), &format!("200\n{told}")).await;
    assert_eq!(reply.text(), "state");
    stream.expect(&format!("HEAD {url}"), &format!("200\n{told}\ncontent-length: 5")).await;
    stream.expect(&format!("GET {url}\nrange: bytes=1-2"), &format!("206\n{told}\ncontent-range: bytes 1-2/5")).await;
    stream.expect(&format!("GET {url}\nif-none-match: \"{STATE}\"\nrange: bytes=9-"), &format!("304\n{told}")).await;
    let other = "{s}/incarnation/5/snapshot/00000000000000000010";
    for (request, refusal) in [
        (format!("GET {url}\nrange: bytes=5-"), "416 RANGE_NOT_SATISFIABLE\n!stream-immutable"),
        (format!("GET {other}\nrange: bytes=5-"), "416 RANGE_NOT_SATISFIABLE"),
        (format!("GET {other}\nif-none-match: *"), "412 INCARNATION_MISMATCH\nstream-incarnation: {token}"),
        (
            "GET {s}/incarnation/5/snapshot/00000000000000000007".to_owned(),
            "404 SNAPSHOT_NOT_FOUND\nstream-incarnation: {token}",
        ),
    ] {
        stream.refuses(&request, refusal).await;
    }
    // Superseded, it is not found, though the old one is still in the bucket.
    stream.expect("POST {s}\ncontent-type: text/plain\n\nx", "204").await;
    stream.expect(&publish("11", "later"), "204").await;
    stream.refuses(&format!("GET {url}"), "404 SNAPSHOT_NOT_FOUND\nstream-incarnation: {token}").await;
}

#[tokio::test]
async fn what_the_bucket_refuses_is_a_refusal_that_can_be_sent_again() {
    let service = Service::new();
    let stream = ten_bytes(&service).await;
    service.faults.next(Operation::Put, "/body/", Fault::Denied);
    stream.expect(&publish("7", "state"), "503 STORE_UNAVAILABLE").await;
    stream.expect(&publish("7", "state"), "204").await;
}
