//! Web pages of other origins.
//!
//! See: <https://github.com/commoncurriculum/durable-streams-cloudflare/pull/22>,
//! <https://github.com/matthew-andrews/isomorphic-fetch/issues/97>

use wadi_http::{AllowedOrigins, Settings};

use crate::{
    follower::Follower,
    harness::{Reply, Service, open_lifecycle},
};

const REQUESTED: &str = "content-type, authorization, if-none-match, if-match, last-event-id, producer-id, \
     producer-epoch, producer-seq, stream-seq, stream-closed, stream-ttl, stream-expires-at, stream-forked-from, \
     stream-fork-offset, stream-fork-sub-offset";

fn only(origins: &str) -> Service {
    Service::with(Settings { allowed_origins: AllowedOrigins::parse(origins).unwrap(), ..open_lifecycle() })
}

fn preflight(origin: &str, requested: &str) -> String {
    format!(
        "OPTIONS /v1/stream/any\norigin: {origin}\naccess-control-request-method: PUT\n\
         access-control-request-headers: {requested}"
    )
}

fn allows(reply: &Reply, names: &str) -> bool {
    let allowed = reply.header("access-control-allow-headers").unwrap();
    names.split(", ").all(|name| allowed.split(", ").any(|one| one == name))
}

#[tokio::test]
async fn a_preflight_allows_every_documented_header_and_whatever_else_is_asked_for() {
    let service = Service::new();
    for path in ["/v1/stream/any", "/ds/acct/any", "/nowhere"] {
        let request =
            preflight("https://a.example", "X-Trace, stream-seq, not a name,").replace("/v1/stream/any", path);
        let reply = service.ask(&request).await;
        reply.check(
            path,
            "204\naccess-control-allow-origin: *\naccess-control-allow-methods: GET, HEAD, POST, PUT, DELETE\n\
             access-control-max-age: 600\n!access-control-allow-credentials\n!vary\n!access-control-expose-headers",
        );
        assert!(allows(&reply, REQUESTED), "{reply:?}");
        assert!(allows(&reply, "x-trace"), "{reply:?}");
    }
}

#[tokio::test]
async fn what_a_preflight_echoes_is_bounded() {
    let service = Service::new();
    let many: Vec<String> = (0..10_000).map(|number| format!("x-{number}")).collect();
    let reply = service.ask(&preflight("https://a.example", &many.join(","))).await;
    assert!(reply.header("access-control-allow-headers").unwrap().len() < 16_384);
    assert!(allows(&reply, REQUESTED));
}

#[tokio::test]
async fn every_answer_can_be_read_whole_by_any_page() {
    let service = Service::new();
    let stream = service.stream("/v1/stream/read", "text/plain", "abc").await;
    for (request, status) in [
        ("GET {s}", 200),
        ("GET {s}?max_bytes=1", 200),
        ("PUT /v1/stream/read", 409),
        ("POST {s}\ncontent-type: text/plain\n\nx", 204),
        ("GET {s}\nif-none-match: *", 304),
        ("GET {s}?offset=x", 400),
        ("GET /v1/stream/none", 404),
        ("GET /none", 404),
        ("PATCH {s}", 405),
        ("GET {s}?offset=99", 416),
        ("HEAD {s}", 200),
        ("OPTIONS {s}", 204),
        ("GET /healthz", 200),
    ] {
        // Whether or not the request names an origin, so that a cache may keep one answer for all.
        for origin in ["", "\norigin: https://a.example", "\norigin: null"] {
            let (line, rest) = request.split_once('\n').unwrap_or((request, ""));
            let reply = stream.ask(&format!("{line}{origin}\n{rest}")).await;
            assert_eq!(reply.status, status, "{request}");
            assert_eq!(reply.header("access-control-allow-origin"), Some("*"), "{request}");
            if reply.header("access-control-expose-headers").is_none() {
                assert!(origin.is_empty() && reply.header("cache-control") == Some("no-store"), "{request}");
                continue;
            }
            check_exposed(request, &reply.headers);
        }
    }
}

/// Every header of an answer that the wire contract names, but for those that pages read anyway.
const DOCUMENTED: &str = "allow, etag, location, producer-closed-epoch, producer-closed-seq, producer-epoch, \
     producer-expected-seq, producer-outcome, producer-received-seq, producer-seq, retry-after, stream-closed, \
     stream-cursor, stream-data-content-type, stream-expires-at, stream-incarnation, stream-last-seq, \
     stream-next-offset, stream-offset, stream-read-origin, stream-retained-offset, stream-sse-data-encoding, \
     stream-ttl, stream-up-to-date, ursula-max-request-bytes, x-accel-buffering";

/// What pages read of any answer (the Fetch standard), and what is meant for browsers alone.
const READ_ANYWAY: &str = "cache-control, content-language, content-length, content-type, expires, last-modified, \
     pragma, access-control-allow-origin, access-control-expose-headers";

fn check_exposed(what: &str, headers: &http::HeaderMap) {
    let exposed = headers["access-control-expose-headers"].to_str().unwrap();
    for name in DOCUMENTED.split(", ") {
        assert!(exposed.split(", ").any(|one| one == name), "{what}: {name}");
    }
    let readable: Vec<&str> = exposed.split(", ").chain(READ_ANYWAY.split(", ")).collect();
    for name in headers.keys() {
        assert!(readable.contains(&name.as_str()), "{what}: {name}");
    }
}

#[tokio::test]
async fn a_page_can_read_events_and_learn_why_it_was_turned_away() {
    let service = Service::with(Settings { live_reads_max: 1, ..open_lifecycle() });
    let origin = "origin: https://a.example";
    let stream = service.stream("/v1/stream/events", "text/plain", "abc").await;
    let request = format!("GET /v1/stream/events?offset=-1&live=sse\n{origin}");
    let follower = Follower::open(&service, &request).await;
    assert_eq!((follower.status.as_u16(), follower.header("access-control-allow-origin")), (200, Some("*")));
    check_exposed("events", &follower.headers);

    let busy = stream.expect(&request, "503 LIVE_READ_BACKPRESSURE\naccess-control-allow-origin: *").await;
    check_exposed("503", &busy.headers);
    let made = service.ask(&format!("PUT /v1/stream/new\n{origin}")).await;
    made.check("PUT", "201\naccess-control-allow-origin: *");
    check_exposed("201", &made.headers);
}

#[tokio::test]
async fn only_listed_origins_are_told_anything() {
    let service = only("https://a.example, https://b.example:8443");
    let stream = service.stream("/v1/stream/listed", "application/json", "1").await;
    let requests = ["GET {s}", "GET /v1/stream/none", "OPTIONS {s}\naccess-control-request-method: PUT"];
    for request in requests {
        for origin in ["https://a.example", "https://b.example:8443"] {
            let reply = stream.ask(&with_origin(request, origin)).await;
            assert_eq!(reply.header("access-control-allow-origin"), Some(origin), "{request}");
            assert!(varies_by_origin(&reply), "{request}: {reply:?}");
        }
        for origin in
            ["https://c.example", "https://a.example.evil.example", "http://a.example", "https://b.example", "null", ""]
        {
            let reply = stream.ask(&with_origin(request, origin)).await;
            let told = reply.headers.keys().find(|name| name.as_str().starts_with("access-control-"));
            assert_eq!(told, None, "{request} from {origin}");
            assert!(varies_by_origin(&reply), "{request}: {reply:?}");
        }
    }
}

#[tokio::test]
async fn the_null_origin_is_allowed_only_where_it_is_listed() {
    let service = only("null");
    let request = "GET /v1/stream/none\norigin: null";
    service.ask(request).await.check(request, "404 STREAM_NOT_FOUND\naccess-control-allow-origin: null");
}

fn with_origin(request: &str, origin: &str) -> String {
    let (line, rest) = request.split_once('\n').unwrap_or((request, ""));
    format!("{line}\norigin: {origin}\n{rest}")
}

fn varies_by_origin(reply: &Reply) -> bool {
    reply.header("vary").is_some_and(|vary| vary.split(", ").any(|name| name == "origin"))
}
