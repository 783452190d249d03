//! A write that applied, or may have, while its answer went another way.

use std::time::Duration;

use futures::future::{join_all, join4};
use wadi_tests::{
    call::Call,
    proxy::{Fault, Gate, Matcher, Rule},
};

use crate::instance::{Instance, two};

/// What may come between a write and its answer, without costing a time-out.
fn quick() -> Vec<Fault> {
    vec![
        Fault::AnswerLost,
        Fault::HalfAnswer,
        Fault::Twice,
        Fault::Reset,
        Fault::Conflict,
        Fault::PreconditionFailed,
        Fault::SlowDown,
        Fault::Late(Duration::from_millis(100)),
    ]
}

/// What is only noticed by waiting.
fn silent() -> Vec<Fault> {
    vec![Fault::StalledAnswer, Fault::StalledRequest, Fault::Hold(Gate::default())]
}

/// See: <https://github.com/aws/aws-sdk-java-v2/issues/6580>, <https://github.com/slatedb/slatedb/issues/766>,
/// <https://github.com/slatedb/slatedb/pull/1164>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_put_committed_but_its_answer_was_lost() {
    let [one, two] = two("lost-answer").await;
    for (number, fault) in quick().into_iter().enumerate() {
        a_life_of_lost_answers(&one, &two, number, fault).await;
    }
    // Each on a stream of its own, all at once, since each lasts as long as a time-out.
    join_all(silent().iter().map(|fault| writes_met_with_silence(&one, &two, fault))).await;
}

/// A stream whose every write meets the fault.
async fn a_life_of_lost_answers(one: &Instance, two: &Instance, number: usize, fault: Fault) {
    let name = format!("life{number:02}");
    let path = format!("/v1/stream/{name}");
    let what = fault.name();
    let meets = |matcher: Matcher| one.proxy.apply(Rule::new(matcher.key_has(&name), fault.clone()));

    meets(Matcher::manifest());
    let created = one.create(&path).await;
    assert_eq!(created.status, 201, "{what}: {created}");

    meets(Matcher::record());
    let appended = one.append(&path, "a").await;
    assert_eq!(appended.status, 204, "{what}: {appended}");
    assert_eq!(two.text(&path).await, "a", "{what}");

    meets(Matcher::record());
    let closed = Call::append(&path).header("stream-closed", "true").ask(&one.streams).await;
    assert_eq!((closed.status.as_u16(), closed.flag("stream-closed")), (204, true), "{what}: {closed}");
    assert_eq!(closed.next_offset(), appended.next_offset(), "{what}");

    // The record ends the stream, the manifest follows.
    meets(Matcher::record());
    meets(Matcher::manifest());
    let deleted = Call::delete(&path).ask(&one.streams).await;
    assert_eq!(deleted.status, 204, "{what}: {deleted}");
    assert_eq!(Call::head(&path).ask(&two.streams).await.status, 404, "{what}");

    let met = one.proxy.seen().into_iter().filter(|seen| seen.key.contains(&name) && seen.fault == Some(what));
    assert_eq!(met.count(), 5, "{what} befell every write");
    assert_eq!(two.create(&path).await.status, 201, "{what}");
    assert_eq!(two.text(&path).await, "", "{what}: nothing of the first life comes back");
}

/// Streams of which each meets the fault once, in another write.
async fn writes_met_with_silence(one: &Instance, two: &Instance, fault: &Fault) {
    let what = fault.name();
    let path = |write: &str| format!("/v1/stream/{}-{write}", what.replace(' ', "-"));
    for write in ["append", "close", "delete"] {
        let _ = one.create(&path(write)).await.expect_status(201);
    }
    let meets = |matcher: Matcher, write: &str| {
        let name = format!("{}-{write}", what.replace(' ', "-"));
        one.proxy.apply(Rule::new(matcher.key_has(&name), fault.clone()));
    };
    meets(Matcher::manifest(), "create");
    for write in ["append", "close", "delete"] {
        meets(Matcher::record(), write);
    }
    let (create, append, close, delete) = join4(
        Call::create(&path("create"), "text/plain").ask(&one.streams),
        Call::append(&path("append")).body("a").ask(&one.streams),
        Call::append(&path("close")).header("stream-closed", "true").ask(&one.streams),
        Call::delete(&path("delete")).ask(&one.streams),
    )
    .await;
    let statuses = [create, append, close, delete].map(|answer| answer.status.as_u16());
    assert_eq!(statuses, [201, 204, 204, 204], "{what}");
    assert_eq!((two.text(&path("create")).await, two.text(&path("append")).await), (String::new(), "a".to_owned()));
    assert!(Call::head(&path("close")).ask(&two.streams).await.flag("stream-closed"), "{what}");
    assert_eq!(Call::head(&path("delete")).ask(&two.streams).await.status, 404, "{what}");
    let met = one.proxy.seen().into_iter().filter(|seen| seen.fault == Some(what));
    assert_eq!(met.count(), 4, "{what} befell every write");
}

/// See: <https://github.com/aws/aws-sdk-java-v2/issues/6580>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_create_with_bytes_survives_lost_answers() {
    let [one, two] = two("lost-create").await;
    for (number, fault) in quick().into_iter().enumerate() {
        let path = format!("/v1/stream/born{number}");
        one.proxy.apply(Rule::new(Matcher::record(), fault.clone()));
        one.proxy.apply(Rule::new(Matcher::manifest(), fault.clone()));
        let created = Call::create(&path, "text/plain").body("first").ask(&one.streams).await;
        assert_eq!(created.status, 201, "{}: {created}", fault.name());
        assert_eq!(two.text(&path).await, "first", "{}", fault.name());
    }
}

/// Another writer really has the slot: ours goes to the next one, and is not taken for the other.
///
/// See: <https://github.com/slatedb/slatedb/pull/1164>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lost_race_is_no_lost_answer() {
    let [one, two] = two("lost-race").await;
    let path = "/v1/stream/race";
    let _ = one.create(path).await.expect_status(201);
    for turn in 0..3 {
        let gate = one.proxy.hold(Matcher::record());
        let ours = Call::append(path).body(format!("ours{turn}."));
        let (ours, theirs) = tokio::join!(ours.ask(&one.streams), async {
            gate.arrived().await;
            let theirs = two.append(path, &format!("theirs{turn}.")).await.expect_status(204);
            gate.open().await;
            theirs
        });
        let ours = ours.expect_status(204);
        assert!(ours.number("stream-next-offset") > theirs.number("stream-next-offset"), "{ours} after {theirs}");
    }
    let expected = "theirs0.ours0.theirs1.ours1.theirs2.ours2.";
    assert_eq!((one.text(path).await.as_str(), two.text(path).await.as_str()), (expected, expected));
}
