//! The proxy itself does what its faults say.

use std::time::Duration;

use wadi_tests::{
    bucket::Bucket,
    proxy::{Fault, Matcher, Proxy, Rule, Verb},
    store::Object,
    wait,
};

/// How long nothing may come to be taken for silence.
const SILENCE: Duration = Duration::from_millis(300);

/// What a client hears of a write: a status, `None` for a broken connection; and whether it applied.
async fn write_under(proxy: &Proxy, honest: &Bucket, fault: Fault) -> (Option<u16>, bool) {
    let key = fault.name().replace(' ', "-");
    proxy.apply(Rule::new(Matcher::put(), fault));
    let heard = Object::new(proxy.bucket(), &key).try_put_if_absent("text").await;
    (heard, Object::new(honest, &key).get().await.is_some())
}

#[tokio::test]
async fn faults_of_writes_do_what_they_say() {
    let honest = Bucket::fresh("proxy");
    let proxy = Proxy::before(&honest).await;
    for (fault, heard, applied) in [
        (Fault::Reset, None, false),
        (Fault::AnswerLost, None, true),
        (Fault::HalfAnswer, None, true),
        (Fault::Conflict, Some(409), false),
        (Fault::PreconditionFailed, Some(412), false),
        (Fault::SlowDown, Some(503), false),
        (Fault::Twice, Some(412), true),
    ] {
        let name = fault.name();
        assert_eq!(write_under(&proxy, &honest, fault).await, (heard, applied), "{name}");
    }
    assert_eq!(write_under(&proxy, &honest, Fault::Late(Duration::from_millis(50))).await.0, None);
    let late = Object::new(&honest, "late");
    wait::until("a late write applies", wait::LIMIT, async || late.get().await).await;
    let object = Object::new(proxy.bucket(), "late");
    proxy.apply(Rule::new(Matcher::put(), Fault::Unconditional));
    assert_eq!(object.put_if_absent("other").await, 200, "the condition got lost");
    assert_eq!(object.put_if_absent("third").await, 412, "and then no more");
    assert_eq!(late.get().await.as_deref(), Some(b"other".as_slice()));
}

#[tokio::test]
async fn silent_and_held_requests_wait() {
    let honest = Bucket::fresh("proxy-held");
    let proxy = Proxy::before(&honest).await;
    for (fault, applied) in [(Fault::StalledRequest, false), (Fault::StalledAnswer, true)] {
        let name = fault.name();
        let silent = tokio::time::timeout(SILENCE, write_under(&proxy, &honest, fault)).await;
        assert!(silent.is_err(), "{name}: {silent:?}");
        let there = Object::new(&honest, &name.replace(' ', "-")).get().await.is_some();
        assert_eq!(there, applied, "{name}");
    }
    let (through, behind) = (Object::new(proxy.bucket(), "held"), Object::new(&honest, "held"));
    let gate = proxy.hold(Matcher::put().key_ends("held"));
    // The client goes away; the request stays.
    assert!(tokio::time::timeout(SILENCE, through.put_if_absent("text")).await.is_err());
    gate.arrived().await;
    assert!(behind.get().await.is_none());
    gate.open().await;
    assert!(behind.get().await.is_some());

    let gate = proxy.hold_answer(Matcher::get().key_ends("held"));
    let (read, ()) = tokio::join!(through.get(), async {
        gate.arrived().await;
        gate.open().await;
    });
    assert_eq!(read.as_deref(), Some(b"text".as_slice()));
}

#[tokio::test]
async fn what_was_asked_is_seen() {
    let honest = Bucket::fresh("proxy-seen");
    let proxy = Proxy::before(&honest).await;
    let object = Object::new(proxy.bucket(), "a%2520b");
    proxy.apply(Rule::new(Matcher::get(), Fault::SlowDown).after(1));
    assert_eq!(object.put_if_absent("text").await, 200);
    assert!(object.get().await.is_some());
    assert!(object.get().await.is_none(), "the second read meets the fault");
    let seen: Vec<_> = proxy.seen().into_iter().map(|seen| (seen.verb, seen.fault, seen.status)).collect();
    let expected = [(Verb::Put, None, Some(200)), (Verb::Get, None, Some(200)), (Verb::Get, Some("503"), None)];
    assert_eq!(seen, expected);
    assert!(proxy.seen().iter().all(|seen| seen.key == "a%20b"), "{:?}", proxy.seen());
}
