//! Events of the bucket and of the schedule.

use std::time::Duration;

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
