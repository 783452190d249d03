//! `HEAD`.

use crate::harness::Service;

#[tokio::test]
async fn it_tells_what_the_stream_is_and_promises_no_length() {
    let service = Service::new();
    for stream in service.both("head", "application/json", "[1,2]").await {
        // The stored type, whatever the form of reads; the query is ignored.
        let answer = "200\ncontent-type: application/json\nstream-incarnation: {token}\nstream-next-offset: @4\n\
                      stream-retained-offset: @0\nstream-up-to-date: true\nursula-max-request-bytes: 8388608\n\
                      ursula-max-snapshot-bytes: 1073741824\n\
                      etag: \"{token}:4\"\ncache-control: no-store\n!stream-closed\n!stream-ttl\n!content-length\n\
                      !stream-cursor\n!vary";
        for query in ["", "?", "?offset=garbage&offset=1", "?live=sse"] {
            stream.expect(&format!("HEAD {{s}}{query}"), answer).await;
        }
        stream.expect("POST {s}\nstream-closed: true", "204").await;
        stream.expect("HEAD {s}", "200\nstream-closed: true\netag: \"{token}:4:c\"").await;
    }
}

#[tokio::test]
async fn errors_have_the_headers_of_an_error_and_no_body() {
    let service = Service::new();
    let stream = service.stream("/v1/stream/head", "text/plain", "").await;
    for (request, status, token) in [
        ("HEAD {s}\nstream-incarnation: x", 400, false),
        ("HEAD {s}\nif-match: *", 400, false),
        ("HEAD /v1/stream/none", 404, false),
        ("HEAD /ds/BAD/none\nstream-incarnation: x", 400, false),
        ("HEAD /ds/BAD/none", 400, false),
        ("HEAD {s}\nstream-incarnation: 5", 412, true),
    ] {
        let reply = stream.ask(request).await;
        assert_eq!(reply.status, status, "{request}");
        assert_eq!(reply.header("stream-incarnation").is_some(), token, "{request}");
        assert_eq!(reply.header("ursula-max-request-bytes"), None, "{request}");
    }
}

#[tokio::test]
async fn the_limit_told_is_the_limit_of_the_deployment() {
    for (set, told) in [(1000, 1000), (u64::MAX, 8_388_608)] {
        let settings = wadi_http::Settings { request_bytes_max: set, ..crate::harness::open_lifecycle() };
        let service = Service::with(settings);
        let stream = service.stream("/v1/stream/limit", "text/plain", "").await;
        stream.expect("HEAD {s}", &format!("200\nursula-max-request-bytes: {told}")).await;
    }
}

#[tokio::test]
async fn a_known_tag_is_answered_with_304_and_every_header() {
    let service = Service::new();
    let stream = service.stream("/v1/stream/known", "text/plain", "abc").await;
    let whole = stream.ask("HEAD {s}").await;
    for tags in ["\"{token}:3\"", "W/\"{token}:3\"", "\"x\", \"{token}:3\"", "*"] {
        let known = stream.expect(&format!("HEAD {{s}}\nif-none-match: {tags}"), "304").await;
        assert_eq!(known.headers, whole.headers);
    }
    stream.expect("HEAD {s}\nif-none-match: \"{token}:2\"", "200").await;
}
