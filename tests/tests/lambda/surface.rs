//! What a client sees of the service behind a function URL.

use wadi_tests::{
    bucket::Bucket,
    call::Call,
    emulator::Emulator,
    http::Streams,
    messages::{Kind, Stream},
    process::Process,
};

/// An emulator with two environments.
async fn two(name: &str) -> (Emulator, Vec<Process>, Streams) {
    let emulator = Emulator::start().await;
    let environments = emulator.environments(2, &Bucket::fresh(name), &[("WADI_SEALING", "events")]);
    let streams = emulator.streams();
    (emulator, environments, streams)
}

#[tokio::test]
async fn bytes_of_every_kind_come_back_as_they_were_sent() {
    let (_emulator, _environments, via) = two("lambda-bytes").await;
    let bytes = [0x00, 0xff, 0x80, 0x0a, 0x1f, 0x8b];
    let path = "/v1/stream/bytes";
    let created = Call::create(path, "application/octet-stream").ask(&via).await.expect_status(201);
    assert!(
        created.header("location").is_some_and(|url| url.ends_with("/lambda-url/stream/v1/stream/bytes")),
        "{created}"
    );
    let append = Call::append(path).header("content-type", "application/octet-stream").body(bytes);
    let _ = append.ask(&via).await.expect_status(204);
    assert_eq!(&Call::get(path).ask(&via).await.expect_status(200).body[..], bytes);

    let head = Call::head(path).ask(&via).await.expect_status(200);
    assert!(head.body.is_empty());
    assert_eq!(head.header("ursula-max-request-bytes"), Some("4194304"), "what fits into an event: {head}");
    let etag = head.header("etag").expect("an entity tag").to_owned();
    let page = Call::get(path).ask(&via).await;
    let tag = page.header("etag").expect("an entity tag of the page");
    let unchanged = Call::get(path).header("if-none-match", tag).ask(&via).await.expect_status(304);
    assert!(unchanged.body.is_empty());
    let _ = Call::append(path).header("if-match", "\"x\"").body("x").ask(&via).await.expect_status(412);
    assert!(!etag.is_empty());
    let _ = Call::delete(path).ask(&via).await.expect_status(204);
    assert_eq!(Call::get(path).ask(&via).await.expect_status(404).error_code().as_deref(), Some("STREAM_NOT_FOUND"));
}

#[tokio::test]
async fn a_body_beyond_the_limit_is_refused_readably_and_one_at_the_limit_is_not() {
    let (_emulator, _environments, via) = two("lambda-sizes").await;
    let stream = Stream::new("large", Kind::Lines);
    via.create(&stream).await;
    let at_limit = Call::append(&stream.path).body(vec![b'x'; 4 << 20]);
    let _ = at_limit.ask(&via).await.expect_status(204);
    let beyond = Call::append(&stream.path).body(vec![b'x'; (4 << 20) + 1]).ask(&via).await.expect_status(413);
    assert_eq!(beyond.error_code().as_deref(), Some("REQUEST_TOO_LARGE"));
    assert_eq!(beyond.header("ursula-max-request-bytes"), Some("4194304"), "{beyond}");
}

#[tokio::test]
async fn a_long_poll_hears_of_an_append_through_another_environment() {
    let (_emulator, _environments, via) = two("lambda-poll").await;
    let stream = Stream::new("polled", Kind::Json);
    via.create(&stream).await;
    let start = via.read_page(&stream, "-1").await.next_offset;
    let (answer, _) = futures::future::join(via.poll(&stream, &start), via.append(&stream, "news")).await;
    let answer = answer.expect_status(200);
    assert_eq!(answer.body, r#"[{"message":"news"}]"#);
    assert!(answer.header("stream-cursor").is_some(), "{answer}");
}

#[tokio::test]
async fn chunks_and_snapshots_are_served_under_their_immutable_urls() {
    let (_emulator, _environments, via) = two("lambda-immutable").await;
    let path = "/ds/acct/kept";
    let _ = Call::create(path, "text/plain").ask(&via).await.expect_status(201);
    let appended = Call::append(path).body("kept").ask(&via).await.expect_status(204);
    let token = appended.header("stream-incarnation").expect("a token").to_owned();
    let _ = Call::append(path).header("stream-closed", "true").ask(&via).await.expect_status(204);

    let chunk = format!("{path}/incarnation/{token}/chunk/{:020}", 0);
    let answer = Call::get(&chunk).ask(&via).await.expect_status(200);
    assert_eq!(answer.body, "kept");
    assert!(answer.flag("stream-immutable"), "{answer}");
    assert!(answer.header("cache-control").is_some_and(|value| value.contains("immutable")), "{answer}");

    let publish = Call::create(&format!("{path}/snapshot/4"), "application/octet-stream").body([0xff, 0x00]);
    let _ = publish.ask(&via).await.expect_status(204);
    let snapshot = Call::get(&format!("{path}/incarnation/{token}/snapshot/{:020}", 4)).ask(&via).await;
    assert_eq!(&snapshot.expect_status(200).body[..], [0xff, 0x00]);
    let bootstrap = Call::get(&format!("{path}/bootstrap")).ask(&via).await.expect_status(200);
    assert!(bootstrap.body.ends_with(b"--\r\n"), "it has its end: {bootstrap}");
}

/// See: <https://github.com/middleapi/standard-server/pull/93>
#[tokio::test]
async fn names_mean_the_same_stream_as_at_the_server() {
    let bucket = Bucket::fresh("lambda-names");
    let emulator = Emulator::start().await;
    let _environments = emulator.environments(1, &bucket, &[("WADI_SEALING", "events")]);
    let via = emulator.streams();
    let server = wadi_tests::server::Launch::on_s3(&bucket).start().await;
    for name in ["a%2Fb", "c%3Fd", "e%20f", "%C3%A9", "%25", "a+b", "a%23b"] {
        let path = format!("/v1/stream/{name}");
        let _ = Call::create(&path, "text/plain").ask(&via).await.expect_status(201);
        let _ = Call::append(&path).body(name).ask(&via).await.expect_status(204);
        assert_eq!(Call::get(&path).ask(&server.streams()).await.expect_status(200).body, name);
    }
    assert_eq!(Call::get("/v1/stream/a/b").ask(&via).await.expect_status(200).body, "a%2Fb");
    for name in ["a%00b".to_owned(), "x".repeat(1024)] {
        let create = Call::create(&format!("/v1/stream/{name}"), "text/plain");
        let _ = create.ask(&via).await.expect_status(400);
        let _ = create.ask(&server.streams()).await.expect_status(400);
    }
}
