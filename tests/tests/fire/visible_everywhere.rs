//! What was acknowledged is so for everybody, at once and for good.

use std::time::Duration;

use futures::future::{join_all, join3};
use wadi_tests::{answer::Answer, call::Call, wait};

use crate::instance::{Instance, two};

/// Requests at once.
const AT_ONCE: usize = 8;

/// See: <https://github.com/electric-sql/electric/pull/4675>, <https://github.com/s2-streamstore/s2/pull/641>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn acknowledged_means_visible_everywhere() {
    let instances = two("visible").await;
    of_equal_creates_one_creates(&instances).await;
    of_different_creates_one_wins(&instances).await;
    let [mut one, two] = instances;
    a_delete_is_seen_at_once(&one, &two).await;
    a_delete_survives_a_kill(&mut one, &two).await;
}

async fn of_equal_creates_one_creates(instances: &[Instance; 2]) {
    let path = "/v1/stream/equal";
    let creates = (0..AT_ONCE).map(|number| async move {
        let created = instances[number % 2].create(path).await;
        let seen = Call::head(path).ask(&instances[(number + 1) % 2].streams).await;
        assert_eq!(seen.status, 200, "the other process sees what was acknowledged: {created}");
        created.status.as_u16()
    });
    let mut statuses = join_all(creates).await;
    statuses.sort_unstable();
    assert_eq!(statuses, [[200; AT_ONCE - 1].as_slice(), &[201]].concat());
}

async fn of_different_creates_one_wins(instances: &[Instance; 2]) {
    let path = "/v1/stream/different";
    let kind = |number: usize| format!("text/x-{number}");
    let creates = (0..AT_ONCE).map(|number| async move {
        Call::create(path, &kind(number)).ask(&instances[number % 2].streams).await.status.as_u16()
    });
    let statuses = join_all(creates).await;
    let winner = statuses.iter().position(|status| *status == 201).expect("one of them creates");
    assert_eq!(statuses.iter().filter(|status| **status == 409).count(), AT_ONCE - 1, "{statuses:?}");
    for instance in instances {
        let head = Call::head(path).ask(&instance.streams).await;
        assert_eq!(head.header("content-type"), Some(kind(winner).as_str()));
    }
}

/// The other process knows the stream well, and has live readers on it.
async fn a_delete_is_seen_at_once(one: &Instance, two: &Instance) {
    let path = "/v1/stream/deleted";
    let _ = one.create(path).await.expect_status(201);
    let tail = two.append(path, "a").await.expect_status(204).next_offset();
    assert_eq!(two.text(path).await, "a");
    let live = |mode: &str| Call::get(&format!("{path}?offset={tail}&live={mode}")).patient(wait::LIMIT);
    let deletion = async {
        // Time for the readers to settle; had they not, they would be told all the same.
        tokio::time::sleep(Duration::from_millis(300)).await;
        let _ = Call::delete(path).ask(&one.streams).await.expect_status(204);
        join_all([
            gone(Call::get(path), two),
            gone(Call::head(path), two),
            gone(Call::append(path).body("late"), two),
            gone(Call::delete(path), two),
        ])
        .await;
    };
    let (poll, events) = (live("long-poll"), live("sse"));
    let (poll, events, ()) = join3(poll.ask(&two.streams), events.ask(&two.streams), deletion).await;
    let _ = not_found(poll);
    let events = events.expect_status(200);
    let text = String::from_utf8_lossy(&events.body);
    assert!(text.contains("event: error") && text.contains("STREAM_NOT_FOUND"), "the events end with: {text}");
}

async fn gone(call: Call, via: &Instance) {
    let head = format!("{call:?}").contains("HEAD");
    let answer = call.ask(&via.streams).await.expect_status(404);
    if !head {
        let _ = not_found(answer);
    }
}

fn not_found(answer: Answer) -> Answer {
    assert_eq!(answer.error_code().as_deref(), Some("STREAM_NOT_FOUND"), "{answer}");
    answer.expect_status(404)
}

async fn a_delete_survives_a_kill(one: &mut Instance, two: &Instance) {
    let path = "/v1/stream/killed";
    let _ = one.create(path).await.expect_status(201);
    let _ = one.append(path, "a").await.expect_status(204);
    let _ = Call::delete(path).ask(&one.streams).await.expect_status(204);
    one.server.kill_9();
    gone(Call::get(path), two).await;
    one.server.restart().await;
    gone(Call::get(path), one).await;
    gone(Call::append(path).body("b"), one).await;
    let _ = one.create(path).await.expect_status(201);
    assert_eq!(two.text(path).await, "");
}
