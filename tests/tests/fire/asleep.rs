//! A process that is stopped for longer than its lease, with requests under way, and goes on.

use std::time::Duration;

use futures::future::{join, join5};
use wadi_tests::{
    answer::{Answer, Append},
    call::Call,
    http::Key,
    proxy::{Gate, Matcher},
};

use crate::instance::{Instance, two};

/// A little longer than a state may vouch for an answer.
const SLEEP: Duration = Duration::from_secs(62);

/// How long the clients wait.
const PATIENCE: Duration = Duration::from_secs(150);

/// The streams of the test, by what happens to each.
const STREAMS: [&str; 6] = ["ended", "landed", "retried", "late", "deleted", "idle"];

/// Nothing is doubled or acknowledged wrongly by the process that slept, and it serves the truth.
///
/// See: <https://github.com/slatedb/slatedb/issues/352>, <https://github.com/slatedb/slatedb/issues/1622>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_that_slept_beyond_its_lease_goes_on_truthfully() {
    let [one, two] = two("asleep").await;
    for name in STREAMS {
        let _ = one.create(&path(name)).await.expect_status(201);
        let _ = one.append(&path(name), "first.").await.expect_status(204);
        assert_eq!(two.text(&path(name)).await, "first.");
    }
    let gates = Gates::close(&one);
    let under_way = join5(
        sent(&one, Call::append(&path("ended")).body("late.")),
        sent(&one, Call::append(&path("landed")).body("late.")),
        sent(&one, keyed()),
        sent(&one, Call::append(&path("late")).body("late.")),
        sent(&one, Call::delete(&path("deleted"))),
    );
    let (answers, ()) = join(under_way, sleep_and_wake(&one, &two, &gates)).await;
    let (ended, landed, retried, late, deleted) = answers;

    // The life it was meant for is over: it may have gone to the next one, and nowhere else.
    settled(&one, &two, "ended", &ended, &["new."]).await;
    settled(&one, &two, "landed", &landed, &["first.", "other."]).await;
    assert!(matches!(retried.to_append(true), Append::Repeat { .. } | Append::Unknown(_)), "{retried}");
    agreed(&one, &two, "retried", "first.late.other.").await;
    settled(&one, &two, "late", &late, &["first."]).await;
    delete_settled(&one, &two, &deleted).await;
    agreed(&one, &two, "idle", "first.other.mine.").await;
}

fn path(name: &str) -> String {
    format!("/v1/stream/{name}")
}

fn keyed() -> Call {
    Call::append(&path("retried")).key(&Key { producer: "p".to_owned(), epoch: 0, seq: 0 }).body("late.")
}

async fn sent(via: &Instance, call: Call) -> Answer {
    call.patient(PATIENCE).ask(&via.streams).await
}

/// What holds the requests under way.
struct Gates {
    ended: Gate,
    /// Its record is in the log, the answer is not back.
    landed: Gate,
    retried: Gate,
    late: Gate,
    deleted: Gate,
}

impl Gates {
    fn close(one: &Instance) -> Self {
        let record = |name: &str| Matcher::record().key_has(&format!("/{name}/"));
        Self {
            ended: one.proxy.hold(record("ended")),
            landed: one.proxy.hold_answer(record("landed")),
            retried: one.proxy.hold(record("retried")),
            late: one.proxy.hold(record("late")),
            deleted: one.proxy.hold(record("deleted")),
        }
    }
}

async fn sleep_and_wake(one: &Instance, two: &Instance, gates: &Gates) {
    for gate in [&gates.ended, &gates.landed, &gates.retried, &gates.late, &gates.deleted] {
        gate.arrived().await;
    }
    one.server.suspend();
    let _ = two.append(&path("ended"), "other.").await.expect_status(204);
    let _ = Call::delete(&path("ended")).ask(&two.streams).await.expect_status(204);
    let _ = two.create(&path("ended")).await.expect_status(201);
    let _ = two.append(&path("ended"), "new.").await.expect_status(204);
    let _ = two.append(&path("landed"), "other.").await.expect_status(204);
    let _ = sent(two, keyed()).await.expect_status(200);
    for name in ["retried", "deleted", "idle"] {
        let _ = two.append(&path(name), "other.").await.expect_status(204);
    }
    tokio::time::sleep(SLEEP).await;

    // These find their answers when they wake, the others do not.
    gates.ended.open().await;
    gates.landed.open().await;
    one.server.resume();
    assert_eq!(one.text(&path("idle")).await, "first.other.", "it says nothing old when it wakes");
    let _ = one.append(&path("idle"), "mine.").await.expect_status(204);
    gates.retried.open().await;
    gates.late.open().await;
    gates.deleted.open().await;
}

/// Whether an append is in the stream behind `before` as often as its answer says, for both.
async fn settled(one: &Instance, two: &Instance, name: &str, answer: &Answer, before: &[&str]) {
    let text = two.text(&path(name)).await;
    let copies = text.matches("late.").count();
    let right = match answer.to_append(false) {
        Append::Applied { next_offset } => {
            let end = text.find("late.").map(|place| place + "late.".len());
            copies == 1 && next_offset.parse().ok() == end
        }
        Append::Unknown(_) => copies <= 1,
        _ => copies == 0,
    };
    assert!(right, "{name} holds {text:?}, and the answer was {answer}");
    let rest = text.replace("late.", "");
    assert_eq!(rest, before.concat(), "{name}: {text}");
    agreed(one, two, name, &text).await;
}

async fn agreed(one: &Instance, two: &Instance, name: &str, text: &str) {
    for via in [one, two] {
        assert_eq!(via.text(&path(name)).await, text, "{name}");
    }
}

async fn delete_settled(one: &Instance, two: &Instance, answer: &Answer) {
    let statuses = [one, two].map(async |via| Call::head(&path("deleted")).ask(&via.streams).await.status.as_u16());
    let [here, there] = statuses;
    let (here, there) = join(here, there).await;
    assert_eq!(here, there);
    match (answer.status.as_u16(), answer.error_code().as_deref()) {
        (204, _) => assert_eq!(here, 404, "{answer}"),
        (503, Some("OUTCOME_UNKNOWN")) => assert!([200, 404].contains(&here), "{answer}"),
        _ => assert_eq!(here, 200, "{answer}"),
    }
}
