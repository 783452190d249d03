//! A stream of events on which nothing happens: what keeps proxies from holding it back, from
//! cutting it off and from changing it.
//!
//! See: <https://github.com/s2-streamstore/s2/pull/500>, <https://github.com/databricks/appkit/pull/331>

use std::time::Duration;

use axum::body::Body;
use http::{HeaderMap, Request};
use http_body_util::BodyExt;
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    time::{Instant, timeout},
};
use tower::ServiceExt;
use wadi_http::Settings;

use crate::{
    harness::{Service, open_lifecycle, parse_request},
    sockets::{PATIENCE, connected},
};

const ENCODINGS: &str = "gzip, deflate, br, zstd";

/// What no answer with events may have, whatever the client offers.
fn check_nothing_is_between(headers: &HeaderMap, may_be_told: &[&str]) {
    for name in ["content-length", "content-encoding", "connection", "keep-alive", "upgrade", "transfer-encoding"] {
        assert!(may_be_told.contains(&name) || !headers.contains_key(name), "{name} in {headers:?}");
    }
    assert_eq!(headers["content-type"], "text/event-stream");
    assert_eq!(headers["x-accel-buffering"], "no");
    let caching = headers["cache-control"].to_str().unwrap();
    assert!(["no-cache", "no-store", "no-transform"].iter().all(|rule| caching.contains(rule)), "{caching}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_event_of_an_idle_stream_comes_before_anything_happens_to_it() {
    let service = Service::new();
    service.stream("/v1/stream/idle", "text/plain", "").await;
    let (read, mut write) = connected(&service).await.into_split();
    let request =
        format!("GET /v1/stream/idle?offset=now&live=sse HTTP/1.1\r\nhost: x\r\naccept-encoding: {ENCODINGS}\r\n\r\n");
    write.write_all(request.as_bytes()).await.unwrap();
    let mut read = BufReader::new(read);
    let mut head = String::new();
    let mut first = vec![0; 64];
    timeout(PATIENCE, async {
        while !head.ends_with("\r\n\r\n") {
            assert_ne!(read.read_line(&mut head).await.unwrap(), 0, "cut off: {head}");
        }
        read.read_exact(&mut first).await.unwrap();
    })
    .await
    .expect("a head and an event");
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    let mut headers = HeaderMap::new();
    for (name, value) in head.lines().filter_map(|line| line.split_once(": ")) {
        headers.insert(http::HeaderName::try_from(name).unwrap(), value.parse().unwrap());
    }
    check_nothing_is_between(&headers, &["transfer-encoding"]);
    let first = String::from_utf8_lossy(&first);
    assert!(first.contains("\r\nevent: control\ndata:{"), "{first}");
}

#[tokio::test(flavor = "multi_thread")]
async fn over_http_2_events_have_no_header_of_http_1() {
    let service = Service::new();
    service.stream("/v1/stream/idle", "text/plain", "").await;
    let socket = TokioIo::new(connected(&service).await);
    let (mut client, connection) = hyper::client::conn::http2::handshake(TokioExecutor::new(), socket).await.unwrap();
    tokio::spawn(connection);
    let request = Request::get("http://x/v1/stream/idle?offset=now&live=sse").header("accept-encoding", ENCODINGS);
    let answer = timeout(PATIENCE, client.send_request(request.body(Body::empty()).unwrap())).await.unwrap().unwrap();
    assert_eq!((answer.status().as_u16(), answer.version()), (200, http::Version::HTTP_2));
    check_nothing_is_between(answer.headers(), &[]);
    let first = timeout(PATIENCE, answer.into_body().frame()).await.unwrap().unwrap().unwrap().into_data().unwrap();
    assert!(first.starts_with(b"event: control\ndata:{"), "{first:?}");
}

/// See: <https://github.com/Git-on-my-level/codex-autorunner/issues/48>
#[tokio::test(start_paused = true)]
async fn a_comment_breaks_every_silence_and_moves_no_offset() {
    let service = Service::new();
    service.stream("/v1/stream/idle", "text/plain", "abc").await;
    let request = parse_request("GET /v1/stream/idle?offset=3&live=sse");
    let mut body = service.router.clone().oneshot(request).await.unwrap().into_body();
    let (mut silence_began, mut comments) = (Instant::now(), 0);
    let mut controls = Vec::new();
    while let Some(frame) = body.frame().await {
        assert!(silence_began.elapsed() <= Duration::from_secs(15), "silent for {:?}", silence_began.elapsed());
        silence_began = Instant::now();
        let text = String::from_utf8(frame.unwrap().into_data().unwrap().to_vec()).unwrap();
        assert!(text.ends_with("\n\n"), "{text:?}");
        if text.starts_with(':') {
            assert_eq!(text.trim_end().lines().count(), 1, "a comment and nothing else: {text:?}");
            comments += 1;
        } else {
            controls.push(text);
        }
    }
    assert!(comments >= 3 && controls.len() == 1, "{comments} comments, {controls:?}");
}

#[tokio::test(start_paused = true)]
async fn a_connection_ends_between_two_events_after_its_lifetime_and_nothing_is_missed() {
    let lifetime = Duration::from_secs(10);
    let service = Service::with(Settings { sse_lifetime: lifetime, ..open_lifecycle() });
    let stream = service.stream("/v1/stream/lives", "text/plain", "").await;
    let writing = service.clone();
    let writer = tokio::spawn(async move {
        for number in 0..100 {
            writing.ask(&format!("POST /v1/stream/lives\ncontent-type: text/plain\n\n[{number}]")).await;
            tokio::time::sleep(Duration::from_millis(333)).await;
        }
        writing.ask("POST /v1/stream/lives\nstream-closed: true").await
    });
    let (mut read, mut last_id, mut connections) = (String::new(), String::new(), 0);
    loop {
        let began = Instant::now();
        let request = format!("GET {}?offset=0&live=sse\nlast-event-id: {last_id}", stream.path);
        let mut follower = crate::follower::Follower::open(&service, &request).await;
        if follower.status == 204 {
            break;
        }
        let events = follower.rest().await;
        let last = events.last().expect("an event");
        assert_eq!(last.event, "control", "it ends with a whole event, after the data");
        read += &crate::follower::data_of(&events);
        last_id.clone_from(&last.id);
        connections += 1;
        assert!(began.elapsed() <= lifetime.mul_f32(1.1), "{:?}", began.elapsed());
    }
    writer.await.unwrap().check("close", "204");
    assert!(connections >= 3, "{connections}");
    assert_eq!(read, (0..100).map(|number| format!("[{number}]")).collect::<Vec<_>>().concat());
}
