//! Producers that a stream has forgotten, and streams with more producers than they remember.

use std::time::Duration;

use futures::{StreamExt, stream};
use wadi_tests::{answer::Answer, call::Call, http::Key};

use crate::instance::{Instance, two};

/// Producers that a stream remembers.
const REMEMBERED: usize = 4096;

/// Appends under way at once.
const AT_ONCE: usize = 256;

fn sends(path: &str, producer: &str, epoch: u64, seq: u64, text: &str) -> Call {
    Call::append(path).key(&Key { producer: producer.to_owned(), epoch, seq }).body(text)
}

async fn keyed(via: &Instance, path: &str, producer: &str, epoch: u64, seq: u64) -> Answer {
    sends(path, producer, epoch, seq, "x").ask(&via.streams).await
}

/// Idle for eight days by the store's clock, a producer is forgotten: what it sends again is refused, or
/// claims its epoch anew, and never passes for the write it was.
///
/// See: <https://github.com/redpanda-data/redpanda/issues/22670>, <https://github.com/apache/kafka/pull/7388>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_forgotten_producer_is_told_so_and_may_begin_anew() {
    let [one, two] = two("forgotten").await;
    let path = "/v1/stream/forgotten";
    let token = one.create(path).await.expect_status(201).header("stream-incarnation").expect("a token").to_owned();
    for (seq, text) in [(0, "a"), (1, "b")] {
        let _ = sends(path, "p", 0, seq, text).ask(&one.streams).await.expect_status(200);
    }
    for instance in [&one, &two] {
        instance.proxy.turn_clock_ahead(Duration::from_hours(8 * 24));
        let _ = Call::head(path).ask(&instance.streams).await.expect_status(200);
    }
    let _ = keyed(&two, path, "q", 0, 0).await.expect_status(200);

    for via in [&one, &two] {
        let unknown = sends(path, "p", 0, 1, "b").ask(&via.streams).await.expect_status(409);
        assert_eq!(unknown.number("producer-expected-seq"), Some(0), "{unknown}");
        for seq in [0, 1] {
            let named = sends(path, "p", 0, seq, "b").header("stream-incarnation", &token);
            let expired = named.ask(&via.streams).await.expect_status(403);
            assert_eq!(expired.error_code().as_deref(), Some("PRODUCER_EXPIRED"));
            assert_eq!(expired.number("producer-epoch"), Some(0), "{expired}");
        }
    }
    let anew = sends(path, "p", 1, 0, "c").header("stream-incarnation", &token);
    let _ = anew.ask(&one.streams).await.expect_status(200);
    let _ = anew.ask(&two.streams).await.expect_status(204);
    let _ = sends(path, "p", 1, 1, "d").ask(&two.streams).await.expect_status(200);
    assert_eq!((one.text(path).await.as_str(), two.text(path).await.as_str()), ("abxcd", "abxcd"));
}

/// None of the producers has been idle for an hour, so there is no room for one more, and nobody else is
/// harmed; two hours later there is.
///
/// See: <https://github.com/redpanda-data/redpanda/issues/22670>, <https://github.com/apache/kafka/pull/7388>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn producers_beyond_the_cap_are_refused_and_the_others_go_on() {
    let [one, two] = two("producers").await;
    let path = "/v1/stream/producers";
    let _ = one.create(path).await.expect_status(201);
    for number in 0..2 {
        let _ = keyed(&one, path, "first", 0, number).await.expect_status(200);
    }
    let appends =
        (1..REMEMBERED).map(async |number: usize| keyed(&one, path, &format!("p{number}"), 0, 0).await.status.as_u16());
    let statuses: Vec<u16> = stream::iter(appends).buffer_unordered(AT_ONCE).collect().await;
    assert!(statuses.iter().all(|status| *status == 200), "{statuses:?}");

    for via in [&one, &two] {
        let refused = keyed(via, path, "one too many", 0, 0).await.expect_status(429);
        assert_eq!(refused.error_code().as_deref(), Some("PRODUCER_LIMIT"));
    }
    // The old retry is still known for what it is, the next one applies, and so does a new epoch.
    let repeat = keyed(&two, path, "first", 0, 1).await.expect_status(204);
    assert_eq!(repeat.number("stream-offset"), Some(1));
    let _ = keyed(&two, path, "first", 0, 2).await.expect_status(200);
    let _ = keyed(&one, path, "first", 1, 0).await.expect_status(200);
    let stale = keyed(&two, path, "first", 0, 3).await.expect_status(403);
    assert_eq!(stale.error_code().as_deref(), Some("PRODUCER_EPOCH_CLOSED"));
    let _ = one.append(path, "y").await.expect_status(204);

    for instance in [&one, &two] {
        instance.proxy.turn_clock_ahead(Duration::from_hours(2));
        let _ = Call::head(path).ask(&instance.streams).await.expect_status(200);
    }
    let _ = keyed(&two, path, "one too many", 0, 0).await.expect_status(200);
    let expected = format!("{}yx", "x".repeat(REMEMBERED + 3));
    assert_eq!((one.text(path).await, two.text(path).await), (expected.clone(), expected));
}
