//! Sealing that events of the bucket drive.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};
use wadi_tests::{
    answer::Answer,
    bucket::Bucket,
    call::Call,
    emulator::Emulator,
    http::Streams,
    proxy::{Proxy, Seen, Verb},
};

/// How an event escapes a key, but for blanks, which become plus signs.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'_').remove(b'*');

/// A name that looks another way in a URL, in a key and in an event.
const STREAM: &str = "/ds/acct/a%20b+%25";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_synthetic_event_seals_the_stream_that_a_record_or_a_mark_tells_of() {
    let bucket = Bucket::fresh("lambda-sealing");
    let (writing, sealing) = (Proxy::before(&bucket).await, Proxy::before(&bucket).await);
    let emulator = Emulator::start().await;
    let _stream = emulator.environments(1, writing.bucket(), &[("WADI_SEALING", "events")]);
    let _seal = emulator.environment("seal", sealing.bucket(), &[]);
    let via = emulator.streams();
    let _ = Call::create(STREAM, "text/plain").ask(&via).await.expect_status(201);

    let records = keys(&writing, &via, 50, |key| key.ends_with("50.rec")).await;
    assert_eq!(records.len(), 1);
    let event = event(&bucket, &[&records[0], &records[0], "manifest/acct/other"]);
    assert_eq!(report(&emulator.invoke("seal", &event).await), json!({ "streams": 1, "sealed": 1 }));
    assert!(wrote(&sealing, "/segment/"), "what the records held is merged: {:?}", sealing.seen());
    assert_eq!(report(&emulator.invoke("seal", &event).await), json!({ "streams": 1, "sealed": 0 }), "an event twice");

    writing.forget();
    let _ = Call::append(STREAM).header("stream-closed", "true").ask(&via).await.expect_status(204);
    let marks: Vec<String> = puts(&writing).into_iter().filter(|key| key.starts_with("due/seal/")).collect();
    assert_eq!(marks.len(), 1, "{:?}", writing.seen());
    let event = self::event(&bucket, &[&marks[0]]);
    assert_eq!(report(&emulator.invoke("seal", &event).await), json!({ "streams": 1, "sealed": 1 }));
    assert!(wrote(&sealing, "/chunk/"), "a closed stream ends in a chunk: {:?}", sealing.seen());
    assert!(sealing.seen().iter().any(|seen| seen.verb == Verb::Delete), "the mark is gone: {:?}", sealing.seen());
    assert_eq!(report(&emulator.invoke("seal", &event).await), json!({ "streams": 0, "sealed": 0 }), "and stays gone");

    let read = Call::get(STREAM).ask(&via).await.expect_status(200);
    assert_eq!(read.body, "x".repeat(50));
}

/// Appends so many times, and returns those keys written that `wanted` is true for.
async fn keys(proxy: &Proxy, via: &Streams, appends: usize, wanted: impl Fn(&str) -> bool) -> Vec<String> {
    for _ in 0..appends {
        let _ = Call::append(STREAM).body("x").ask(via).await.expect_status(204);
    }
    puts(proxy).into_iter().filter(|key| wanted(key)).collect()
}

fn puts(proxy: &Proxy) -> Vec<String> {
    let is_put = |seen: &Seen| seen.verb == Verb::Put;
    proxy.seen().into_iter().filter(is_put).map(|seen| seen.key).collect()
}

fn wrote(proxy: &Proxy, part: &str) -> bool {
    puts(proxy).iter().any(|key| key.contains(part))
}

/// The event that a bucket sends when objects were written.
fn event(bucket: &Bucket, keys: &[&str]) -> Value {
    let place = bucket.store.strip_prefix("s3://").expect("a store on S3");
    let (name, prefix) = place.split_once('/').expect("a prefix");
    let records: Vec<Value> = keys.iter().map(|key| record(name, &format!("{prefix}/{key}"))).collect();
    json!({ "Records": records })
}

fn record(bucket: &str, key: &str) -> Value {
    let key = utf8_percent_encode(key, ESCAPED).to_string().replace("%20", "+");
    json!({
        "eventVersion": "2.1",
        "eventSource": "aws:s3",
        "eventName": "ObjectCreated:Put",
        "s3": { "bucket": { "name": bucket }, "object": { "key": key, "size": 1 } },
    })
}

fn report(answer: &Answer) -> Value {
    serde_json::from_slice(&answer.body).unwrap_or_else(|error| panic!("no report ({error}): {answer}"))
}
