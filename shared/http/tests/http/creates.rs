//! `PUT`.

use crate::harness::Service;

#[tokio::test]
async fn a_create_describes_the_stream_and_its_repeat_does_the_same() {
    let service = Service::new();
    for path in ["/ds/acct/new", "/v1/stream/new"] {
        let request = format!("PUT {path}\ncontent-type: Text/PLAIN\n\nhello");
        let location = format!("http://streams.example{path}");
        let described = format!(
            "content-type: text/plain\nlocation: {location}\nstream-next-offset: @5\ncache-control: no-store\n\
             !stream-closed\n!stream-ttl\n!stream-expires-at"
        );
        let made = service.ask(&request).await;
        made.check(path, &format!("201\n{described}"));
        let token = made.header("stream-incarnation").unwrap();
        assert_eq!(token.len(), 16);
        assert_eq!(made.header("etag"), Some(format!("\"{token}:5\"").as_str()));
        // The body and Stream-Seq of a repeat are ignored.
        let again = service.ask(&format!("PUT {path}\ncontent-type: text/plain\nstream-seq: 9\n\nother")).await;
        again.check(path, &format!("200\n{described}\nstream-incarnation: {token}"));
        assert_eq!(service.ask(&format!("GET {path}")).await.text(), "hello");
    }
}

#[tokio::test]
async fn settings_are_kept_and_told() {
    let service = Service::new();
    for mount in ["/ds/acct", "/v1/stream"] {
        for (number, (headers, told)) in [
            ("", "content-type: application/octet-stream\n!stream-closed"),
            ("content-type: \n", "content-type: application/octet-stream"),
            ("stream-closed: true\n", "stream-closed: true"),
            ("stream-closed: yes\n", "!stream-closed"),
            ("stream-ttl: 3600\n", "stream-ttl: 3600\n!stream-expires-at"),
            (
                "stream-expires-at: 2030-01-31T13:00:00+01:00\n",
                "stream-expires-at: 2030-01-31T12:00:00.000Z\n!stream-ttl",
            ),
            ("stream-expires-at: 2030-01-31t12:00:00.5z\n", "stream-expires-at: 2030-01-31T12:00:00.500Z"),
        ]
        .into_iter()
        .enumerate()
        {
            let path = format!("{mount}/set{number}");
            service.ask(&format!("PUT {path}\n{headers}")).await.check(headers, &format!("201\n{told}"));
            service.ask(&format!("PUT {path}\n{headers}")).await.check(headers, &format!("200\n{told}"));
            service.ask(&format!("HEAD {path}")).await.check(headers, &format!("200\n{told}"));
        }
    }
}

#[tokio::test]
async fn a_malformed_create_is_refused_and_creates_nothing() {
    let service = Service::new();
    for path in ["/ds/acct/bad", "/v1/stream/bad"] {
        for (headers, body, expected) in [
            ("if-match: *", "", "400 UNSUPPORTED"),
            ("if-none-match: \"x\"", "", "400 UNSUPPORTED"),
            ("if-none-match: *, \"x\"", "", "400 UNSUPPORTED"),
            ("if-none-match: x", "", "400 UNSUPPORTED"),
            ("stream-ttl: ", "", "400 INVALID_HEADER"),
            ("stream-ttl: 03600", "", "400 INVALID_HEADER"),
            ("stream-ttl: +3600", "", "400 INVALID_HEADER"),
            ("stream-ttl: -1", "", "400 INVALID_HEADER"),
            ("stream-ttl: 3600.0", "", "400 INVALID_HEADER"),
            ("stream-ttl: 3.6e3", "", "400 INVALID_HEADER"),
            ("stream-ttl: 1\nstream-ttl: 1", "", "400 INVALID_HEADER"),
            ("stream-ttl: 1\nstream-expires-at: 2030-01-31T12:00:00Z", "", "400 INVALID_HEADER"),
            ("stream-expires-at: tomorrow", "", "400 INVALID_HEADER"),
            ("stream-expires-at: 1969-12-31T23:59:59Z", "", "400 INVALID_HEADER"),
            ("stream-expires-at: 2030-01-31", "", "400 INVALID_HEADER"),
            ("stream-incarnation: x", "", "400 INVALID_HEADER"),
            ("stream-seq: \u{e9}", "", "400 INVALID_HEADER"),
            ("stream-closed: true\nstream-closed: true", "", "400 INVALID_HEADER"),
            ("producer-id: p\nproducer-epoch: 0\nproducer-seq: 0", "", "400 INVALID_PRODUCER"),
            ("producer-id: p", "", "400 INVALID_PRODUCER"),
            ("content-type: ;", "", "400 INVALID_HEADER"),
            ("content-type: garbage", "", "400 INVALID_HEADER"),
            ("content-type: a/b/c", "", "400 INVALID_HEADER"),
            ("content-type: text/plain\ncontent-type: text/plain", "", "400 INVALID_HEADER"),
            ("content-type: application/json", "{", "400 INVALID_RECORD_BOUNDARIES"),
            ("content-type: application/json", "[1,]", "400 INVALID_RECORD_BOUNDARIES"),
            ("content-type: application/json", " ", "400 INVALID_RECORD_BOUNDARIES"),
            ("stream-ttl: 18446744073709551615", "", "400 INVALID_RETENTION"),
            ("stream-ttl: 99999999999999999999999999", "", "400 INVALID_RETENTION"),
            ("stream-incarnation: 5", "", "412 INCARNATION_MISMATCH\n!stream-incarnation"),
        ] {
            let reply = service.ask(&format!("PUT {path}\n{headers}\n\n{body}")).await;
            reply.check(headers, expected);
            assert_eq!(service.ask(&format!("HEAD {path}")).await.status, 404, "{headers} created {path}");
        }
    }
}

#[tokio::test]
async fn faults_of_a_create_are_told_in_order() {
    let service = Service::new();
    let ttl = "stream-ttl: x";
    for (request, expected) in [
        (format!("PUT /v1/stream/..\nif-match: *\n{ttl}"), "400 UNSUPPORTED"),
        (format!("PUT /v1/stream/..\n{ttl}\nstream-incarnation: x"), "400 INVALID_HEADER"),
        ("PUT /v1/stream/..\nproducer-id: p\ncontent-type: application/json\n\n{".to_owned(), "400 INVALID_PRODUCER"),
        ("PUT /v1/stream/..\ncontent-type: application/json\n\n{".to_owned(), "400 INVALID_RECORD_BOUNDARIES"),
        ("PUT /v1/stream/..\nstream-incarnation: 5".to_owned(), "400 INVALID_STREAM_ID"),
        (
            "PUT /v1/stream/new\nstream-incarnation: 5\nstream-ttl: 18446744073709551615".to_owned(),
            "412 INCARNATION_MISMATCH\n!stream-incarnation",
        ),
    ] {
        service.ask(&request).await.check(&request, expected);
    }
    let stream = service.stream("/v1/stream/old", "text/plain", "").await;
    let overflow = "stream-ttl: 18446744073709551615";
    let mismatch = "412 INCARNATION_MISMATCH\nstream-incarnation: {token}";
    stream.refuses(&format!("PUT {{s}}\nstream-incarnation: 5\n{overflow}"), mismatch).await;
    stream.refuses(&format!("PUT {{s}}\nstream-incarnation: {{token}}\n{overflow}"), "400 INVALID_RETENTION").await;
}

#[tokio::test]
async fn a_create_of_a_stream_that_is_other_is_a_conflict_and_changes_nothing() {
    let service = Service::new();
    for stream in service.both("other", "text/plain", "abc").await {
        let conflict = "409 STREAM_ALREADY_EXISTS_CONFLICT\n!stream-next-offset\n!stream-incarnation\n!location";
        for headers in [
            "content-type: text/html",
            "",
            "content-type: text/plain\nstream-closed: true",
            "content-type: text/plain\nstream-ttl: 60",
            "content-type: text/plain\nstream-expires-at: 2030-01-31T12:00:00Z",
        ] {
            stream.refuses(&format!("PUT {{s}}\n{headers}"), conflict).await;
        }
        let wrong = "PUT {s}\ncontent-type: text/plain\nstream-incarnation: 5";
        stream.refuses(wrong, "412 INCARNATION_MISMATCH\nstream-incarnation: {token}").await;
        stream.expect("PUT {s}\ncontent-type: text/plain\nstream-incarnation: {token}", "200").await;
        stream.refuses("PUT {s}\ncontent-type: text/plain\nif-none-match: *", "412 PRECONDITION_FAILED").await;
    }
}

#[tokio::test]
async fn if_none_match_any_creates_where_nothing_is() {
    let service = Service::new();
    let request = "PUT /v1/stream/once\nif-none-match: *\n\nabc";
    service.ask(request).await.check(request, "201\nstream-next-offset: @3");
    service.ask(request).await.check(request, "412 PRECONDITION_FAILED");
}

#[tokio::test]
async fn a_stream_seq_of_a_create_is_the_first_one() {
    let service = Service::new();
    let stream = service.stream("/v1/stream/seeded", "text/plain", "").await;
    stream.expect("DELETE {s}", "204").await;
    stream.expect("PUT {s}\ncontent-type: text/plain\nstream-seq: 5", "201").await;
    let append = |seq| format!("POST {{s}}\ncontent-type: text/plain\nstream-seq: {seq}\n\nx");
    stream.expect(&append(5), "409 STREAM_SEQ_CONFLICT\nstream-last-seq: 5").await;
    stream.expect(&append(6), "204").await;
}

#[tokio::test]
async fn a_stream_made_closed_is_whole() {
    let service = Service::new();
    let request = "PUT /v1/stream/whole\ncontent-type: text/plain\nstream-closed: true\n\nall of it";
    service.ask(request).await.check(request, "201\nstream-closed: true\nstream-next-offset: @9");
    let read = service.ask("GET /v1/stream/whole").await;
    read.check("GET", "200\nstream-closed: true\nstream-up-to-date: true");
    assert_eq!(read.text(), "all of it");
    let open = "PUT /v1/stream/whole\ncontent-type: text/plain";
    service.ask(open).await.check(open, "409 STREAM_ALREADY_EXISTS_CONFLICT");
    service.ask(request).await.check(request, "200\nstream-closed: true");
}

#[tokio::test]
async fn an_expired_stream_is_gone_everywhere_and_can_be_made_anew() {
    let service = Service::new();
    for (path, lifetime) in [
        ("/ds/acct/ttl", "stream-ttl: 60"),
        ("/v1/stream/zero", "stream-ttl: 0"),
        ("/v1/stream/past", "stream-expires-at: 2001-01-01T00:00:00Z"),
    ] {
        let create = format!("PUT {path}\ncontent-type: text/plain\n{lifetime}\n\nabc");
        let first = service.ask(&create).await;
        first.check(path, "201");
        service.pass_seconds(61);
        for request in ["GET", "HEAD", "DELETE"] {
            assert_eq!(service.ask(&format!("{request} {path}")).await.status, 404, "{request} {path}");
        }
        let append = service.ask(&format!("POST {path}\ncontent-type: text/plain\n\nx")).await;
        append.check(path, "404 STREAM_NOT_FOUND");
        let second = service.ask(&create).await;
        second.check(path, "201\nstream-next-offset: @3");
        assert_ne!(first.header("stream-incarnation"), second.header("stream-incarnation"));
    }
}

#[tokio::test]
async fn a_fork_is_refused_where_the_protocol_has_forks_and_not_taken_for_a_plain_create() {
    let service = Service::new();
    for header in ["stream-forked-from: /v1/stream/x", "stream-fork-offset: 5", "stream-fork-sub-offset: 0"] {
        let reply = service.ask(&format!("PUT /v1/stream/fork\n{header}\nstream-ttl: x")).await;
        reply.check(header, "400 UNSUPPORTED");
        assert_eq!(service.ask("HEAD /v1/stream/fork").await.status, 404);
    }
    service.ask("PUT /ds/acct/fork\nstream-forked-from: x").await.check("unknown there", "201\nstream-next-offset: @0");
}
