//! A writer that stalls between its decision and its PUT, while the stream moves on.

use wadi_tests::{answer::Answer, call::Call, http::Key, proxy::Matcher};

use crate::instance::{Instance, two};

/// Appends of others while one stalls.
const OTHERS: usize = 50;

async fn delete_and_create(via: &Instance, path: &str) {
    let _ = Call::delete(path).ask(&via.streams).await.expect_status(204);
    let _ = via.create(path).await.expect_status(201);
}

/// Sends `late` through `one`, holds its record back, does `meanwhile`, and lets it go.
async fn stalled(one: &Instance, late: Call, meanwhile: impl Future<Output = ()>) -> Answer {
    let gate = one.proxy.hold(Matcher::record());
    let (answer, ()) = tokio::join!(late.ask(&one.streams), async {
        gate.arrived().await;
        meanwhile.await;
        gate.open().await;
    });
    answer
}

/// A write that names the life it is meant for, or whose key says so, does not reach the next one.
///
/// See: <https://github.com/slatedb/slatedb/issues/352>, <https://github.com/slatedb/slatedb/issues/1622>,
/// <https://github.com/slatedb/slatedb/pull/1635>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_stalled_writer_does_not_reach_the_next_life() {
    let [one, two] = two("stalled").await;
    let path = "/v1/stream/lives";
    for turn in 0..4 {
        let created = one.create(path).await.expect_status(201);
        let token = created.header("stream-incarnation").expect("a token").to_owned();
        let key = Key { producer: "p".to_owned(), epoch: 0, seq: 0 };
        let _ = Call::append(path).key(&key).body("a").ask(&one.streams).await.expect_status(200);
        let etag = Call::head(path).ask(&one.streams).await.header("etag").expect("an ETag").to_owned();
        let late = Call::append(path).body("late");
        let (late, expected) = match turn {
            0 => (late.header("stream-incarnation", &token), (412, "INCARNATION_MISMATCH")),
            1 => (late.key(&Key { seq: 1, ..key }), (409, "PRODUCER_SEQ_CONFLICT")),
            2 => (late.header("if-match", &etag), (412, "IF_MATCH_FAILED")),
            _ => (Call::delete(path).header("stream-incarnation", &token), (412, "INCARNATION_MISMATCH")),
        };
        let answer = stalled(&one, late, async {
            delete_and_create(&two, path).await;
            let _ = two.append(path, "b").await.expect_status(204);
        })
        .await;
        assert_eq!(
            (answer.status.as_u16(), answer.error_code().as_deref()),
            (expected.0, Some(expected.1)),
            "{answer}"
        );
        for _ in 0..2 {
            assert_eq!((one.text(path).await.as_str(), two.text(path).await.as_str()), ("b", "b"), "turn {turn}");
        }
        let _ = Call::delete(path).ask(&two.streams).await.expect_status(204);
    }
}

/// A write that names nothing is for the stream as it is when the write applies: it is appended to the
/// new life, behind what was acknowledged there, and nothing of it is left in the old one.
///
/// See: <https://github.com/slatedb/slatedb/issues/352>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stalled_write_for_whatever_is_there_goes_to_the_true_tail() {
    let [one, two] = two("stalled-any").await;
    let path = "/v1/stream/lives";
    let _ = one.create(path).await.expect_status(201);
    let _ = one.append(path, "a").await.expect_status(204);
    let answer = stalled(&one, Call::append(path).body("late"), async {
        delete_and_create(&two, path).await;
        let _ = two.append(path, "b").await.expect_status(204);
    })
    .await
    .expect_status(204);
    assert_eq!(answer.number("stream-next-offset"), Some(5));
    assert_eq!((one.text(path).await.as_str(), two.text(path).await.as_str()), ("blate", "blate"));
    let tokens = [&one, &two].map(async |via| Call::head(path).ask(&via.streams).await);
    for head in tokens {
        assert_eq!(head.await.header("stream-incarnation"), answer.header("stream-incarnation"));
    }
}

/// See: <https://github.com/slatedb/slatedb/issues/1622>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stalled_write_among_others_goes_to_the_true_tail() {
    let [one, two] = two("stalled-many").await;
    let path = "/v1/stream/busy";
    let _ = one.create(path).await.expect_status(201);
    let late = stalled(&one, Call::append(path).body("late"), async {
        for number in 0..OTHERS {
            let _ = two.append(path, &format!("{number:02}")).await.expect_status(204);
        }
    })
    .await
    .expect_status(204);
    let others = (0..OTHERS).map(|number| format!("{number:02}")).collect::<Vec<_>>().concat();
    assert_eq!(late.number("stream-next-offset"), Some(others.len() as u64 + 4));
    let expected = format!("{others}late");
    assert_eq!((one.text(path).await, two.text(path).await), (expected.clone(), expected));
}

/// The stream ends while a write to it stalls: it was not written, and the end stands.
///
/// See: <https://github.com/slatedb/slatedb/issues/1622>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stalled_write_finds_the_stream_closed_or_gone() {
    let [one, two] = two("stalled-end").await;
    for (name, end, status) in [
        ("closed", Call::append("/v1/stream/closed").header("stream-closed", "true"), 409),
        ("gone", Call::delete("/v1/stream/gone"), 404),
    ] {
        let path = format!("/v1/stream/{name}");
        let _ = one.create(&path).await.expect_status(201);
        let late = stalled(&one, Call::append(&path).body("late"), async {
            let _ = end.ask(&two.streams).await.expect_status(204);
        });
        let _ = late.await.expect_status(status);
    }
    assert_eq!((one.text("/v1/stream/closed").await.as_str(), two.text("/v1/stream/closed").await.as_str()), ("", ""));
    let _ = Call::get("/v1/stream/gone").ask(&one.streams).await.expect_status(404);
}
