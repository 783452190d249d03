//! Events of the bucket and of the schedule.

use std::time::Duration;

use serde_json::json;
use wadi_lambda::upkeep::{BucketEvent, Sealer, UpkeepError, sweep};
use wadi_store::{Fault, Operation};

use crate::harness::{Service, fixture};

const STREAM: &str = "/ds/acct/a%20b+%C3%A9";
const MINUTES: Duration = Duration::from_mins(15);

/// A service with a stream of fifty records, and the event that tells of the last of them, twice, with a record
/// between that cannot be read.
async fn due() -> (Service, BucketEvent) {
    let service = Service::new();
    service.create(STREAM, "text/plain").await;
    let mut token = String::new();
    for _ in 0..50 {
        let append = service.ask("POST", STREAM, &[("content-type", "text/plain")], Some("x")).await;
        token.clone_from(&append.headers["stream-incarnation"]);
    }
    let event: serde_json::Value = fixture("bucket_event");
    let event = serde_json::from_str(&event.to_string().replace("TOKEN", &token)).unwrap();
    (service, event)
}

#[tokio::test]
async fn an_event_seals_each_stream_once_and_again_not_at_all() {
    let (service, event) = due().await;
    let worker = Sealer::new(service.engine.clone(), "wadi");
    let sealed = worker.seal(&event).await.unwrap();
    assert_eq!((sealed.streams, sealed.sealed), (1, 1));
    let again = worker.seal(&event).await.unwrap();
    assert_eq!((again.streams, again.sealed), (1, 0));
}

#[tokio::test]
async fn events_of_another_prefix_are_not_ours() {
    let (service, event) = due().await;
    let sealed = Sealer::new(service.engine.clone(), "other").seal(&event).await.unwrap();
    assert_eq!((sealed.streams, sealed.sealed), (0, 0));
}

#[tokio::test]
async fn a_bucket_that_fails_fails_the_invocation_and_the_next_one_succeeds() {
    let (service, event) = due().await;
    let worker = Sealer::new(service.engine.clone(), "wadi");
    service.script.always(Operation::Put, "/segment/", Fault::ServerError);
    assert_eq!(worker.seal(&event).await, Err(UpkeepError::Unsealed { failed: 1, streams: 1 }));
    service.script.clear();
    assert_eq!(worker.seal(&event).await.unwrap().sealed, 1);
}

#[tokio::test]
async fn a_mark_that_cannot_be_read_keeps_no_other_stream_from_being_sealed() {
    let service = Service::new();
    for name in ["a", "b"] {
        let path = format!("/ds/acct/{name}");
        service.create(&path, "text/plain").await;
        let closed = [("content-type", "text/plain"), ("stream-closed", "true")];
        assert_eq!(service.ask("POST", &path, &closed, Some("x")).await.status, 204);
    }
    let marks = service.engine.seal_marks(Duration::ZERO).await.unwrap();
    let records: Vec<_> = marks.iter().map(|key| json!({ "s3": { "object": { "key": key.as_str() } } })).collect();
    let event: BucketEvent = serde_json::from_value(json!({ "Records": records })).unwrap();
    let worker = Sealer::new(service.engine.clone(), "");
    service.script.always(Operation::Get, marks[0].as_str(), Fault::Denied);
    assert_eq!(worker.seal(&event).await, Err(UpkeepError::Unsealed { failed: 1, streams: 2 }));
    service.script.clear();
    let again = worker.seal(&event).await.unwrap();
    assert_eq!((again.streams, again.sealed), (1, 1), "the other one is sealed, and its mark is gone");
}

#[tokio::test]
async fn a_sweep_tells_what_it_did_and_ends_in_time() {
    let (service, _) = due().await;
    let worker = Sealer::new(service.engine.clone(), "");
    let report = sweep(&worker, &fixture("schedule_event"), MINUTES).await.unwrap();
    assert!(report.finished);
    assert_eq!(report.names, 1);
    let late = sweep(&worker, &fixture("schedule_event"), Duration::ZERO).await.unwrap();
    assert!(!late.finished);
    service.script.always(Operation::List, "", Fault::ServerError);
    let failed = sweep(&worker, &fixture("schedule_event"), MINUTES).await;
    assert_eq!(failed, Err(UpkeepError::StoreUnavailable));
}

/// Less than a request to the bucket may take.
const SHORT: Duration = Duration::from_secs(15);

#[tokio::test(start_paused = true)]
async fn a_sweep_goes_on_where_one_stopped_that_had_no_time_to_finish() {
    let service = Service::new();
    for name in ["a", "b", "c"] {
        service.create(&format!("/ds/acct/{name}"), "text/plain").await;
    }
    let worker = Sealer::new(service.engine.clone(), "");
    let event = |scope: &str| serde_json::from_str(&format!(r#"{{"scope":"{scope}"}}"#)).unwrap();
    let hold = service.script.hold(Operation::Get, "manifest/acct/c");
    let stopped = sweep(&worker, &event("full"), SHORT).await.unwrap();
    drop(hold);
    assert_eq!((stopped.names, stopped.finished), (2, false), "it tells what it did");

    let next = sweep(&worker, &event("recent"), MINUTES).await.unwrap();
    assert_eq!((next.names, next.finished), (3 + 1, true), "those that changed, and the rest of all");
    let after = sweep(&worker, &event("recent"), MINUTES).await.unwrap();
    assert_eq!((after.names, after.finished), (3, true));
}
