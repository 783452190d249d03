//! The bucket as a read origin of immutable URLs.

use wadi_http::{ReadOrigin, Settings};
use wadi_protocol::StreamKey;

use crate::harness::{Service, open_lifecycle};

const CELL: u64 = 4 << 20;

/// Holds what the bucket has under the path of an immutable URL against the answer of the process: bytes,
/// and header by header.
async fn is_served_alike(service: &Service, path: &str) {
    let reply = service.ask(&format!("GET {path}")).await;
    reply.check(path, "200\nstream-immutable: true");
    let object = service.object(&path[1..]).await;
    assert_eq!(object.body, reply.body, "{path}");
    assert_eq!(object.attributes.content_type.as_deref(), reply.header("content-type"), "{path}");
    let public = reply.header("cache-control").unwrap();
    assert_eq!(object.attributes.cache_control.as_deref(), public.strip_prefix("public, "), "{path}");
    let marks = |name: &str| name.starts_with("stream-");
    let stored = object.attributes.metadata.iter().filter(|(name, _)| marks(name));
    let stored: Vec<(String, String)> = stored.map(|(name, value)| (name.clone(), value.clone())).collect();
    let sent = reply.headers.iter().filter(|(name, _)| marks(name.as_str()));
    let mut sent: Vec<(String, String)> =
        sent.map(|(name, value)| (name.as_str().to_owned(), value.to_str().unwrap().to_owned())).collect();
    sent.sort();
    assert_eq!(stored, sent, "{path}");
}

#[tokio::test]
async fn the_bucket_serves_a_sealed_chunk_as_the_process_does() {
    let service = Service::new();
    let stream = service.stream("/ds/acct/sealed", "application/json", "").await;
    for _ in 0..3 {
        let body = format!("\"{}\"", "z".repeat(2_000_000));
        stream.ask(&format!("POST {{s}}\ncontent-type: application/json\n\n{body}")).await;
    }
    stream.ask("POST {s}\nstream-closed: true").await;
    assert!(service.engine.seal(&StreamKey::parse_key_text("acct/sealed").unwrap()).await.unwrap());
    for offset in [0, CELL] {
        let path = format!("/ds/acct/sealed/incarnation/{}/chunk/{offset:020}", stream.token);
        is_served_alike(&service, &path).await;
    }
}

#[tokio::test]
async fn the_bucket_serves_a_snapshot_as_the_process_does() {
    let service = Service::new();
    for (name, content_type, body) in
        [("typed", "content-type: Text/HTML; Charset=x\n", "state"), ("untyped", "", "state"), ("empty", "", "")]
    {
        let stream = service.stream(&format!("/ds/acct/{name}"), "text/plain", "0123456789").await;
        stream.expect(&format!("PUT {{s}}/snapshot/7\n{content_type}\n{body}"), "204").await;
        is_served_alike(&service, &format!("{}/incarnation/{}/snapshot/{:020}", stream.path, stream.token, 7)).await;
    }
}

#[tokio::test]
async fn the_read_origin_is_told_where_it_serves_the_stream() {
    const TOLD: &str = "stream-read-origin: https://cdn.example";
    let read_origin = ReadOrigin::parse("https://cdn.example").ok();
    let service = Service::with(Settings { read_origin, ..open_lifecycle() });
    for (stream, expected) in [
        ("/ds/acct/plain", TOLD),
        ("/ds/acct/d%C3%A9j%C3%A0%20vu", TOLD),
        ("/ds/acct/until\nstream-expires-at: 2030-01-01T00:00:00Z", TOLD),
        ("/ds/acct/closed\nstream-closed: true", TOLD),
        ("/v1/stream/plain", TOLD),
        // Reads keep it alive, and the origin tells nobody of reads.
        ("/ds/acct/sliding\nstream-ttl: 60", "!stream-read-origin"),
        ("/v1/stream/sliding\nstream-ttl: 60", "!stream-read-origin"),
        // The key in the bucket is not the path of the URL.
        ("/ds/acct/a%25b", "!stream-read-origin"),
        ("/v1/stream/a/b", "!stream-read-origin"),
    ] {
        service.ask(&format!("PUT {stream}")).await.check(stream, "201\n!stream-read-origin");
        let path = stream.lines().next().unwrap();
        let head = service.ask(&format!("HEAD {path}")).await;
        head.check(path, &format!("200\n{expected}"));
        service.ask(&format!("HEAD {path}\nif-none-match: *")).await.check(path, &format!("304\n{expected}"));
        service.ask(&format!("GET {path}")).await.check(path, "200\n!stream-read-origin");
    }
    service.ask("HEAD /ds/acct/none").await.check("none", "404\n!stream-read-origin");
    let without = Service::new();
    let stream = without.stream("/ds/acct/plain", "text/plain", "").await;
    stream.expect("HEAD {s}", "200\n!stream-read-origin").await;
}
