//! `POST` with a body: the order of faults, and the answers of unkeyed appends.

use crate::harness::Service;

const TYPE: &str = "content-type: text/plain";

#[tokio::test]
async fn an_unkeyed_append_answers_204_with_its_end() {
    let service = Service::new();
    for stream in service.both("append", "text/plain", "").await {
        let answer = "204\nstream-next-offset: @5\nstream-incarnation: {token}\netag: \"{token}:5\"\n\
                      cache-control: no-store\n!stream-closed\n!stream-offset\n!location\n!content-type";
        stream.expect(&format!("POST {{s}}\n{TYPE}\n\nhello"), answer).await;
        let closing =
            "204\nstream-next-offset: @6\nstream-incarnation: {token}\netag: \"{token}:6:c\"\nstream-closed: true";
        stream.expect(&format!("POST {{s}}\n{TYPE}\nstream-closed: TRUE\n\n!"), closing).await;
        assert_eq!(stream.ask("GET {s}").await.text(), "hello!");
    }
}

#[tokio::test]
async fn a_malformed_append_is_refused_and_changes_nothing() {
    let service = Service::new();
    for stream in service.both("malformed", "text/plain", "abc").await {
        for (headers, expected) in [
            ("stream-record-match: 1\nstream-incarnation: x", "400 UNSUPPORTED"),
            ("if-none-match: *", "400 UNSUPPORTED"),
            ("if-none-match: \"x\"\nstream-incarnation: x", "400 UNSUPPORTED"),
            ("stream-incarnation: 0", "400 INVALID_HEADER"),
            ("stream-incarnation: 01", "400 INVALID_HEADER"),
            ("stream-incarnation: ", "400 INVALID_HEADER"),
            ("stream-incarnation: +5", "400 INVALID_HEADER"),
            ("stream-incarnation: 9007199254740992", "400 INVALID_HEADER"),
            ("stream-incarnation: 5\nstream-incarnation: 5", "400 INVALID_HEADER"),
            ("stream-incarnation: \u{e9}", "400 INVALID_HEADER"),
            // The incarnation before the producer, the producer before Stream-Seq.
            ("stream-incarnation: x\nproducer-id: p", "400 INVALID_HEADER"),
            ("producer-id: p\nstream-seq: \u{e9}", "400 INVALID_PRODUCER\n!producer-epoch"),
            ("stream-seq: \u{e9}", "400 INVALID_HEADER"),
            ("stream-seq: 1\nstream-seq: 2", "400 INVALID_HEADER"),
            ("stream-closed: true\nstream-closed: true", "400 INVALID_HEADER"),
            ("stream-closed: no\nstream-closed: no", "400 INVALID_HEADER"),
            ("content-type: text/plain", "400 INVALID_HEADER"),
        ] {
            stream.refuses(&format!("POST {{s}}\n{TYPE}\n{headers}\n\nx"), expected).await;
        }
        let long = format!("POST {{s}}\n{TYPE}\nstream-seq: {}\n\nx", "9".repeat(257));
        stream.refuses(&long, "400 INVALID_HEADER").await;
    }
}

#[tokio::test]
async fn faults_of_the_body_are_refused_and_change_nothing() {
    let service = Service::new();
    for stream in service.both("content", "text/plain", "abc").await {
        for (request, expected) in [
            ("POST {s}\n\nx", "400 MISSING_CONTENT_TYPE"),
            ("POST {s}\ncontent-type: \n\nx", "400 MISSING_CONTENT_TYPE"),
            ("POST {s}\ncontent-type: ;\n\nx", "400 INVALID_HEADER"),
            ("POST {s}\ncontent-type: garbage\n\nx", "400 INVALID_HEADER"),
            ("POST {s}\ncontent-type: a/b/c\n\nx", "400 INVALID_HEADER"),
            ("POST {s}\ncontent-type: t\u{e9}xt/plain\n\nx", "400 INVALID_HEADER"),
            ("POST {s}\ncontent-type: text/plain", "400 EMPTY_APPEND"),
            ("POST {s}", "400 EMPTY_APPEND"),
            ("POST {s}\nstream-closed: yes", "400 EMPTY_APPEND"),
            ("POST {s}\nstream-closed: 1", "400 EMPTY_APPEND"),
            // The request's own type decides whether it is read as JSON.
            ("POST {s}\ncontent-type: application/json\n\nnot json", "400 INVALID_RECORD_BOUNDARIES"),
            (
                "POST {s}\ncontent-type: application/json\n\n1",
                "409 CONTENT_TYPE_MISMATCH\nstream-next-offset: @3\n!stream-incarnation",
            ),
            (
                "POST {s}\ncontent-type: application/octet-stream\n\nx",
                "409 CONTENT_TYPE_MISMATCH\nstream-next-offset: @3",
            ),
            (
                "POST {s}\ncontent-type: text/plain\nstream-incarnation: 5\n\nx",
                "412 INCARNATION_MISMATCH\nstream-incarnation: {token}\n!stream-next-offset",
            ),
        ] {
            stream.refuses(request, expected).await;
        }
    }
}

#[tokio::test]
async fn an_unkeyed_fault_comes_before_the_stream_and_a_keyed_one_after() {
    let service = Service::new();
    let keyed = "producer-id: p\nproducer-epoch: 0\nproducer-seq: 0\n";
    for path in ["/v1/stream/none", "/ds/acct/none"] {
        for (headers, body, unkeyed) in [
            ("", "x", "400 MISSING_CONTENT_TYPE"),
            ("content-type: application/json\n", "{", "400 INVALID_RECORD_BOUNDARIES"),
            ("content-type: application/json\n", "[]", "400 INVALID_RECORD_BOUNDARIES"),
            ("", "", "400 EMPTY_APPEND"),
        ] {
            service.ask(&format!("POST {path}\n{headers}\n{body}")).await.check(headers, unkeyed);
            let reply = service.ask(&format!("POST {path}\n{keyed}{headers}\n{body}")).await;
            reply.check(headers, "404 STREAM_NOT_FOUND");
        }
    }
    service.ask("POST /ds/BAD/x\n\nx").await.check("its own faults come first", "400 MISSING_CONTENT_TYPE");
    service.ask("POST /ds/BAD/x\nstream-closed: true").await.check("then the name", "400 INVALID_BUCKET_ID");
}

#[tokio::test]
async fn stream_seq_rises_bytewise() {
    let service = Service::new();
    for stream in service.both("seq", "text/plain", "").await {
        let append = |seq: &str| format!("POST {{s}}\n{TYPE}\nstream-seq: {seq}\n\nx");
        stream.expect(&append("2"), "204").await;
        let conflict = "409 STREAM_SEQ_CONFLICT\nstream-last-seq: 2\nstream-next-offset: @1\n!stream-incarnation";
        for seq in ["2", "10", "1zzz", "!"] {
            stream.refuses(&append(seq), conflict).await;
        }
        stream.expect(&append("  "), "204").await;
        stream.expect(&append("20"), "204").await;
        stream.expect(&append("a"), "204\nstream-next-offset: @4").await;
    }
}

#[tokio::test]
async fn a_body_is_stored_as_sent_whatever_its_bytes() {
    let service = Service::new();
    let stream = service.stream("/v1/stream/bytes", "application/octet-stream", "").await;
    let bytes: Vec<u8> = (0..=255).collect();
    let request = http::Request::post(&stream.path).header("content-type", "application/octet-stream");
    let reply = service.send(request.body(bytes.clone().into()).unwrap()).await;
    reply.check("POST", "204\nstream-next-offset: @256");
    assert_eq!(stream.ask("GET {s}").await.body, bytes);
}

#[tokio::test]
async fn content_types_match_exactly_on_one_mount_and_by_media_type_on_the_other() {
    let service = Service::new();
    for (stored, sent, hosted, upstream) in [
        ("text/plain", "TEXT/Plain ; ", true, true),
        ("text/plain;charset=UTF-8", "text/plain ;  Charset=utf-8", true, true),
        ("text/plain", "text/plain; charset=utf-8", false, true),
        ("text/plain; charset=utf-8", "text/plain", false, true),
        ("application/json; charset=utf-8", "application/json", false, true),
        ("text/plain", "text/html", false, false),
    ] {
        let name = format!("{stored}-{sent}").replace(|c: char| !c.is_ascii_alphanumeric(), "-");
        for (stream, same) in service.both(&name, stored, "").await.iter().zip([hosted, upstream]) {
            let expected = if same { "204" } else { "409 CONTENT_TYPE_MISMATCH" };
            stream.expect(&format!("POST {{s}}\ncontent-type: {sent}\n\n1"), expected).await;
            let again = if same { "200" } else { "409 STREAM_ALREADY_EXISTS_CONFLICT" };
            stream.expect(&format!("PUT {{s}}\ncontent-type: {sent}"), again).await;
        }
    }
}
