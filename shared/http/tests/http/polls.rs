//! Long-poll.

use std::{collections::HashMap, time::Duration};

use futures::future::join_all;
use tokio::{task::JoinHandle, time::timeout};

use crate::harness::{Reply, Service, open_lifecycle};

const TYPE: &str = "content-type: text/plain";
const PATIENCE: Duration = Duration::from_secs(30);
/// Intervals are 20 s long and begin at the clock's seconds 0, 20 and 40: so does the tests' clock.
const INTERVAL_SECONDS: u64 = 20;

fn cursor(reply: &Reply) -> u64 {
    reply.header("stream-cursor").unwrap_or_else(|| panic!("no cursor: {reply:?}")).parse().unwrap()
}

/// Asks in the background, and lets the request come to where it waits.
async fn waiting(service: &Service, request: String) -> JoinHandle<Reply> {
    let service = service.clone();
    let poll = tokio::spawn(async move { service.ask(&request).await });
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert!(!poll.is_finished(), "it did not wait");
    poll
}

async fn answered(poll: JoinHandle<Reply>) -> Reply {
    timeout(PATIENCE, poll).await.expect("an answer").unwrap()
}

#[tokio::test]
async fn bytes_are_answered_at_once_and_later_ones_when_they_come() {
    let service = Service::new();
    for stream in service.both("wait", "text/plain", "abc").await {
        let at_once = stream.ask("GET {s}?offset=1&live=long-poll").await;
        at_once.check(
            "at once",
            "200\nstream-next-offset: @3\nstream-up-to-date: true\ncontent-type: text/plain\n!stream-closed\n\
             cache-control: public, max-age=60",
        );
        assert_eq!((at_once.text(), at_once.header("etag").is_some()), ("bc", true));
        for offset in ["3", "now"] {
            let tail = stream.ask("HEAD {s}").await.header("stream-next-offset").unwrap().to_owned();
            let offset = if offset == "now" { offset } else { &tail };
            let poll = waiting(&service, format!("GET {}?offset={offset}&live=long-poll", stream.path)).await;
            stream.expect(&format!("POST {{s}}\n{TYPE}\n\n!"), "204").await;
            let later = answered(poll).await;
            assert_eq!((later.status.as_u16(), later.text()), (200, "!"), "{offset}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_poll_waits_as_long_as_it_asks_to_and_no_longer_than_a_minute() {
    let service = Service::new();
    let stream = service.stream("/v1/stream/patience", "text/plain", "abc").await;
    for (asked, seconds) in [("", 20), ("&timeout_ms=1500", 1), ("&timeout_ms=900000", 60), ("&timeout_ms=x", 20)] {
        let began = tokio::time::Instant::now();
        stream.expect(&format!("GET {{s}}?offset=3&live=long-poll{asked}"), "204\nstream-next-offset: @3").await;
        assert_eq!(began.elapsed().as_secs(), seconds, "{asked}");
    }
}

#[tokio::test]
async fn the_end_of_a_closed_stream_is_answered_at_once() {
    let service = Service::new();
    for stream in service.both("closed", "text/plain", "abc").await {
        let poll = waiting(&service, format!("GET {}?offset=3&live=long-poll", stream.path)).await;
        stream.expect("POST {s}\nstream-closed: true", "204").await;
        let closed = "204\nstream-closed: true\nstream-up-to-date: true\nstream-next-offset: @3\n\
                      stream-incarnation: {token}\ncache-control: no-store\n!stream-cursor\n!etag";
        answered(poll).await.check("woken by the close", &closed.replace("{token}", &stream.token));
        stream.expect("GET {s}?offset=3&live=long-poll", closed).await;
        let last = "200\nstream-closed: true\nstream-next-offset: @3\n!stream-cursor";
        stream.expect("GET {s}?offset=0&live=long-poll", last).await;
    }
}

#[tokio::test]
async fn a_deleted_stream_is_gone_for_those_who_wait_though_it_is_created_again() {
    let service = Service::new();
    for stream in service.both("deleted", "text/plain", "abc").await {
        let poll = waiting(&service, format!("GET {}?offset=3&live=long-poll", stream.path)).await;
        stream.expect("DELETE {s}", "204").await;
        stream.expect(&format!("PUT {{s}}\n{TYPE}\n\nanother life"), "201").await;
        answered(poll).await.check("deleted", "404 STREAM_NOT_FOUND");
    }
}

#[tokio::test]
async fn live_reads_beyond_the_places_for_them_are_refused_at_once() {
    let service = Service::with(wadi_http::Settings { live_reads_max: 1, ..open_lifecycle() });
    let stream = service.stream("/v1/stream/places", "text/plain", "abc").await;
    let poll = waiting(&service, format!("GET {}?offset=3&live=long-poll", stream.path)).await;
    for live in ["long-poll", "sse"] {
        let request = format!("GET {{s}}?offset=3&live={live}");
        stream.expect(&request, "503 LIVE_READ_BACKPRESSURE\nretry-after: 1").await;
    }
    // A read that does not wait needs no place, and the place is free again after the answer.
    stream.expect("GET {s}", "200").await;
    stream.expect(&format!("POST {{s}}\n{TYPE}\n\n!"), "204").await;
    assert_eq!(answered(poll).await.text(), "!");
    stream.expect("GET {s}?offset=3&live=long-poll", "200").await;
}

/// See: <https://github.com/durable-streams/durable-streams/issues/61>,
/// <https://github.com/electric-sql/electric/issues/1837>
#[tokio::test]
async fn equal_polls_get_one_cursor_and_no_client_s_goes_back() {
    let service = Service::new();
    let stream = service.stream("/v1/stream/cursors", "text/plain", "abc").await;
    let replies = join_all((0..100).map(|_| stream.ask("GET {s}?offset=3&live=long-poll&timeout_ms=50"))).await;
    let current = cursor(&replies[0]);
    assert!(replies.iter().all(|reply| reply.status == 204 && cursor(reply) == current), "they cannot be collapsed");

    let mut last = current;
    for _ in 0..1000 {
        let next = cursor(&stream.ask(&format!("GET {{s}}?offset=0&live=long-poll&cursor={last}")).await);
        assert!(next > last, "{next} follows {last}");
        last = next;
    }
    let million = format!("1{}", "0".repeat(30));
    for garbage in ["garbage", &million, "-7", "1.5", "", "%00"] {
        let reply = stream.ask(&format!("GET {{s}}?offset=0&live=long-poll&cursor={garbage}")).await;
        assert_eq!(cursor(&reply), current, "{garbage:?} counts as none");
    }
    let (here, late) = (Service::new(), Service::new());
    here.pass_seconds(INTERVAL_SECONDS - 3);
    late.pass_seconds(INTERVAL_SECONDS - 8);
    for service in [&here, &late] {
        service.stream("/v1/stream/cursors", "text/plain", "abc").await;
    }
    let mut last = 0;
    for second in 0..60 {
        let service = if second % 2 == 0 { &here } else { &late };
        let next = cursor(&service.ask(&format!("GET /v1/stream/cursors?offset=0&live=long-poll&cursor={last}")).await);
        assert!(next > last, "{next} follows {last}, from a process whose clock is 5 s late");
        last = next;
        here.pass_seconds(1);
        late.pass_seconds(1);
    }
}

/// A shared cache that goes by `Cache-Control` alone.
struct Cache<'a> {
    service: &'a Service,
    kept: HashMap<String, Reply>,
}

impl Cache<'_> {
    async fn ask(&mut self, request: &str) -> Reply {
        if let Some(kept) = self.kept.get(request) {
            return kept.clone();
        }
        let reply = self.service.ask(request).await;
        if reply.header("cache-control").is_some_and(|rule| rule.contains("max-age")) {
            self.kept.insert(request.to_owned(), reply.clone());
        }
        reply
    }
}

/// See: <https://github.com/electric-sql/electric/pull/2593>
#[tokio::test]
async fn an_answer_without_bytes_is_kept_by_no_cache() {
    let service = Service::new();
    let stream = service.stream("/v1/stream/empty", "text/plain", "abc").await;
    let mut cache = Cache { service: &service, kept: HashMap::new() };
    let polls = [
        "GET /v1/stream/empty?offset=3&live=long-poll&timeout_ms=1",
        "GET /v1/stream/empty?offset=now&live=long-poll&timeout_ms=1",
    ];
    for poll in polls {
        cache.ask(poll).await.check(poll, "204\ncache-control: no-store\nstream-up-to-date: true\n!etag");
    }
    for read in ["GET /v1/stream/empty?offset=3", "GET /v1/stream/empty?offset=now"] {
        cache.ask(read).await.check(read, "200\ncache-control: no-store\nstream-up-to-date: true");
    }
    stream.expect(&format!("POST {{s}}\n{TYPE}\n\n!"), "204").await;
    assert_eq!(cache.ask(polls[0]).await.text(), "!", "a poll right after an empty one sees the append");
    assert_eq!(cache.ask("GET /v1/stream/empty?offset=3").await.text(), "!");
    assert_eq!(cache.ask(polls[0]).await.text(), "!", "bytes may be kept: they never change");
    assert_eq!(cache.kept.len(), 1);

    // The end of a stream would be kept beyond the stream's own end: it may be created anew.
    stream.expect("POST {s}\nstream-closed: true", "204").await;
    let end = "GET /v1/stream/empty?offset=4&live=long-poll";
    cache.ask(end).await.check(end, "204\nstream-closed: true\ncache-control: no-store\n!etag");
    stream.expect("DELETE {s}", "204").await;
    cache.ask(end).await.check(end, "404 STREAM_NOT_FOUND");
}

/// See: <https://github.com/hapijs/hapi/issues/3956>
#[tokio::test]
async fn a_poll_for_bytes_that_the_client_has_is_answered_with_304_and_every_header() {
    let service = Service::new();
    for stream in service.both("known", "text/plain", "abc").await {
        let whole = stream.expect("GET {s}?offset=0&live=long-poll", "200\netag: \"{token}:0:3:t\"").await;
        let mut headers = whole.headers.clone();
        headers.remove("content-length");
        for tags in ["\"{token}:0:3:t\"", "W/\"{token}:0:3:t\"", "\"x\", \"{token}:0:3:t\"", "*"] {
            let known =
                stream.expect(&format!("GET {{s}}?offset=0&live=long-poll\nif-none-match: {tags}"), "304").await;
            assert_eq!(known.headers, headers, "{tags}");
        }
        let other = "GET {s}?offset=0&live=long-poll\nif-none-match: \"{token}:0:2\"";
        assert_eq!(stream.expect(other, "200").await, whole);
        // Where there are no bytes there is no tag to compare.
        stream.expect("GET {s}?offset=3&live=long-poll&timeout_ms=1\nif-none-match: *", "204\n!etag").await;
    }
}
