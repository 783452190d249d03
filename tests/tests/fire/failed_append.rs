//! An append that failed neither blocks its retry nor comes back to life.

use futures::future::{join3, join4};
use wadi_tests::{
    answer::Answer,
    call::Call,
    http::Key,
    proxy::{Fault, Matcher, Rule},
};

use crate::instance::{Instance, two};

/// See: <https://github.com/electric-sql/electric/pull/4710>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_failed_append_does_not_poison_the_retry() {
    let [one, two] = two("failed").await;
    // Each fails for as long as a write is tried, so all do at once.
    join4(
        a_keyed_append_that_never_reached_the_store(&one, &two),
        a_keyed_append_that_nobody_could_find(&one, &two),
        join3(
            an_unkeyed_append(&one, &two, "refused", Fault::SlowDown, 0),
            an_unkeyed_append(&one, &two, "unseen", Fault::AnswerLost, 1),
            an_unkeyed_append(&one, &two, "silent", Fault::StalledRequest, 0),
        ),
        an_unkeyed_append_that_lands_late(&one, &two),
    )
    .await;
}

fn keyed(path: &str, seq: u64, body: &str) -> Call {
    Call::append(path).key(&Key { producer: "p".to_owned(), epoch: 0, seq }).body(body)
}

/// Fails every write of records to a stream, and every read of its slots.
fn break_down(one: &Instance, name: &str, fault: &Fault) {
    let part = format!("/{name}/");
    one.proxy.apply(Rule::new(Matcher::get().key_has(&part).key_has("/log/"), Fault::SlowDown).always());
    one.proxy.apply(Rule::new(Matcher::record().key_has(&part), fault.clone()).always());
}

/// The end of what broke down, for one stream.
fn recover(one: &Instance, name: &str) {
    one.proxy.spare(&format!("/{name}/"));
}

fn says_unknown(answer: &Answer) {
    assert_eq!(answer.status, 503, "{answer}");
    assert_eq!(answer.error_code().as_deref(), Some("OUTCOME_UNKNOWN"));
    assert!(answer.header("retry-after").is_some(), "{answer}");
}

async fn a_keyed_append_that_never_reached_the_store(one: &Instance, two: &Instance) {
    let path = "/v1/stream/unreached";
    let _ = one.create(path).await.expect_status(201);
    break_down(one, "unreached", &Fault::SlowDown);
    says_unknown(&keyed(path, 0, "x").ask(&one.streams).await);
    recover(one, "unreached");
    assert_eq!(two.text(path).await, "");
    let _ = keyed(path, 0, "x").ask(&one.streams).await.expect_status(200);
    let _ = keyed(path, 1, "y").ask(&two.streams).await.expect_status(200);
    let _ = keyed(path, 0, "x").ask(&two.streams).await.expect_status(204);
    assert_eq!((one.text(path).await.as_str(), two.text(path).await.as_str()), ("xy", "xy"));
}

async fn a_keyed_append_that_nobody_could_find(one: &Instance, two: &Instance) {
    let path = "/v1/stream/unfound";
    let _ = one.create(path).await.expect_status(201);
    break_down(one, "unfound", &Fault::AnswerLost);
    says_unknown(&keyed(path, 0, "x").ask(&one.streams).await);
    recover(one, "unfound");
    assert_eq!(two.text(path).await, "x", "it is in the log");
    let repeat = keyed(path, 0, "x").ask(&one.streams).await.expect_status(204);
    assert_eq!((repeat.number("stream-offset"), repeat.number("stream-next-offset")), (Some(0), Some(1)));
    let _ = keyed(path, 1, "y").ask(&one.streams).await.expect_status(200);
    assert_eq!((one.text(path).await.as_str(), two.text(path).await.as_str()), ("xy", "xy"));
}

/// After a failure without a key readers see none or one, and that stays so.
async fn an_unkeyed_append(one: &Instance, two: &Instance, name: &str, fault: Fault, copies: usize) {
    let path = format!("/v1/stream/{name}");
    let _ = one.create(&path).await.expect_status(201);
    break_down(one, name, &fault);
    says_unknown(&one.append(&path, "x").await);
    recover(one, name);
    for after in ["", "1", "12"] {
        let expected = format!("{}{after}", "x".repeat(copies));
        assert_eq!(two.text(&path).await, expected, "{}", fault.name());
        assert_eq!(one.text(&path).await, expected, "{}", fault.name());
        let next = (after.len() + 1).to_string();
        let _ = one.append(&path, &next).await.expect_status(204);
    }
}

/// Its PUT is still under way when the answer says that nobody knows; the next append settles it.
async fn an_unkeyed_append_that_lands_late(one: &Instance, two: &Instance) {
    let path = "/v1/stream/landing";
    let _ = one.create(path).await.expect_status(201);
    break_down(one, "landing", &Fault::StalledRequest);
    let gate = one.proxy.hold(Matcher::record().key_has("/landing/"));
    says_unknown(&one.append(path, "x").await);
    recover(one, "landing");
    assert_eq!((one.text(path).await.as_str(), two.text(path).await.as_str()), ("", ""));
    let _ = two.append(path, "1").await.expect_status(204);
    gate.open().await;
    for instance in [one, two] {
        assert_eq!(instance.text(path).await, "1", "the slot is another's");
    }
    let _ = one.append(path, "2").await.expect_status(204);
    assert_eq!(two.text(path).await, "12");
}
