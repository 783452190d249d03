//! Appends on the condition that nothing was appended since.

use futures::future::join_all;
use wadi_tests::{
    answer::Answer,
    call::Call,
    proxy::{Fault, Matcher, Rule},
};

use crate::instance::{Instance, two};

/// Appends at once.
const AT_ONCE: usize = 16;

fn tag(answer: &Answer) -> String {
    answer.header("etag").unwrap_or_else(|| panic!("no ETag in {answer}")).to_owned()
}

async fn on(via: &Instance, path: &str, tag: &str, body: &str) -> Answer {
    Call::append(path).header("if-match", tag).body(body).ask(&via.streams).await
}

/// See: <https://github.com/durable-streams/durable-streams/pull/34>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_append_on_an_etag_applies_only_to_that_version() {
    let [one, two] = two("if-match").await;
    let path = "/v1/stream/versions";
    let _ = one.create(path).await.expect_status(201);
    let page = Call::get(path).ask(&two.streams).await.expect_status(200);
    let first = tag(&Call::head(path).ask(&two.streams).await);

    let applied = on(&one, path, &first, "a").await.expect_status(204);
    assert_ne!(tag(&applied), first);
    let refused = on(&two, path, &first, "b").await.expect_status(412);
    assert_eq!(refused.error_code().as_deref(), Some("IF_MATCH_FAILED"));
    assert_eq!(refused.next_offset(), applied.next_offset());
    let stale = on(&two, path, &tag(&page), "b").await;
    assert_eq!(stale.status, 412, "a page of before: {stale}");
    let _ = on(&two, path, &format!("W/{}", tag(&applied)), "b").await.expect_status(412);
    assert_eq!(one.text(path).await, "a");

    let _ = on(&two, path, "*", "b").await.expect_status(204);
    assert_eq!(one.text(path).await, "ab");
    let missing = on(&one, "/v1/stream/none", "*", "x").await;
    assert!([404, 412].contains(&missing.status.as_u16()), "{missing}");
}

/// See: <https://github.com/durable-streams/durable-streams/pull/34>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_appends_on_one_etag_exactly_one_applies() {
    let instances = two("if-match-race").await;
    let path = "/v1/stream/race";
    let _ = instances[0].create(path).await.expect_status(201);
    let mut text = String::new();
    for fault in [None, Some(Fault::AnswerLost), Some(Fault::Twice), Some(Fault::Conflict), Some(Fault::HalfAnswer)] {
        let version = tag(&Call::head(path).ask(&instances[1].streams).await);
        if let Some(fault) = &fault {
            // Whichever of them gets there first meets it.
            for instance in &instances {
                instance.proxy.apply(Rule::new(Matcher::record(), fault.clone()));
            }
        }
        let bodies: Vec<String> = (0..AT_ONCE).map(|number| format!("{number:02}")).collect();
        let appends = bodies.iter().enumerate().map(|(number, body)| on(&instances[number % 2], path, &version, body));
        let answers = join_all(appends).await;
        let (won, lost): (Vec<_>, Vec<_>) = answers.iter().zip(&bodies).partition(|(answer, _)| answer.status == 204);
        assert_eq!(won.len(), 1, "{fault:?}: {won:?}");
        assert!(lost.iter().all(|(answer, _)| answer.status == 412), "{fault:?}: {lost:?}");
        text.push_str(won[0].1);
        for instance in &instances {
            assert_eq!(instance.text(path).await, text, "{fault:?}");
            instance.proxy.heal();
        }
    }
}
