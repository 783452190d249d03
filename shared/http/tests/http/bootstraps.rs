//! Bootstrap: the snapshot and everything after it, as parts of one body.

use wadi_http::Settings;
use wadi_store::{Fault, Operation};

use crate::harness::{Reply, Service, open_lifecycle};

/// The parts of a body: content type and bytes. Panics unless the form is exactly right.
fn parts(reply: &Reply) -> Vec<(String, String)> {
    let boundary = reply.header("content-type").unwrap().strip_prefix("multipart/mixed; boundary=").unwrap();
    let random = boundary.strip_prefix("ursula-bootstrap-").unwrap();
    assert!(random.len() == 32 && random.bytes().all(|byte| byte.is_ascii_hexdigit()), "{boundary}");
    let end = format!("--{boundary}--\r\n");
    let all = reply.text().strip_suffix(&end).unwrap();
    let start = format!("--{boundary}\r\nContent-Type: ");
    assert!(all.starts_with(&start), "no preamble");
    let part = |text: &str| {
        let (content_type, body) = text.split_once("\r\n\r\n").unwrap();
        (content_type.to_owned(), body.strip_suffix("\r\n").unwrap().to_owned())
    };
    all.split(&start).skip(1).map(part).collect()
}

fn owned(parts: &[(&str, &str)]) -> Vec<(String, String)> {
    parts.iter().map(|(content_type, body)| ((*content_type).to_owned(), (*body).to_owned())).collect()
}

#[tokio::test]
async fn bytes_after_the_snapshot_are_one_part() {
    let service = Service::new();
    let stream = service.stream("/ds/acct/boot", "text/plain", "0123456789").await;
    let url = "GET {s}/bootstrap?offset=7&other=x";
    let none = "200\nstream-snapshot-offset: -1\n!stream-snapshot-digest\nstream-next-offset: @10\n\
                stream-incarnation: {token}\nstream-up-to-date: true\n!stream-closed\n!etag\ncache-control: no-store";
    let reply = stream.expect(url, none).await;
    assert_eq!(parts(&reply), owned(&[("application/octet-stream", ""), ("text/plain", "0123456789")]));
    stream.expect("PUT {s}/snapshot/7\ncontent-type: text/html\n\nstate", "204").await;
    let some = "200\nstream-snapshot-offset: @7\n!stream-snapshot-digest\nstream-next-offset: @10\n\
                stream-up-to-date: true\n!stream-closed";
    let reply = stream.expect(url, some).await;
    assert_eq!(parts(&reply), owned(&[("text/html", "state"), ("text/plain", "789")]));
    stream.expect("POST {s}\nstream-closed: true", "204").await;
    stream.expect("PUT {s}/snapshot/10\n\n", "204").await;
    let closed =
        "200\nstream-snapshot-offset: @10\nstream-next-offset: @10\nstream-up-to-date: true\nstream-closed: true";
    let reply = stream.expect(url, closed).await;
    assert_eq!(parts(&reply), owned(&[("application/octet-stream", "")]), "nothing follows");
}

#[tokio::test]
async fn messages_after_the_snapshot_are_a_part_each() {
    let service = Service::new();
    let stream = service.stream("/ds/acct/boot", "application/json; v=1", "[11,22]").await;
    stream.expect("PUT {s}/snapshot/3\n\nstate", "204").await;
    stream.expect("POST {s}\ncontent-type: application/json; v=1\n\n[{\"a\":[]},4]", "204").await;
    let reply = stream.expect("GET {s}/bootstrap", "200\nstream-next-offset: @17").await;
    let json = "application/json; v=1";
    let expected = [("application/octet-stream", "state"), (json, "22\n"), (json, "{\"a\":[]}\n"), (json, "4\n")];
    assert_eq!(parts(&reply), owned(&expected));
    let again = stream.ask("GET {s}/bootstrap").await;
    assert_ne!(reply.header("content-type"), again.header("content-type"), "a boundary is used once");
}

#[tokio::test]
async fn it_begins_where_the_stream_is_kept_from() {
    let service = Service::new();
    let stream = service.stream("/ds/acct/boot", "text/plain", "0123456789").await;
    stream.expect("PUT {s}/snapshot/7\n\nstate", "204").await;
    stream.expect("PUT {s}/retention/7", "204").await;
    let reply = stream.expect("GET {s}/bootstrap", "200\nstream-snapshot-offset: @7").await;
    assert_eq!(parts(&reply)[1].1, "789");
}

#[tokio::test]
async fn rows_of_a_bootstrap() {
    let service = Service::new();
    let stream = service.stream("/ds/acct/boot", "text/plain", "0123456789").await;
    for (request, refusal) in [
        ("GET {s}/bootstrap?live=sse\nif-match: *", "400 UNSUPPORTED"),
        ("GET {s}/bootstrap?live=sse\nstream-incarnation: x", "400 INVALID_HEADER"),
        ("GET /ds/acct/none/bootstrap?live=", "400 INVALID_QUERY"),
        ("GET /ds/BAD/none/bootstrap", "400 INVALID_BUCKET_ID"),
        ("GET /ds/acct/none/bootstrap\nstream-incarnation: 5", "404 STREAM_NOT_FOUND"),
        ("GET {s}/bootstrap\nstream-incarnation: 5", "412 INCARNATION_MISMATCH\nstream-incarnation: {token}"),
        ("PUT {s}/bootstrap", "405 METHOD_NOT_ALLOWED\nallow: GET, HEAD, OPTIONS"),
    ] {
        stream.refuses(request, refusal).await;
    }
    stream.expect("GET {s}/bootstrap\nstream-incarnation: {token}\nif-none-match: *", "200").await;
    let told = "200\nstream-snapshot-offset: -1\nstream-next-offset: @10\nstream-up-to-date: true\n!content-length";
    assert!(stream.expect("HEAD {s}/bootstrap", told).await.body.is_empty());
}

#[tokio::test]
async fn beyond_the_limit_it_ends_with_a_message_and_says_where_to_read_on() {
    let service = Service::with(Settings { bootstrap_bytes_max: 12, ..open_lifecycle() });
    let stream = service.stream("/ds/acct/boot", "application/json", "[11,22,33,44]").await;
    let cut = |next: u64| format!("200\nstream-next-offset: @{next}\n!stream-up-to-date\n!stream-closed");
    stream.expect("GET {s}/bootstrap", "200\nstream-next-offset: @12\nstream-up-to-date: true").await;
    stream.expect("POST {s}\ncontent-type: application/json\nstream-closed: true\n\n55", "204").await;
    let reply = stream.expect("GET {s}/bootstrap", &cut(12)).await;
    assert_eq!(parts(&reply).len(), 5);
    // The snapshot counts: of the twelve bytes seven are left, which are two messages and a part of one.
    stream.expect("PUT {s}/snapshot/3\n\nstate", "204").await;
    let reply = stream.expect("GET {s}/bootstrap", &cut(9)).await;
    assert_eq!(parts(&reply)[1..], owned(&[("application/json", "22\n"), ("application/json", "33\n")]));
    stream.expect("HEAD {s}/bootstrap", &cut(9)).await;
    // A snapshot comes whole, whatever the limit.
    stream.expect("PUT {s}/snapshot/6\n\n0123456789abcdef", "204").await;
    let reply = stream.expect("GET {s}/bootstrap", &cut(6)).await;
    assert_eq!(parts(&reply), owned(&[("application/octet-stream", "0123456789abcdef")]));
    let bytes = service.stream("/ds/acct/bytes", "text/plain", "0123456789abcdef").await;
    let reply = bytes.expect("GET {s}/bootstrap", &cut(12)).await;
    assert_eq!(parts(&reply)[1].1, "0123456789ab");
}

#[tokio::test]
async fn a_large_one_is_whole_whatever_the_sizes() {
    let service = Service::new();
    let stream = service.stream("/ds/acct/boot", "application/json", "").await;
    let message = |n: usize| format!("\"{}\"", "x".repeat(n * 1000));
    let messages: Vec<String> = (0..100).map(message).collect();
    for some in messages.chunks(20) {
        let body = format!("[{}]", some.join(","));
        stream.expect(&format!("POST {{s}}\ncontent-type: application/json\n\n{body}"), "204").await;
    }
    let reply = stream.expect("GET {s}/bootstrap", "200\nstream-up-to-date: true").await;
    let bodies: Vec<String> = parts(&reply).into_iter().skip(1).map(|(_, body)| body).collect();
    assert!(bodies.iter().map(|body| body.trim_end()).eq(messages.iter().map(String::as_str)));
}

#[tokio::test]
async fn one_that_cannot_be_read_is_refused_before_it_begins() {
    let service = Service::new();
    let stream = service.stream("/ds/acct/boot", "text/plain", "0123456789").await;
    stream.expect("PUT {s}/snapshot/7\n\nstate", "204").await;
    service.faults.next(Operation::Get, "/snapshot/", Fault::Denied);
    stream.expect("GET {s}/bootstrap", "503 STORE_UNAVAILABLE").await;
    stream.expect("GET {s}/bootstrap", "200").await;
}
