//! Stores that take conditions and do not keep them.

use std::process::Command;

use futures::future::join_all;
use wadi_tests::{
    bucket::Bucket,
    call::Call,
    process::Process,
    proxy::{Condition, Fault, Matcher, Proxy, Rule, Seen, Verb},
    server::Launch,
    tools, wait,
};

/// What `wadi selftest` ends with when the store broke a promise.
const UNFIT: i32 = 1;

/// See: <https://github.com/minio/minio/issues/21526>, <https://github.com/minio/minio/issues/21603>,
/// <https://github.com/seaweedfs/seaweedfs/issues/8800>, <https://github.com/pithings/mountx/issues/19>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_acknowledged_on_a_store_that_ignores_conditions() {
    let bucket = Bucket::fresh("unfit");
    let proxy = Proxy::before(&bucket).await;
    proxy.apply(Rule::new(Matcher::put(), Fault::Unconditional).always());
    let server = Launch::on_s3(proxy.bucket()).start_listening().await;
    let streams = server.streams();
    let ready = wait::until("the self-test has ended", wait::LIMIT, async || {
        let answer = Call::get("/readyz").ask(&streams).await;
        (answer.error_code().as_deref() == Some("STORE_UNFIT")).then_some(answer)
    })
    .await;
    let _ = ready.expect_status(503);
    let log = server.transcript();
    assert!(log.contains("a key must be created only once"), "the probe that failed is named: {log}");

    proxy.forget();
    let path = "/v1/stream/s";
    for call in [
        Call::create(path, "text/plain"),
        Call::create(path, "text/plain").body("first"),
        Call::append(path).body("a"),
        Call::append(path).header("stream-closed", "true"),
        Call::delete(path),
    ] {
        let answer = call.ask(&streams).await;
        assert_eq!(answer.status, 503, "{call:?}: {answer}");
        assert_eq!(answer.error_code().as_deref(), Some("STORE_UNFIT"), "{call:?}");
        assert!(answer.header("retry-after").is_some(), "{answer}");
    }
    let written: Vec<Seen> = proxy.seen().into_iter().filter(Seen::writes).collect();
    assert!(written.is_empty(), "{written:?}");
}

/// See: <https://github.com/minio/minio/issues/21526>, <https://github.com/seaweedfs/seaweedfs/issues/8800>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_way_of_ignoring_conditions_is_found_out() {
    let ways = [
        ("creates", Matcher::put().with(Condition::IfNoneMatch), "created only once"),
        ("updates", Matcher::put().with(Condition::IfMatch), "an old ETag"),
        ("missing", Matcher::put().key_ends("/missing"), "update of a missing key"),
        ("racing-creates", Matcher::put().key_has("raced-create"), "concurrent creates"),
        ("racing-updates", Matcher::put().key_has("raced-update").with(Condition::IfMatch), "concurrent updates"),
    ];
    join_all(ways.map(async |(name, matcher, named)| {
        let proxy = Proxy::before(&Bucket::fresh(name)).await;
        proxy.apply(Rule::new(matcher, Fault::Unconditional).always());
        let (code, said) = self_test(&proxy).await;
        assert_eq!(code, Some(UNFIT), "{name}: {said}");
        assert!(said.contains("unfit") && said.contains(named), "{name}: {said}");
    }))
    .await;
}

/// What an honest store is asked, and that it passes.
///
/// See: <https://github.com/pithings/mountx/issues/19>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_honest_store_is_proved_by_every_probe() {
    let proxy = Proxy::before(&Bucket::fresh("honest")).await;
    let (code, said) = self_test(&proxy).await;
    assert_eq!(code, Some(0), "{said}");
    let seen = proxy.seen();
    let puts = |condition, end: &str| -> Vec<u16> {
        let of = |seen: &&Seen| seen.verb == Verb::Put && seen.condition == condition && seen.key.ends_with(end);
        seen.iter().filter(of).filter_map(|seen| seen.status).collect()
    };
    assert_eq!(puts(Condition::IfNoneMatch, "/object"), [200, 412], "a key that exists is not created");
    assert_eq!(puts(Condition::IfMatch, "/object"), [200, 412], "a stale update fails");
    assert!(matches!(puts(Condition::IfMatch, "/missing")[..], [404 | 412]), "an update of a missing key fails");
    for round in 0..5 {
        let raced = puts(Condition::IfNoneMatch, &format!("/raced-create-{round}"));
        assert_eq!(raced.len(), 3);
        assert_eq!(raced.iter().filter(|status| **status == 200).count(), 1, "{raced:?}");
    }
    assert!(seen.iter().all(|seen| seen.key.starts_with("selftest/") || seen.verb == Verb::Delete), "{seen:?}");
}

/// Runs `wadi selftest`: how it ended, and what it said.
async fn self_test(proxy: &Proxy) -> (Option<i32>, String) {
    let mut command = Command::new(tools::wadi());
    command.args(["selftest", "--store", &proxy.bucket().store, "--endpoint", &proxy.bucket().endpoint]);
    let mut process = Process::spawn("wadi selftest", command);
    let status = process.exit(wait::LIMIT).await;
    (status.code(), process.transcript())
}
