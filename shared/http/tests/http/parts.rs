//! Snapshots in parts: the rows of the contract in their order, through the whole service, at both mounts.

use axum::body::Body;
use http::{HeaderValue, Request};
use wadi_protocol::{ContentType, SnapshotDigest};
use wadi_store::{Fault, NewObject, ObjectKey, ObjectStore, Operation, PutCondition};

use crate::harness::{Service, Stream, open_lifecycle};

async fn stage(stream: &Stream<'_>, body: &str) -> String {
    let told = "201\n!stream-incarnation\n!stream-next-offset\n!etag\ncache-control: no-store";
    let reply = stream.expect(&format!("POST {{s}}/snapshot/7/parts\n\n{body}"), told).await;
    let part = reply.header("stream-snapshot-part").unwrap().to_owned();
    assert!((1..=64).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_graphic()), "{part}");
    part
}

fn digest(body: &str) -> String {
    SnapshotDigest::of(&ContentType::parse("text/plain").unwrap(), body.as_bytes()).to_string()
}

/// A commit of parts at an offset of what is said to come to `body`.
fn commit(at: u64, body: &str, parts: &[&str]) -> String {
    let (count, digest, list) = (parts.len(), digest(body), parts.iter().map(|part| format!("{part}\n")));
    let headers = format!("stream-snapshot-parts: {count}\nstream-snapshot-digest: {digest}");
    format!("PUT {{s}}/snapshot/{at}\ncontent-type: text/plain\n{headers}\n\n{}", list.collect::<String>())
}

async fn staged_count(service: &Service) -> usize {
    let request = wadi_store::ListRequest { prefix: "ds/".to_owned(), start_after: None, limit: 1000 };
    let page = service.bucket.list(request).await.unwrap();
    page.objects.iter().filter(|object| object.key.as_str().contains("/staged/")).count()
}

#[tokio::test]
async fn parts_are_staged_and_committed_in_the_order_named() {
    let service = Service::new();
    for stream in service.both("parts", "text/plain", "0123456789").await {
        stream
            .expect("HEAD {s}", "200\nursula-max-snapshot-bytes: 1073741824\nursula-max-request-bytes: 8388608")
            .await;
        let (world, hello, empty) =
            (stage(&stream, "world").await, stage(&stream, "hello ").await, stage(&stream, "").await);
        let told = format!(
            "204\nstream-snapshot-offset: @7\nstream-snapshot-digest: {}\nstream-incarnation: {{token}}\n\
             !stream-next-offset\ncache-control: no-store",
            digest("hello world")
        );
        let request = commit(7, "hello world", &[&hello, &empty, &world]);
        let first = stream.expect(&request, &told).await;
        assert_eq!(stream.expect(&request, &told).await, first, "a repeat is told alike, though the parts are gone");
        let read = stream.expect("GET {s}/snapshot/7", "200\ncontent-type: text/plain\ncontent-length: 11").await;
        assert_eq!(read.text(), "hello world");
        let ranged = stream.expect("GET {s}/snapshot/7\nrange: bytes=4-6", "206\ncontent-range: bytes 4-6/11").await;
        assert_eq!(ranged.text(), "o w");
        assert_eq!(staged_count(&service).await, 0);
    }
}

#[tokio::test]
async fn rows_of_staging() {
    let service = Service::new();
    let stream = service.stream("/ds/acct/s", "text/plain", "0123456789").await;
    for (request, refusal) in [
        ("POST {s}/snapshot/x/parts\nif-match: *", "400 UNSUPPORTED"),
        ("POST {s}/snapshot/x/parts\nstream-incarnation: x", "400 INVALID_OFFSET"),
        ("POST {s}/snapshot/-1/parts", "400 INVALID_OFFSET"),
        ("POST /ds/acct/none/snapshot/5/parts\nstream-incarnation: 0", "400 INVALID_HEADER"),
        ("POST /ds/BAD/s/snapshot/5/parts", "400 INVALID_BUCKET_ID"),
        ("POST /ds/acct/none/snapshot/5/parts\nstream-incarnation: 5\n\nx", "404 STREAM_NOT_FOUND"),
        (
            "POST {s}/snapshot/5/parts\nstream-incarnation: 5\n\nx",
            "412 INCARNATION_MISMATCH\nstream-incarnation: {token}",
        ),
        ("PUT {s}/snapshot/5/parts", "405 METHOD_NOT_ALLOWED\nallow: POST, OPTIONS"),
        ("GET {s}/snapshot/parts", "405 METHOD_NOT_ALLOWED\nallow: DELETE, OPTIONS"),
    ] {
        stream.refuses(request, refusal).await;
    }
    // The offset says nothing, and neither does a content type.
    stream.expect("POST {s}/snapshot/18446744073709551615/parts\ncontent-type: garbage\n\nx", "201").await;
    let pinned = "POST {s}/snapshot/5/parts\nstream-incarnation: {token}\n\nx";
    let (one, other) = (stream.expect(pinned, "201").await, stream.expect(pinned, "201").await);
    assert_ne!(one.header("stream-snapshot-part"), other.header("stream-snapshot-part"));
    stream.expect("OPTIONS {s}/snapshot/5/parts", "204\nallow: POST, OPTIONS").await;
    stream.expect("OPTIONS {s}/snapshot/parts", "204\nallow: DELETE, OPTIONS").await;
}

#[tokio::test]
async fn a_part_over_the_limit_is_refused_after_the_stream_was_looked_up() {
    let service = Service::with(wadi_http::Settings { request_bytes_max: 10, ..open_lifecycle() });
    let stream = service.stream("/ds/acct/s", "text/plain", "0123456789").await;
    stream.refuses("POST /ds/acct/none/snapshot/7/parts\n\n0123456789a", "404 STREAM_NOT_FOUND").await;
    let too_large = "413 REQUEST_TOO_LARGE\nursula-max-request-bytes: 10";
    stream.refuses("POST {s}/snapshot/7/parts\n\n0123456789a", too_large).await;
    stage(&stream, "0123456789").await;
}

#[tokio::test]
async fn parts_too_many_are_refused_and_told_how_many_may_be() {
    let service = Service::new();
    let stream = service.stream("/ds/acct/s", "text/plain", "0123456789").await;
    for number in 0..8192 {
        let key = ObjectKey::new(format!("ds/acct/s/incarnation/{}/staged/{number:032x}", stream.token));
        service.bucket.put(&key, NewObject::default(), PutCondition::IfAbsent).await.unwrap();
    }
    let limit = "429 STAGED_PARTS_LIMIT\nursula-max-staged-parts: 8192\n!ursula-max-staged-bytes\n\
                 stream-incarnation: {token}\n!retry-after";
    stream.refuses("POST {s}/snapshot/7/parts\n\nx", limit).await;
    stream.expect("DELETE {s}/snapshot/parts", "204\nstream-incarnation: {token}").await;
    stage(&stream, "x").await;
}

#[tokio::test]
async fn malformed_headers_of_a_commit() {
    let service = Service::new();
    let stream = service.stream("/ds/acct/s", "text/plain", "0123456789").await;
    let good = digest("state");
    let headers = |count: &str, digest: &str| {
        let lines = [("stream-snapshot-parts", count), ("stream-snapshot-digest", digest)];
        let line = |(name, value): (&str, &str)| match value {
            "" => String::new(),
            value => value.split('|').fold(String::new(), |lines, value| format!("{lines}\n{name}: {value}")),
        };
        lines.map(line).concat()
    };
    for (count, digest) in [
        ("0", &*good),
        ("01", &good),
        ("+1", &good),
        ("4097", &good),
        ("x", &good),
        ("1|1", &good),
        ("1", ""),
        ("1", &good.to_uppercase()),
        ("1", &good[1..]),
        ("1", &format!("{good}|{good}")),
    ] {
        // Before the content type and the stream, after the incarnation's form.
        let lines = headers(count, digest);
        let request = format!("PUT /ds/acct/none/snapshot/7\ncontent-type: garbage{lines}");
        stream.refuses(&request, "400 INVALID_PARTS_COMMIT").await;
        let request = format!("PUT /ds/acct/none/snapshot/7\nstream-incarnation: 0{lines}");
        stream.refuses(&request, "400 INVALID_HEADER").await;
    }
    let lines = headers("1", &good);
    stream.refuses(&format!("PUT {{s}}/snapshot/x{lines}"), "400 INVALID_OFFSET").await;
    stream.refuses(&format!("PUT {{s}}/snapshot/7\ncontent-type: garbage{lines}"), "400 INVALID_HEADER").await;
    // A digest alone says nothing: the body is the snapshot.
    stream.expect("PUT {s}/snapshot/7\nstream-snapshot-digest: x\nstream-snapshot-digest: y\n\nbody", "204").await;
    assert_eq!(stream.ask("GET {s}/snapshot/7").await.text(), "body");
}

#[tokio::test]
async fn rows_of_a_commit() {
    let service = Service::new();
    let stream = service.stream("/ds/acct/s", "text/plain", "0123456789").await;
    let part = stage(&stream, "state").await;
    // By the key, before the body: its list is not one.
    let keyed = |at: u64, body: &str, more: &str| commit(at, body, &[]).replace("parts: 0", &format!("parts: 1{more}"));
    stream.refuses(&keyed(7, "state", "").replace("{s}", "/ds/acct/none"), "404 STREAM_NOT_FOUND").await;
    stream.refuses(&keyed(99, "state", "\nstream-incarnation: 5"), "412 INCARNATION_MISMATCH").await;
    let beyond = "409 SNAPSHOT_CONFLICT\nstream-next-offset: @10\n!stream-snapshot-offset\n!stream-incarnation";
    stream.refuses(&keyed(11, "state", ""), beyond).await;

    for (list, what) in [
        (String::new(), "none"),
        (part.clone(), "no final LF"),
        (format!("{part}\n{part}x\n"), "too many"),
        (format!("{part}\n\n"), "an empty one"),
        (format!("{part} \n"), "a blank"),
        (format!("{}\n", "x".repeat(65)), "too long a name"),
        ("x\n".repeat(140_000), "too long a list"),
    ] {
        let request = format!("{}{list}", keyed(7, "state", ""));
        let reply = stream.expect(&request, "400 INVALID_PARTS_COMMIT").await;
        assert_eq!(reply.header("stream-next-offset"), None, "{what}");
    }
    stream.refuses(&commit(7, "state", &[&part, &part]), "400 INVALID_PARTS_COMMIT").await;
    stream.refuses(&commit(7, "state", &[&part, "never"]), "400 UNKNOWN_PART").await;
    assert_eq!(staged_count(&service).await, 1, "nothing was copied");
    stream.refuses(&commit(7, "other", &[&part]), "400 SNAPSHOT_DIGEST_MISMATCH").await;
    assert_eq!(staged_count(&service).await, 0, "they were copied, and a repeat would be told alike");

    let part = stage(&stream, "state").await;
    stream.expect(&commit(7, "state", &[&part]), "204").await;
    let latest = format!(
        "409 SNAPSHOT_CONFLICT\nstream-snapshot-offset: @7\nstream-snapshot-digest: {}\n!stream-next-offset",
        digest("state")
    );
    for (at, body) in [(7, "other"), (6, "state"), (0, "")] {
        stream.refuses(&keyed(at, body, ""), &latest).await;
    }
    stream.expect(&keyed(7, "state", ""), "204\nstream-snapshot-offset: @7").await;
    stream.expect("PUT {s}/retention/6", "204").await;
    // A whole-body publish there is 410.
    stream.refuses(&keyed(5, "state", ""), &latest).await;
    stream.expect("POST {s}\nstream-closed: true", "204").await;
    let part = stage(&stream, "last").await;
    stream.expect(&commit(10, "last", &[&part]), "204").await;
}

#[tokio::test]
async fn a_commit_inside_a_message_is_refused_after_its_digest() {
    let service = Service::new();
    let stream = service.stream("/ds/acct/s", "application/json", "[1,2]").await;
    let part = stage(&stream, "state").await;
    stream.refuses(&commit(1, "other", &[&part]), "400 SNAPSHOT_DIGEST_MISMATCH").await;
    let part = stage(&stream, "state").await;
    stream.refuses(&commit(1, "state", &[&part]), "400 INVALID_SNAPSHOT\nstream-next-offset: @4").await;
    assert_eq!(staged_count(&service).await, 0);
    let part = stage(&stream, "state").await;
    stream.expect(&commit(2, "state", &[&part]), "204").await;
}

#[tokio::test]
async fn more_than_a_snapshot_may_be_is_refused_and_kept() {
    let service = Service::new();
    let stream = service.stream("/ds/acct/s", "text/plain", "0123456789").await;
    let large = NewObject::from(bytes::Bytes::from(vec![0; 16 << 20]));
    let names: Vec<String> = (0..65).map(|number| format!("{number:032x}")).collect();
    for name in &names {
        let key = ObjectKey::new(format!("ds/acct/s/incarnation/{}/staged/{name}", stream.token));
        service.bucket.put(&key, large.clone(), PutCondition::IfAbsent).await.unwrap();
    }
    let parts: Vec<&str> = names.iter().map(String::as_str).collect();
    let too_large = "413 SNAPSHOT_TOO_LARGE\nursula-max-snapshot-bytes: 1073741824";
    stream.refuses(&commit(7, "state", &parts), too_large).await;
    assert_eq!(staged_count(&service).await, 65);
}

#[tokio::test]
async fn a_commit_in_progress_turns_others_away() {
    let service = Service::new();
    let stream = service.stream("/ds/acct/s", "text/plain", "0123456789").await;
    let part = stage(&stream, "state").await;
    let mut hold = service.faults.hold(Operation::Put, "/body/");
    let (request, running) = (commit(7, "state", &[&part]).replace("{s}", &stream.path), service.clone());
    let first = tokio::spawn(async move { running.ask(&request).await });
    hold.arrived().await;
    let busy = "503 SNAPSHOT_COMMIT_IN_PROGRESS\nretry-after: 1";
    stream.expect(&commit(7, "state", &[&part]), busy).await;
    stream.expect("DELETE {s}/snapshot/parts", busy).await;
    let mut others = Vec::new();
    for name in ["two", "three"] {
        let other = service.stream(&format!("/ds/acct/{name}"), "text/plain", "0123456789").await;
        let part = stage(&other, "state").await;
        let (request, running) = (commit(7, "state", &[&part]).replace("{s}", &other.path), service.clone());
        if name == "three" {
            running.ask(&request).await.check(name, "503 SNAPSHOT_COMMITS_BUSY\nretry-after: 1");
            break;
        }
        let mut hold = service.faults.hold(Operation::Put, "/body/");
        let second = tokio::spawn(async move { running.ask(&request).await });
        hold.arrived().await;
        others.push((hold, second));
    }
    hold.release();
    first.await.unwrap().check("first", "204");
    for (hold, second) in others {
        hold.release();
        second.await.unwrap().check("second", "204");
    }
    stream.expect(&commit(7, "state", &[&part]), "204").await;
}

#[tokio::test]
async fn rows_of_a_discard() {
    let service = Service::new();
    let stream = service.stream("/ds/acct/s", "text/plain", "0123456789").await;
    for (request, refusal) in [
        ("DELETE {s}/snapshot/parts\nif-match: *", "400 UNSUPPORTED"),
        ("DELETE /ds/acct/none/snapshot/parts\nstream-incarnation: 0", "400 INVALID_HEADER"),
        ("DELETE /ds/BAD/s/snapshot/parts", "400 INVALID_BUCKET_ID"),
        ("DELETE /ds/acct/none/snapshot/parts\nstream-incarnation: 5", "404 STREAM_NOT_FOUND"),
        ("DELETE {s}/snapshot/parts\nstream-incarnation: 5", "412 INCARNATION_MISMATCH\nstream-incarnation: {token}"),
    ] {
        stream.refuses(request, refusal).await;
    }
    stage(&stream, "x").await;
    service.faults.next(Operation::Delete, "/staged/", Fault::Denied);
    stream.expect("DELETE {s}/snapshot/parts", "502 COLD_STORE_FAILED\n!retry-after").await;
    for _ in 0..2 {
        stream.expect("DELETE {s}/snapshot/parts", "204\nstream-incarnation: {token}\n!stream-next-offset").await;
        assert_eq!(staged_count(&service).await, 0);
    }
}

#[tokio::test]
async fn staging_and_discarding_renew_no_time_to_live() {
    let service = Service::new();
    let reply = service.ask("PUT /ds/acct/ttl\ncontent-type: text/plain\nstream-ttl: 60\n\nabc").await;
    let token = reply.header("stream-incarnation").unwrap().to_owned();
    let stream = Stream { service: &service, path: "/ds/acct/ttl".to_owned(), token };
    service.pass_seconds(40);
    let part = stage(&stream, "state").await;
    stream.expect(&commit(3, "state", &[&part]), "204").await;
    stream.expect("DELETE {s}/snapshot/parts", "204").await;
    service.pass_seconds(25);
    stream.expect("POST {s}/snapshot/3/parts\n\nx", "404 STREAM_NOT_FOUND").await;
}

/// A part that breaks off leaves no room taken and no part.
#[tokio::test]
async fn a_part_that_breaks_off_is_none() {
    let service = Service::new();
    let stream = service.stream("/ds/acct/s", "text/plain", "0123456789").await;
    let pieces: [Result<&str, std::io::Error>; 2] = [Ok("half"), Err(std::io::Error::other("gone"))];
    let mut request = Request::new(Body::from_stream(futures::stream::iter(pieces)));
    *request.method_mut() = http::Method::POST;
    *request.uri_mut() = "/ds/acct/s/snapshot/7/parts".parse().unwrap();
    request.headers_mut().insert("host", HeaderValue::from_static("streams.example"));
    service.send(request).await.check("broken off", "400 BODY_UNREADABLE");
    assert_eq!(staged_count(&service).await, 0);
    stage(&stream, "whole").await;
}
