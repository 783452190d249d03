//! Retention: the rows of the contract, and what is told of what was let go.

use crate::harness::Service;

#[tokio::test]
async fn rows_of_retention() {
    let service = Service::new();
    let stream = service.stream("/ds/acct/keep", "text/plain", "0123456789").await;
    let beyond = "409 SNAPSHOT_CONFLICT\nstream-next-offset: @10\n!stream-snapshot-offset\n!stream-incarnation";
    for (request, refusal) in [
        ("PUT {s}/retention/x\nif-match: *", "400 UNSUPPORTED"),
        ("PUT {s}/retention/x\nstream-incarnation: x", "400 INVALID_OFFSET"),
        ("PUT {s}/retention/-1", "400 INVALID_OFFSET"),
        ("PUT /ds/acct/none/retention/3\nstream-incarnation: x", "400 INVALID_HEADER"),
        ("PUT /ds/acct/none/retention/3\nstream-incarnation: 5", "404 STREAM_NOT_FOUND"),
        ("PUT {s}/retention/99\nstream-incarnation: 5", "412 INCARNATION_MISMATCH\nstream-incarnation: {token}"),
        ("PUT {s}/retention/1", beyond),
        ("GET {s}/retention/1", "405 METHOD_NOT_ALLOWED\nallow: PUT, OPTIONS"),
    ] {
        stream.refuses(request, refusal).await;
    }
    let kept =
        |at: u64| format!("204\nstream-retained-offset: @{at}\nstream-incarnation: {{token}}\ncache-control: no-store");
    stream.expect("PUT {s}/retention/0", &kept(0)).await;
    stream.expect("PUT {s}/snapshot/7\n\nstate", "204").await;
    stream.expect("PUT {s}/retention/4\nstream-incarnation: {token}", &kept(4)).await;
    for at in ["4", "3", "0", "00000000000000000004"] {
        stream.expect(&format!("PUT {{s}}/retention/{at}"), &kept(4)).await;
    }
    for at in ["8", "10", "11", "18446744073709551615"] {
        stream.refuses(&format!("PUT {{s}}/retention/{at}"), beyond).await;
    }
    stream.expect("POST {s}\nstream-closed: true", "204").await;
    stream.expect("PUT {s}/retention/7", &kept(7)).await;
}

#[tokio::test]
async fn what_was_let_go_is_gone_for_every_reader() {
    let service = Service::new();
    let stream = service.stream("/ds/acct/keep", "text/plain", "0123456789").await;
    stream.expect("PUT {s}/snapshot/7\n\nstate", "204").await;
    stream.expect("PUT {s}/retention/5", "204").await;
    let gone = "410 STREAM_GONE\nstream-next-offset: @5\nstream-incarnation: {token}";
    for request in [
        "GET {s}",
        "GET {s}?offset=-1",
        "GET {s}?offset=4\nstream-incarnation: 5",
        "GET {s}?offset=0&live=long-poll",
        "GET {s}/incarnation/{token}/chunk/00000000000000000004",
    ] {
        stream.expect(request, gone).await;
    }
    assert_eq!(stream.expect("GET {s}?offset=5", "200").await.text(), "56789");
    let events = stream.ask("GET {s}?offset=0&live=sse").await;
    assert!(events.text().contains("STREAM_GONE"), "{}", events.text());
    stream.expect("HEAD {s}", "200\nstream-retained-offset: @5\nstream-snapshot-offset: @7").await;
    assert_eq!(stream.expect("GET {s}/snapshot/7", "200").await.text(), "state");
    let publish = "410 STREAM_GONE\nstream-next-offset: @5\n!stream-incarnation";
    stream.expect("PUT {s}/snapshot/4\n\nx", publish).await;
    stream.expect("POST {s}\ncontent-type: text/plain\n\na", "204\nstream-next-offset: @11").await;
}

#[tokio::test]
async fn a_json_stream_is_let_go_of_between_messages() {
    let service = Service::new();
    let stream = service.stream("/ds/acct/keep", "application/json", "[11,22,33]").await;
    stream.expect("PUT {s}/snapshot/9\n\nstate", "204").await;
    for at in ["1", "4", "8"] {
        let inside = "400 INVALID_SNAPSHOT\nstream-next-offset: @9";
        stream.refuses(&format!("PUT {{s}}/retention/{at}"), inside).await;
    }
    stream.expect("PUT {s}/retention/3", "204\nstream-retained-offset: @3").await;
    let reply = stream.expect("GET {s}?offset=3\naccept: application/json", "200").await;
    assert_eq!(reply.text(), "[22,33]");
    stream.expect("PUT {s}/retention/9", "204\nstream-retained-offset: @9").await;
}

/// See: <https://github.com/durable-streams/durable-streams/issues/404>
///
/// A reader in the middle of what is let go of is told so, whatever it asks with, and where to go on. It is
/// never moved there silently.
#[tokio::test]
async fn case_24_a_reader_in_the_middle_of_what_is_let_go_of() {
    let service = Service::new();
    let stream = service.stream("/ds/acct/keep", "text/plain", "0123456789").await;
    let page = stream.expect("GET {s}?offset=-1&max_bytes=3", "200\nstream-next-offset: @3").await;
    let (tag, next) = (page.header("etag").unwrap(), page.header("stream-next-offset").unwrap());
    stream.expect("PUT {s}/snapshot/8\n\nstate", "204").await;
    stream.expect("PUT {s}/retention/6", "204").await;
    let gone = "410 STREAM_GONE\nstream-next-offset: @6\nstream-incarnation: {token}\ncache-control: no-store\n!etag";
    for request in [
        format!("GET {{s}}?offset={next}"),
        format!("GET {{s}}?offset={next}&live=long-poll\nstream-incarnation: {{token}}"),
        format!("GET {{s}}?offset=-1&max_bytes=3\nif-none-match: {tag}"),
        "GET {s}?offset=-1".to_owned(),
        "GET {s}".to_owned(),
    ] {
        stream.expect(&request, gone).await;
    }
    let events = stream.ask(&format!("GET {{s}}?offset={next}&live=sse\nlast-event-id: {next}")).await;
    assert!(events.text().starts_with("event: error"), "{}", events.text());
    assert!(events.text().contains("STREAM_GONE") && !events.text().contains("event: data"), "{}", events.text());
    stream.expect("HEAD {s}", "200\nstream-retained-offset: @6\nstream-next-offset: @10").await;
    let rest = stream.expect("GET {s}?offset=00000000000000000006", "200\nstream-next-offset: @10").await;
    assert_eq!(rest.text(), "6789");
}
