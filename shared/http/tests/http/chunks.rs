//! Chunks, row by row of the contract's "Immutable URLs".

use crate::harness::Service;

const CELL: usize = 4 << 20;

/// The digits of an offset in a path.
fn at(offset: usize) -> String {
    format!("{offset:020}")
}

#[tokio::test]
async fn a_chunk_says_where_it_lies_and_whether_that_is_its_last_word() {
    let service = Service::new();
    let stream = service.stream("/ds/acct/chunks", "text/plain", "abcdef").await;
    let url = format!("{{s}}/incarnation/{{token}}/chunk/{}", at(2));
    let expected = "200\ncontent-type: text/plain\nstream-incarnation: {token}\nstream-offset: @2\n\
         stream-next-offset: @6\ncache-control: no-store\netag: \"{token}:2:6:t\"\n\
         !stream-immutable\n!stream-closed\n!stream-up-to-date\n!accept-ranges\n!vary";
    let reply = stream.expect(&format!("GET {url}"), expected).await;
    assert_eq!(reply.body, "cdef");
    let head = stream.expect(&format!("HEAD {url}"), expected).await;
    assert_eq!(head.header("content-length"), Some("4"));
    stream.ask("POST {s}\nstream-closed: true").await;
    let closed = "200\nstream-next-offset: @6\nstream-immutable: true\nstream-closed: true\n\
         cache-control: public, max-age=31536000, immutable\netag: \"{token}:2:6:t:c\"";
    assert_eq!(stream.expect(&format!("GET {url}"), closed).await.body, "cdef");
    let end = format!("{{s}}/incarnation/{{token}}/chunk/{}", at(6));
    let empty = "200\nstream-offset: @6\nstream-next-offset: @6\nstream-immutable: true\nstream-closed: true";
    assert_eq!(stream.expect(&format!("GET {end}"), empty).await.body, "");
}

#[tokio::test]
async fn a_full_chunk_is_marked_once_the_tail_lies_above_it() {
    let service = Service::new();
    let stream = service.stream("/ds/acct/full", "application/octet-stream", &"x".repeat(CELL)).await;
    let url = format!("{{s}}/incarnation/{{token}}/chunk/{}", at(0));
    let full = format!("200\nstream-next-offset: @{CELL}\n!stream-immutable\ncache-control: no-store");
    assert_eq!(stream.expect(&format!("GET {url}"), &full).await.body.len(), CELL);
    stream.ask("POST {s}\ncontent-type: application/octet-stream\n\ny").await;
    let marked = format!(
        "200\nstream-next-offset: @{CELL}\nstream-immutable: true\n!stream-closed\netag: \"{{token}}:0:{CELL}\"\n\
         cache-control: public, max-age=31536000, immutable"
    );
    assert_eq!(stream.expect(&format!("GET {url}"), &marked).await.body.len(), CELL);
    let off_grid = format!("{{s}}/incarnation/{{token}}/chunk/{}", at(CELL - 3));
    assert_eq!(
        stream.expect(&format!("GET {off_grid}"), &marked.replace(":0:", &format!(":{}:", CELL - 3))).await.body,
        "xxx"
    );
}

#[tokio::test]
async fn chunks_of_json_are_lines_cut_at_the_grid_and_never_compressed() {
    let service = Service::new();
    let stream = service.stream("/ds/acct/json", "application/json", "").await;
    for _ in 0..3 {
        let body = format!("\"{}\"", "z".repeat(2_000_000));
        stream.ask(&format!("POST {{s}}\ncontent-type: application/json\n\n{body}")).await;
    }
    let url = format!("GET {{s}}/incarnation/{{token}}/chunk/{}\naccept-encoding: gzip, br\nrange: bytes=0-9", at(0));
    let expected = "200\ncontent-type: application/x-ndjson\nstream-immutable: true\n!content-encoding\n!vary";
    let reply = stream.expect(&url, expected).await;
    assert_eq!(reply.body.len(), CELL, "no range, and not the end of a message");
}

#[tokio::test]
async fn what_a_client_has_already_is_not_sent_again() {
    let service = Service::new();
    let stream = service.stream("/ds/acct/known", "text/plain", "abc").await;
    let url = format!("{{s}}/incarnation/{{token}}/chunk/{}", at(0));
    for tag in ["\"{token}:0:3:t\"", "W/\"{token}:0:3:t\"", "\"x\", \"{token}:0:3:t\"", "*"] {
        let tag = tag.replace("{token}", &stream.token);
        let expected =
            "304\nstream-offset: @0\nstream-next-offset: @3\nstream-incarnation: {token}\netag: \"{token}:0:3:t\"";
        stream.expect(&format!("GET {url}\nif-none-match: {tag}"), expected).await;
    }
    stream.expect(&format!("GET {url}\nif-none-match: \"other\""), "200").await;
    stream.expect(&format!("GET {url}\nif-match: *"), "400 UNSUPPORTED").await;
}

#[tokio::test]
async fn the_order_of_checks() {
    let service = Service::new();
    let stream = service.stream("/ds/acct/order", "text/plain", "abc").await;
    let other = "4503599627370497";
    let of = |token: &str, offset: usize| format!("GET {{s}}/incarnation/{token}/chunk/{}", at(offset));
    stream
        .expect(&of("{token}", 4), "416 OFFSET_OUT_OF_RANGE\nstream-next-offset: @3\nstream-incarnation: {token}")
        .await;
    stream.expect(&of(other, 4), "416 OFFSET_OUT_OF_RANGE").await;
    stream.expect(&of(other, 3), "412 INCARNATION_MISMATCH\nstream-incarnation: {token}").await;
    // The header does not speak of this resource.
    stream.expect(&format!("{}\nstream-incarnation: {other}", of("{token}", 0)), "200").await;
    stream.expect(&format!("{}\nstream-incarnation: nonsense", of("{token}", 0)), "200").await;
    service
        .ask("GET /ds/acct/none/incarnation/4503599627370497/chunk/00000000000000000000")
        .await
        .check("none", "404 STREAM_NOT_FOUND");
    stream.ask("DELETE {s}").await;
    stream.expect(&of("{token}", 0), "404 STREAM_NOT_FOUND").await;
}

#[tokio::test]
async fn a_digest_comes_with_a_chunk_on_request() {
    let service = Service::new();
    let stream = service.stream("/ds/acct/digest", "text/plain", "").await;
    let url = format!("GET {{s}}/incarnation/{{token}}/chunk/{}\nwant-content-digest: sha-256=1", at(0));
    let empty = "200\ncontent-digest: sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:";
    stream.expect(&url, empty).await;
}
