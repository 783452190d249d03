//! `DELETE`.

use crate::harness::Service;

#[tokio::test]
async fn a_deleted_stream_is_gone_and_its_name_is_free() {
    let service = Service::new();
    for stream in service.both("gone", "text/plain", "abc").await {
        let plain = "204\n!stream-incarnation\n!stream-next-offset\n!etag\n!content-type\ncache-control: no-store";
        stream.expect("DELETE {s}", plain).await;
        for request in ["GET {s}", "GET {s}?offset=now", "DELETE {s}", "POST {s}\nstream-closed: true"] {
            stream.expect(request, "404 STREAM_NOT_FOUND").await;
        }
        assert_eq!(stream.ask("HEAD {s}").await.status, 404);
        let again = stream.expect("PUT {s}\ncontent-type: text/html", "201\nstream-next-offset: @0").await;
        assert_ne!(again.header("stream-incarnation"), Some(stream.token.as_str()));
        // Whoever still means the first life is told.
        let current = again.header("stream-incarnation").unwrap();
        let mismatch = format!("412 INCARNATION_MISMATCH\nstream-incarnation: {current}");
        for request in ["GET {s}", "DELETE {s}", "POST {s}\nstream-closed: true"] {
            let (line, rest) = request.split_once('\n').unwrap_or((request, ""));
            stream.expect(&format!("{line}\nstream-incarnation: {{token}}\n{rest}"), &mismatch).await;
        }
    }
}

#[tokio::test]
async fn a_refused_delete_deletes_nothing() {
    let service = Service::new();
    for stream in service.both("kept", "text/plain", "abc").await {
        for (headers, expected) in [
            ("if-none-match: *", "400 UNSUPPORTED"),
            ("if-none-match: \"x\"\nstream-incarnation: x", "400 UNSUPPORTED"),
            ("stream-incarnation: x", "400 INVALID_HEADER"),
            ("stream-incarnation: 5\nif-match: \"x\"", "412 INCARNATION_MISMATCH\nstream-incarnation: {token}"),
            ("if-match: \"x\"", "412 IF_MATCH_FAILED\netag: \"{token}:3\"\nstream-next-offset: @3"),
            ("if-match: \"{token}:2\"", "412 IF_MATCH_FAILED"),
            ("if-match: W/\"{token}:3\"", "412 IF_MATCH_FAILED"),
            ("if-match: x", "412 IF_MATCH_FAILED"),
            ("if-match: \u{e9}", "412 IF_MATCH_FAILED"),
        ] {
            stream.refuses(&format!("DELETE {{s}}\n{headers}"), expected).await;
        }
    }
    for (headers, request) in
        [("if-match: \"{token}:3\"", "a"), ("if-match: *", "b"), ("if-match: \"x\", \"{token}:3:3:t\"", "c")]
    {
        let stream = service.stream(&format!("/v1/stream/{request}"), "text/plain", "abc").await;
        stream.expect(&format!("DELETE {{s}}\n{headers}\nstream-incarnation: {{token}}"), "204").await;
    }
    service.ask("DELETE /v1/stream/none\nif-match: *").await.check("missing", "404 STREAM_NOT_FOUND");
    service.ask("DELETE /v1/stream/none/../x").await.check("name", "400 INVALID_STREAM_ID");
}
