//! Conditional requests, as clients and proxies really send them.

use futures::future::join_all;

use crate::harness::Service;

const TYPE: &str = "content-type: text/plain";

/// See: <https://github.com/jshttp/fresh/issues/17>, <https://github.com/kubernetes/ingress-nginx/issues/1390>
#[tokio::test]
async fn a_page_the_client_has_is_answered_with_304_and_every_header() {
    let service = Service::new();
    for stream in service.both("etag", "text/plain", "hello").await {
        for query in ["", "?offset=2", "?max_bytes=2", "?offset=5"] {
            let whole = stream.ask(&format!("GET {{s}}{query}")).await;
            let tag = whole.header("etag").unwrap();
            let mut headers = whole.headers.clone();
            headers.remove("content-length");
            for tags in [
                tag.to_owned(),
                format!("W/{tag}"),
                format!("\"x\", {tag}"),
                format!("\"x\",W/{tag}"),
                format!("\"x\"\nif-none-match: {tag}"),
                format!("unquoted, {tag}"),
                "*".to_owned(),
            ] {
                let known = stream.expect(&format!("GET {{s}}{query}\nif-none-match: {tags}"), "304").await;
                assert_eq!(known.headers, headers, "{query} {tags}");
            }
            for tags in ["\"x\"", "x", "", &tag.replace('"', ""), &format!("\"{}-gzip\"", tag.trim_matches('"'))] {
                let fresh = stream.ask(&format!("GET {{s}}{query}\nif-none-match: {tags}")).await;
                assert_eq!(fresh, whole, "{query} {tags}");
            }
        }
    }
}

#[tokio::test]
async fn appending_and_closing_change_the_tag_of_a_page_at_the_tail() {
    let service = Service::new();
    for stream in service.both("changes", "text/plain", "hello").await {
        let known = "GET {s}\nif-none-match: \"{token}:0:5:t\"";
        stream.expect(known, "304").await;
        stream.expect(&format!("POST {{s}}\n{TYPE}\n\n more"), "204").await;
        stream.expect(known, "200").await;
        let known = "GET {s}\nif-none-match: \"{token}:0:10:t\"";
        stream.expect(known, "304\n!stream-closed").await;
        stream.expect("POST {s}\nstream-closed: true", "204").await;
        stream.expect(known, "200\nstream-closed: true\netag: \"{token}:0:10:t:c\"").await;
        // A page below the tail stays what it was.
        stream.expect("GET {s}?max_bytes=5\nif-none-match: \"{token}:0:5\"", "304").await;
    }
}

#[tokio::test]
async fn the_tail_of_now_has_no_tag_and_ignores_them() {
    let service = Service::new();
    for stream in service.both("now", "text/plain", "hello").await {
        stream.expect("GET {s}?offset=now\nif-none-match: *", "200\n!etag").await;
        stream.expect("GET {s}?offset=now\nif-none-match: \"{token}:5:5:t\"", "200\n!etag").await;
    }
}

#[tokio::test]
async fn the_two_forms_of_json_have_tags_of_their_own() {
    let service = Service::new();
    let stream = service.stream("/v1/stream/forms", "application/json", "[1,2]").await;
    for (accept, own, other) in [
        ("application/json", "\"{token}:0:4:a:t\"", "\"{token}:0:4:t\""),
        ("application/x-ndjson", "\"{token}:0:4:t\"", "\"{token}:0:4:a:t\""),
    ] {
        let ask = |tag| format!("GET {{s}}\naccept: {accept}\nif-none-match: {tag}");
        stream.expect(&ask(own), &format!("304\nvary: accept\nstream-next-offset: @4\netag: {own}")).await;
        stream.expect(&ask(other), "200").await;
    }
    // Where the array is cut is known only from its bytes.
    let cut = "GET {s}?max_bytes=3\nif-none-match: \"{token}:0:2:a\"";
    stream.expect(cut, "304\nstream-next-offset: @2\n!stream-up-to-date").await;
}

/// See: <https://github.com/durable-streams/durable-streams/pull/34>
#[tokio::test]
async fn an_append_applies_only_to_the_version_it_names() {
    let service = Service::new();
    for stream in service.both("cas", "text/plain", "hello").await {
        let append = |tag: &str| format!("POST {{s}}\n{TYPE}\nif-match: {tag}\n\n!");
        let read = stream.ask("GET {s}").await.header("etag").unwrap().to_owned();
        let made = stream.expect(&append(&read), "204\nstream-next-offset: @6").await;
        let failed = "412 IF_MATCH_FAILED\netag: \"{token}:6\"\nstream-next-offset: @6\n!stream-incarnation";
        for stale in
            [read.as_str(), "\"{token}:5\"", "\"x\"", "x", "W/\"{token}:6\"", "\"{token}:6:c\"", "\"{token}:0:6\"", ""]
        {
            stream.refuses(&append(stale), failed).await;
        }
        let tag = made.header("etag").unwrap();
        stream.expect(&append(&format!("\"x\", {tag}")), "204").await;
        stream.expect(&append("*"), "204").await;
        stream.expect("POST {s}\nstream-closed: true\nif-match: \"{token}:8\"", "204\netag: \"{token}:8:c\"").await;
        // What a close made of the stream is another version.
        stream.refuses(&append("\"{token}:8\""), "412 IF_MATCH_FAILED\netag: \"{token}:8:c\"").await;
        stream.refuses(&append("\"{token}:8:c\""), "409 STREAM_CLOSED").await;
    }
    service
        .ask(&format!("POST /v1/stream/none\n{TYPE}\nif-match: *\n\n!"))
        .await
        .check("missing", "404 STREAM_NOT_FOUND");
}

#[tokio::test]
async fn of_writes_that_name_one_version_exactly_one_applies() {
    let service = Service::new();
    let stream = service.stream("/v1/stream/race", "text/plain", "").await;
    let request = format!("POST {{s}}\n{TYPE}\nif-match: \"{{token}}:0\"\n\nx");
    let replies = join_all((0..16).map(|_| stream.ask(&request))).await;
    let applied = replies.iter().filter(|reply| reply.status == 204).count();
    let failed = replies.iter().filter(|reply| reply.code().as_deref() == Some("IF_MATCH_FAILED")).count();
    assert_eq!((applied, failed), (1, 15));
    assert_eq!(stream.ask("GET {s}").await.text(), "x");
}

#[tokio::test]
async fn a_keyed_repeat_is_answered_before_its_condition() {
    let service = Service::new();
    let stream = service.stream("/v1/stream/keyed", "text/plain", "").await;
    let write = format!(
        "POST {{s}}\n{TYPE}\nif-match: \"{{token}}:0\"\nproducer-id: p\nproducer-epoch: 0\nproducer-seq: 0\n\nx"
    );
    stream.expect(&write, "200").await;
    stream.expect(&write, "204\nstream-next-offset: @1").await;
}
