//! Appends at the same moment, through two processes and at the store itself.

use std::collections::BTreeMap;

use futures::future::join_all;
use wadi_tests::{answer::Answer, bucket::Bucket, call::Call, store::Object, wait};

use crate::instance::{Instance, two};

/// Appends at once.
const APPENDS: usize = 64;

/// Rounds of racing for one key.
const ROUNDS: usize = 20;

/// See: <https://github.com/durable-streams/durable-streams/pull/340>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_appends_share_no_offset() {
    let instances = two("shared-offset").await;
    let path = "/v1/stream/offsets";
    let _ = Call::create(path, "application/octet-stream").ask(&instances[0].streams).await.expect_status(201);

    let appends = (0..APPENDS).map(|number| append(&instances[number % 2], path, number));
    let ends: BTreeMap<u64, String> = join_all(appends).await.into_iter().collect();
    assert_eq!(ends.len(), APPENDS, "every append has an offset of its own");

    let text = instances[1].text(path).await;
    let head = Call::head(path).ask(&instances[0].streams).await;
    let tail = 8 * u64::try_from(APPENDS).expect("a small number");
    assert_eq!((head.number("stream-next-offset"), text.len() as u64), (Some(tail), tail));
    for (turn, (end, payload)) in ends.iter().enumerate() {
        let end = usize::try_from(*end).expect("a small offset");
        assert_eq!(&text[end - 8..end], payload, "it lies right before its offset");
        let rest = Call::get(&format!("{path}?offset={end:020}")).ask(&instances[turn % 2].streams).await;
        assert_eq!(rest.body, &text.as_bytes()[end..], "what follows {payload}");
    }
}

/// Appends eight bytes until they are in, and says where they end.
async fn append(via: &Instance, path: &str, number: usize) -> (u64, String) {
    let payload = format!("<{number:06}>");
    let call = Call::append(path).header("content-type", "application/octet-stream").body(payload.as_str());
    let answer = wait::until("an append applies", wait::LIMIT, async || applied(call.ask(&via.streams).await)).await;
    (answer.number("stream-next-offset").expect("an offset"), payload)
}

/// An answer that says when to come again is no answer yet.
fn applied(answer: Answer) -> Option<Answer> {
    let later = [429, 503].contains(&answer.status.as_u16());
    assert!(!later || answer.header("retry-after").is_some(), "{answer}");
    assert_ne!(answer.error_code().as_deref(), Some("OUTCOME_UNKNOWN"), "it may not be sent again");
    (!later).then(|| answer.expect_status(204))
}

/// What all of it rests on: of writers that race for a key at the store, exactly one wins.
///
/// See: <https://github.com/seaweedfs/seaweedfs/issues/8800>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_racers_for_one_key_one_wins() {
    let bucket = Bucket::fresh("racers");
    for round in 0..ROUNDS {
        let object = Object::new(&bucket, &format!("slot-{round}"));
        let racers = 2 + round % 2;
        let bodies: Vec<String> = (0..racers).map(|racer| format!("round {round}, racer {racer}")).collect();
        let answers = join_all(bodies.iter().map(|body| object.put_if_absent(body))).await;
        let won: Vec<&String> =
            bodies.iter().zip(&answers).filter(|(_, status)| **status == 200).map(|(body, _)| body).collect();
        assert_eq!(won.len(), 1, "{answers:?}");
        assert!(answers.iter().all(|status| [200, 409, 412].contains(status)), "{answers:?}");
        assert_eq!(object.get().await.as_deref(), Some(won[0].as_bytes()));
    }
}
