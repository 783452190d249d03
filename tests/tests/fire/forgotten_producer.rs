//! Producers that a stream has forgotten, and streams with more producers than they remember.

use futures::{StreamExt, stream};
use wadi_tests::{answer::Answer, call::Call, http::Key};

use crate::instance::{Instance, two};

/// Producers that a stream remembers.
const REMEMBERED: usize = 4096;

/// Appends under way at once.
const AT_ONCE: usize = 256;

async fn keyed(via: &Instance, path: &str, producer: &str, epoch: u64, seq: u64) -> Answer {
    let key = Key { producer: producer.to_owned(), epoch, seq };
    Call::append(path).key(&key).body("x").ask(&via.streams).await
}

/// The state of idle producers is kept for days; what becomes of it at the cap can be seen at once: none
/// of them has idled long enough to be forgotten, so a newcomer is refused, and nobody else is harmed.
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
    let appends = (1..REMEMBERED).map(|number| {
        let via = if number % 2 == 0 { &one } else { &two };
        async move { keyed(via, path, &format!("p{number}"), 0, 0).await.status.as_u16() }
    });
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
    let expected = format!("{}y", "x".repeat(REMEMBERED + 3));
    assert_eq!((one.text(path).await, two.text(path).await), (expected.clone(), expected));
}
