//! Answers as they are streamed.

use crate::harness::Service;

const STREAM: &str = "/ds/acct/s";

async fn with_snapshot() -> Service {
    let service = Service::new();
    service.create(STREAM, "text/plain").await;
    let append = service.ask("POST", STREAM, &[("content-type", "text/plain")], Some("abc")).await;
    assert_eq!(append.status, 204);
    let snapshot = format!("{STREAM}/snapshot/3");
    let publish = service.ask("PUT", &snapshot, &[("content-type", "text/plain")], Some("sum")).await;
    assert_eq!(publish.status, 204);
    service
}

#[tokio::test]
async fn answers_without_a_body_have_none() {
    let service = with_snapshot().await;
    let page = service.ask("GET", STREAM, &[], None).await;
    for (method, headers, status) in [
        ("HEAD", &[][..], 200),
        ("GET", &[("if-none-match", page.headers["etag"].as_str())], 304),
        ("OPTIONS", &[("origin", "https://a.example"), ("access-control-request-method", "GET")], 204),
        ("DELETE", &[], 204),
        ("HEAD", &[], 404),
    ] {
        let answer = service.ask(method, STREAM, headers, None).await;
        assert_eq!((answer.status, answer.text()), (status, ""), "{method}");
    }
}

/// The last event is a whole control event; a comment may follow.
#[tokio::test]
async fn events_end_between_two_at_the_end_of_their_lifetime() {
    let service = with_snapshot().await;
    let events = service.ask("GET", &format!("{STREAM}?offset=-1&live=sse"), &[], None).await;
    assert_eq!(events.status, 200);
    let text = events.text();
    assert!(text.starts_with("event: data\ndata:abc\n"), "{text}");
    assert!(text.ends_with("\n\n"), "{text}");
    let last = text.trim_end().rsplit("\n\n").find(|event| !event.starts_with(':')).unwrap();
    assert!(last.starts_with("event: control\n"), "{text}");
    assert_eq!(service.broken(), 0);
}

#[tokio::test]
async fn a_bootstrap_has_its_end() {
    let service = with_snapshot().await;
    let whole = service.ask("GET", &format!("{STREAM}/bootstrap"), &[], None).await;
    assert!(whole.text().contains("sum") && whole.text().ends_with("--\r\n"), "{}", whole.text());
}
