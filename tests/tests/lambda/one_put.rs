//! What a warm append costs, seen at the bucket.

use wadi_tests::{
    bucket::Bucket,
    call::Call,
    emulator::Emulator,
    proxy::{Condition, Proxy, Seen, Verb},
};

const STREAM: &str = "/v1/stream/warm";

#[tokio::test]
async fn a_warm_append_is_exactly_one_request_and_one_that_crosses_a_mib_is_two() {
    let proxy = Proxy::before(&Bucket::fresh("lambda-one-put")).await;
    let emulator = Emulator::start().await;
    let _environments = emulator.environments(1, proxy.bucket(), &[("WADI_SEALING", "events")]);
    let streams = emulator.streams();
    let _ = Call::create(STREAM, "text/plain").ask(&streams).await.expect_status(201);
    for (bytes, marks) in [(1, 0), (1000, 0), (1 << 20, 1), (10, 0)] {
        proxy.forget();
        let _ = Call::append(STREAM).body(vec![b'x'; bytes]).ask(&streams).await.expect_status(204);
        let seen = proxy.seen();
        assert_eq!(seen.len(), 1 + marks, "{bytes} bytes: {seen:?}");
        assert!(is_record(&seen[0]), "{bytes} bytes: {seen:?}");
        assert!(seen[1..].iter().all(|seen| seen.key.starts_with("due/seal/")), "{seen:?}");
    }
}

fn is_record(seen: &Seen) -> bool {
    seen.verb == Verb::Put && seen.condition == Condition::IfNoneMatch && seen.key.contains("/log/")
}
