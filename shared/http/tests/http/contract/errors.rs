//! Every code of the table of errors, provoked.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use axum::body::Body;
use bytes::Bytes;
use futures::{future::join_all, stream};
use http::Request;
use wadi_http::Settings;
use wadi_protocol::limits::PRODUCERS_MAX;
use wadi_store::{Fault, Operation};
use wadi_stream::Fitness;

use super::{
    page,
    steps::{
        Step::{self, Ask, Pass},
        pass,
    },
};
use crate::harness::{Reply, Service, open_lifecycle};

const WEEK_SECONDS: u64 = 7 * 24 * 60 * 60;

/// Codes that no request gets here, and why.
const NOT_REACHED: [(&str, &str); 18] = [
    ("COLD_STORE_FAILED", "the tests of parts reach it"),
    ("INTERNAL", "a fault of the service; the handler of panics has a test beside it"),
    ("INVALID_PARTS_COMMIT", "the tests of parts reach it"),
    ("INVALID_REQUEST", "what is malformed has a code that says more; kept for what has none"),
    ("INVALID_SNAPSHOT", "the tests of snapshots reach it"),
    ("ORIGIN_REFUSED", "only in a function behind a CDN; the tests of its events reach it"),
    ("RANGE_NOT_SATISFIABLE", "the tests of snapshots reach it"),
    ("SNAPSHOT_COMMITS_BUSY", "the tests of parts reach it"),
    ("SNAPSHOT_COMMIT_IN_PROGRESS", "the tests of parts reach it"),
    ("SNAPSHOT_CONFLICT", "the tests of snapshots reach it"),
    ("SNAPSHOT_DIGEST_MISMATCH", "the tests of parts reach it"),
    ("SNAPSHOT_NOT_FOUND", "the tests of snapshots reach it"),
    ("SNAPSHOT_TOO_LARGE", "the tests of parts reach it"),
    ("STAGED_PARTS_LIMIT", "the tests of parts reach it"),
    ("STREAM_BUSY", "only for as long as others hold what it waits for: see the tests of bodies"),
    ("STREAM_FULL", "after 2^64 bytes; the rules of appends have a test"),
    ("STREAM_GONE", "the tests of retention reach it"),
    ("UNKNOWN_PART", "the tests of parts reach it"),
];

/// Requests to one stream `{s}` of text that holds `abc`, in this order. They are all refused.
const PLAIN: &[(&str, &str)] = &[
    ("POST {s}", "400 EMPTY_APPEND"),
    ("GET /ds/BAD/x", "400 INVALID_BUCKET_ID"),
    ("POST {s}\nstream-incarnation: x\n\nx", "400 INVALID_HEADER"),
    ("GET {s}?offset=x", "400 INVALID_OFFSET"),
    ("POST {s}\nproducer-id: p\n\nx", "400 INVALID_PRODUCER"),
    ("GET {s}?offset=0&live=x", "400 INVALID_QUERY"),
    ("POST {s}\ncontent-type: application/json\n\n{", "400 INVALID_RECORD_BOUNDARIES"),
    ("GET {s}/incarnation/{token}/chunk/5", "400 INVALID_RESOURCE"),
    ("PUT /ds/acct/new\nstream-ttl: 18446744073709551615", "400 INVALID_RETENTION"),
    ("GET /ds/acct/$x", "400 INVALID_STREAM_ID"),
    ("POST {s}\n\nx", "400 MISSING_CONTENT_TYPE"),
    ("POST {s}\nDIGEST\nKEY 0 0\ncontent-type: text/plain\n\nx", "400 PRODUCER_DIGEST_MISMATCH"),
    ("GET {s}/incarnation/{token}/chunk/00000000000000000000?", "400 QUERY_NOT_ACCEPTED"),
    ("POST {s}\nif-none-match: *\n\nx", "400 UNSUPPORTED"),
    ("GET /ds/acct/s/other", "404 NOT_FOUND"),
    ("GET /ds/acct/missing", "404 STREAM_NOT_FOUND"),
    ("PATCH {s}", "405 METHOD_NOT_ALLOWED"),
    ("POST {s}\ncontent-type: text/html\n\nx", "409 CONTENT_TYPE_MISMATCH"),
    ("POST {s}\nKEY 0 1\ncontent-type: text/plain\n\nx", "409 PRODUCER_SEQ_CONFLICT"),
    ("PUT {s}\ncontent-type: text/html", "409 STREAM_ALREADY_EXISTS_CONFLICT"),
    ("POST {s}\ncontent-type: text/plain\nif-match: \"x\"\n\nx", "412 IF_MATCH_FAILED"),
    ("POST {s}\ncontent-type: text/plain\nstream-incarnation: 5\n\nx", "412 INCARNATION_MISMATCH"),
    ("PUT {s}\nif-none-match: *", "412 PRECONDITION_FAILED"),
    ("GET {s}?offset=4", "416 OFFSET_OUT_OF_RANGE"),
];

/// What takes more than one request, each on a stream of its own.
const IN_STEPS: &[&[Step]] = &[
    &[
        Ask("POST {s}\nKEY 1 0\ncontent-type: text/plain\n\nx", "200"),
        Ask("POST {s}\nKEY 1 0\nDIGEST\ncontent-type: text/plain\n\nx", "403 PRODUCER_KEY_CONFLICT"),
        Ask("POST {s}\nKEY 2 0\ncontent-type: text/plain\n\nx", "200"),
        Ask("POST {s}\nKEY 1 1\ncontent-type: text/plain\n\nx", "403 PRODUCER_EPOCH_CLOSED"),
        Ask("POST {s}\nKEY 0 0\ncontent-type: text/plain\n\nx", "403 PRODUCER_EPOCH_STALE"),
    ],
    &[
        Ask("POST {s}\nKEY 1 0\ncontent-type: text/plain\n\nx", "200"),
        Pass(WEEK_SECONDS + 1),
        Ask(
            "POST {s}\nKEY 1 1\nstream-incarnation: {token}\ncontent-type: text/plain\n\nx",
            "403 PRODUCER_EXPIRED\nproducer-epoch: 1",
        ),
    ],
    &[
        Ask("POST {s}\ncontent-type: text/plain\nstream-seq: 5\n\nx", "204"),
        Ask("POST {s}\ncontent-type: text/plain\nstream-seq: 4\n\nx", "409 STREAM_SEQ_CONFLICT"),
    ],
    &[Ask("POST {s}\nstream-closed: true", "204"), Ask("POST {s}\ncontent-type: text/plain\n\nx", "409 STREAM_CLOSED")],
    &[
        Ask("PUT {s}-json\ncontent-type: application/json\n\n[11]", "201"),
        Ask("GET {s}-json?offset=1\naccept: application/json", "400 NOT_JSON_BOUNDARY"),
    ],
];

/// `KEY 1 2` as the headers of a producer, `DIGEST` as that of another body.
fn spelled(request: &str) -> String {
    let line = |line: &str| match line.strip_prefix("KEY ").and_then(|key| key.split_once(' ')) {
        Some((epoch, seq)) => format!("producer-id: p\nproducer-epoch: {epoch}\nproducer-seq: {seq}"),
        None if line == "DIGEST" => format!("producer-digest: {}", "0".repeat(64)),
        None => line.to_owned(),
    };
    request.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// The codes that were answered, with their status.
#[derive(Default)]
struct Answered(BTreeMap<String, u16>);

impl Answered {
    fn note(&mut self, reply: &Reply) {
        if let Some(code) = reply.code() {
            assert_eq!(self.0.entry(code).or_insert(reply.status.as_u16()), &reply.status.as_u16());
        }
    }
}

#[tokio::test(start_paused = true)]
async fn every_code_is_answered_with_its_status_or_cannot_be_reached() {
    let mut answered = Answered::default();
    refused(&mut answered).await;
    by_other_settings(&mut answered).await;
    by_a_broken_body(&mut answered).await;
    by_too_many_producers(&mut answered).await;
    by_the_bucket(&mut answered).await;

    let documented: BTreeMap<String, u16> = page::errors().into_iter().map(|(status, code)| (code, status)).collect();
    let not_reached: BTreeSet<&str> = NOT_REACHED.iter().map(|(code, _)| *code).collect();
    for (code, status) in &documented {
        let reached = answered.0.get(code);
        assert_eq!(reached.is_none(), not_reached.contains(&**code), "{code}: answered {reached:?}");
        assert!(reached.is_none_or(|reached| reached == status), "{code} is documented as {status}: {reached:?}");
    }
    let undocumented: Vec<&String> = answered.0.keys().filter(|code| !documented.contains_key(*code)).collect();
    assert!(undocumented.is_empty(), "{undocumented:?}");
    assert!(not_reached.iter().all(|code| documented.contains_key(*code)), "a code that is no more");
}

async fn refused(answered: &mut Answered) {
    let service = Service::new();
    let stream = service.stream("/ds/acct/plain", "text/plain", "abc").await;
    for (request, expected) in PLAIN {
        let request = spelled(request);
        stream.refuses(&request, expected).await;
        answered.note(&stream.ask(&request).await);
    }
    for (number, steps) in IN_STEPS.iter().enumerate() {
        let stream = service.stream(&format!("/ds/acct/steps-{number}"), "text/plain", "abc").await;
        for step in *steps {
            match *step {
                Ask(request, expected) => answered.note(&stream.expect(&spelled(request), expected).await),
                Pass(seconds) => pass(&service, seconds).await,
            }
        }
    }
}

async fn by_other_settings(answered: &mut Answered) {
    let settings = Settings { request_bytes_max: 4, live_reads_max: 0, ..Settings::default() };
    let service = Service::with(settings);
    let stream = service.stream("/v1/stream/small", "text/plain", "abc").await;
    for (request, expected) in [
        ("POST /ds/default/small\ncontent-type: text/plain\n\nabcde", "413 REQUEST_TOO_LARGE"),
        ("GET /ds/default/small?offset=-1&live=sse", "503 LIVE_READ_BACKPRESSURE\nretry-after: 1"),
        ("DELETE /ds/default/small", "403 STREAM_LIFECYCLE"),
    ] {
        answered.note(&stream.expect(request, expected).await);
    }
}

async fn by_a_broken_body(answered: &mut Answered) {
    let service = Service::new();
    service.stream("/ds/acct/broken", "text/plain", "abc").await;
    let pieces = [Ok(Bytes::from_static(b"half")), Err(std::io::Error::other("gone"))];
    let request = Request::post("/ds/acct/broken").header("content-type", "text/plain");
    let reply = service.send(request.body(Body::from_stream(stream::iter(pieces))).unwrap()).await;
    reply.check("broken", "400 BODY_UNREADABLE");
    answered.note(&reply);
}

async fn by_too_many_producers(answered: &mut Answered) {
    let service = Service::with(open_lifecycle());
    let stream = service.stream("/ds/acct/crowded", "text/plain", "").await;
    let write = |id: usize| {
        let key = format!("producer-id: p{id}\nproducer-epoch: 0\nproducer-seq: 0");
        format!("POST {{s}}\n{key}\ncontent-type: text/plain\n\nx")
    };
    // A few hundred at once share a record.
    for some in (0..PRODUCERS_MAX).collect::<Vec<_>>().chunks(512) {
        let requests: Vec<String> = some.iter().map(|&id| write(id)).collect();
        let replies = join_all(requests.iter().map(|request| stream.ask(request))).await;
        assert!(replies.iter().all(|reply| reply.status == 200), "{:?}", replies.last());
    }
    answered.note(&stream.expect(&write(PRODUCERS_MAX), "429 PRODUCER_LIMIT").await);
}

async fn by_the_bucket(answered: &mut Answered) {
    let service = Service::new();
    let stream = service.stream("/ds/acct/bucket", "text/plain", "abc").await;
    let append = "POST {s}\ncontent-type: text/plain\n\nx";
    service.faults.always(Operation::Put, "/log/", Fault::Denied);
    answered.note(&stream.expect(append, "503 STORE_UNAVAILABLE\nretry-after: 1").await);
    service.faults.clear();
    // Neither the record nor whether it is there comes back in time.
    service.faults.always(Operation::Put, "/log/", Fault::ServerError);
    service.faults.always(Operation::Get, "/log/", Fault::ServerError);
    answered.note(&stream.expect(append, "503 OUTCOME_UNKNOWN\nretry-after: 1").await);
    service.faults.clear();
    tokio::time::sleep(Duration::from_mins(2)).await;
    service.engine.set_fitness(Fitness::Unfit { probe: "create where the key exists".to_owned() });
    answered.note(&stream.expect(append, "503 STORE_UNFIT\nretry-after: 1").await);
}
