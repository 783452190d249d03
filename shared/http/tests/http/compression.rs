//! Pages that are compressed for clients that ask for it.

use std::io::Read;

use axum::body::Body;
use http::Request;
use tower::ServiceExt;
use wadi_http::Settings;

use crate::harness::{Reply, Service, Stream, open_lifecycle};

const CODINGS: [&str; 3] = ["zstd", "br", "gzip"];

/// The body as it was before it was compressed.
fn decoded(reply: &Reply) -> String {
    let mut text = String::new();
    let bytes = &reply.body[..];
    match reply.header("content-encoding") {
        Some("zstd") => zstd::Decoder::new(bytes).unwrap().read_to_string(&mut text).unwrap(),
        Some("br") => brotli::Decompressor::new(bytes, 4096).read_to_string(&mut text).unwrap(),
        Some("gzip") => flate2::read::GzDecoder::new(bytes).read_to_string(&mut text).unwrap(),
        other => panic!("{other:?}"),
    };
    text
}

/// A stream of this type with this many bytes in it, as they are stored.
async fn filled<'s>(service: &'s Service, name: &str, content_type: &str, bytes: usize) -> Stream<'s> {
    let text = if content_type.contains("json") { format!("\"{}\"", "a".repeat(bytes - 3)) } else { "a".repeat(bytes) };
    let stream = service.stream(&format!("/v1/stream/{name}"), content_type, &text).await;
    assert_eq!(stream.ask("HEAD {s}").await.header("stream-next-offset"), Some(format!("{bytes:020}").as_str()));
    stream
}

#[tokio::test]
async fn every_coding_gives_the_page_back_under_a_weak_tag() {
    let service = Service::new();
    let messages = format!("[{}1]", "{\"a\":\"b\"},".repeat(40));
    for (content_type, body) in [("text/plain", "line\n".repeat(80)), ("application/json", messages)] {
        for stream in service.both(&content_type.replace('/', "-"), content_type, &body).await {
            for query in ["offset=-1", "offset=-1&max_bytes=333", "offset=-1&live=long-poll"] {
                let plain = stream.ask(&format!("GET {{s}}?{query}")).await;
                assert!(plain.header("etag").unwrap().starts_with('"'), "{plain:?}");
                for coding in CODINGS {
                    let reply = stream.ask(&format!("GET {{s}}?{query}\naccept-encoding: {coding}")).await;
                    assert_eq!(decoded(&reply), plain.text(), "{coding}");
                    assert_eq!(reply.header("content-encoding"), Some(coding));
                    assert!(reply.body.len() < plain.body.len());
                    let weak = format!("W/{}", plain.header("etag").unwrap());
                    assert_eq!(reply.header("etag"), Some(weak.as_str()));
                    assert_eq!(without(&reply, &["content-encoding", "etag"]), without(&plain, &["etag"]), "{query}");
                }
            }
        }
    }
}

/// The headers of an answer, but for these and for what is said of its length.
fn without(reply: &Reply, names: &[&str]) -> http::HeaderMap {
    let mut headers = reply.headers.clone();
    for name in names.iter().chain(&["content-length"]) {
        headers.remove(*name);
    }
    headers
}

#[tokio::test]
async fn only_what_is_worth_it_is_compressed_and_only_that_varies() {
    let service = Service::new();
    for (name, content_type, accept, bytes, vary, coded) in [
        ("a", "text/plain", "*/*", 255, None, false),
        ("b", "text/plain", "*/*", 256, Some("accept-encoding"), true),
        ("c", "text/html; charset=utf-8", "*/*", 300, Some("accept-encoding"), true),
        ("d", "application/json", "application/x-ndjson", 255, Some("accept"), false),
        ("e", "application/json", "application/x-ndjson", 256, Some("accept, accept-encoding"), true),
        ("f", "application/json", "application/json", 254, Some("accept"), false),
        ("g", "application/json", "application/json", 255, Some("accept, accept-encoding"), true),
        ("h", "application/octet-stream", "*/*", 300, None, false),
        ("i", "image/png", "*/*", 300, None, false),
        ("j", "application/gzip", "*/*", 300, None, false),
    ] {
        let stream = filled(&service, name, content_type, bytes).await;
        for coding in ["", "gzip", "gzip;q=0", "deflate", "identity"] {
            let reply = stream.ask(&format!("GET {{s}}\naccept: {accept}\naccept-encoding: {coding}")).await;
            assert_eq!(reply.header("vary"), vary, "{name} {coding}");
            let expected = (coded && coding == "gzip").then_some("gzip");
            assert_eq!(reply.header("content-encoding"), expected, "{name} {coding}");
            assert_eq!(reply.header("etag").unwrap().starts_with("W/"), expected.is_some(), "{name} {coding}");
        }
        let head = stream.ask("HEAD {s}\naccept-encoding: gzip").await;
        head.check("HEAD", "200\n!vary\n!content-encoding");
        assert!(head.header("etag").unwrap().starts_with('"'));
    }
}

#[tokio::test]
async fn a_page_that_is_known_already_has_the_headers_of_the_page() {
    let service = Service::new();
    for stream in service.both("known", "text/plain", &"line\n".repeat(80)).await {
        for coding in ["", "br"] {
            let page = stream.ask(&format!("GET {{s}}\naccept-encoding: {coding}")).await;
            let tag = page.header("etag").unwrap();
            let strong = tag.trim_start_matches("W/");
            for known in [tag, strong, &format!("W/{strong}"), "*"] {
                let request = format!("GET {{s}}\naccept-encoding: {coding}\nif-none-match: {known}");
                let reply = stream.expect(&request, "304\n!content-encoding").await;
                assert_eq!(reply.headers, without(&page, &["content-encoding"]), "{known} {coding}");
            }
        }
    }
}

#[tokio::test]
async fn the_tag_of_a_compressed_page_is_too_weak_for_if_match() {
    let service = Service::new();
    let stream = service.stream("/v1/stream/match", "text/plain", &"line\n".repeat(80)).await;
    let reply = stream.ask("GET {s}\naccept-encoding: gzip").await;
    let weak = reply.header("etag").unwrap();
    let append = |tag: &str| format!("POST {{s}}\ncontent-type: text/plain\nif-match: {tag}\n\nmore");
    stream.expect(&append(weak), "412 IF_MATCH_FAILED").await;
    stream.expect(&append(weak.trim_start_matches("W/")), "204").await;
}

#[tokio::test]
async fn events_and_errors_are_never_compressed() {
    let service = Service::new();
    let stream = filled(&service, "plain", "text/plain", 1000).await;
    let request = format!("{}?offset=-1&live=sse", stream.path);
    let request = Request::get(request).header("accept-encoding", "gzip").body(Body::empty()).unwrap();
    let events = service.router.clone().oneshot(request).await.unwrap();
    assert_eq!(events.headers()["cache-control"], "no-cache, no-store, no-transform");
    for name in ["content-encoding", "vary", "content-length"] {
        assert!(!events.headers().contains_key(name), "{name}");
    }
    let error = stream.ask("GET {s}?offset=1001\naccept-encoding: gzip").await;
    error.check("error", "416 OFFSET_OUT_OF_RANGE\n!content-encoding\n!vary");
    stream.expect("GET {s}?offset=now\naccept-encoding: gzip", "200\n!content-encoding\n!vary\n!etag").await;
}

#[tokio::test]
async fn a_deployment_may_do_without() {
    let service = Service::with(Settings { compression: false, ..open_lifecycle() });
    let stream = filled(&service, "off", "text/plain", 1000).await;
    let reply = stream.expect("GET {s}\naccept-encoding: gzip", "200\n!vary\n!content-encoding").await;
    assert_eq!(reply.header("etag"), Some(format!("\"{}:0:1000:t\"", stream.token).as_str()));
    assert_eq!(reply.body.len(), 1000);
}
