//! `Content-Digest`, for clients that want it.

use base64::{Engine, engine::general_purpose::STANDARD};
use sha2::{Digest, Sha256};

use crate::harness::{Reply, Service};

fn digest_of(reply: &Reply) -> String {
    format!("sha-256=:{}:", STANDARD.encode(Sha256::digest(&reply.body)))
}

#[tokio::test]
async fn a_page_has_the_digest_of_the_bytes_that_are_sent() {
    let service = Service::new();
    let messages = format!("[{}1]", "{\"a\":\"b\"},".repeat(40));
    for (content_type, body) in [("text/plain", "line\n".repeat(80)), ("application/json", messages)] {
        for stream in service.both(&content_type.replace('/', "-"), content_type, &body).await {
            for query in ["offset=-1", "offset=3&max_bytes=0&", "offset=now", "offset=-1&live=long-poll"] {
                for coding in ["", "gzip", "br", "zstd"] {
                    let request = format!("GET {{s}}?{query}\naccept: application/x-ndjson\naccept-encoding: {coding}");
                    let wanting = format!("{request}\nwant-content-digest: sha-512=3, sha-256=10");
                    let reply = stream.expect(&wanting, "200").await;
                    assert_eq!(reply.header("content-digest"), Some(digest_of(&reply).as_str()), "{request}");
                    stream.expect(&request, "200\n!content-digest").await;
                }
            }
        }
    }
}

#[tokio::test]
async fn there_is_no_digest_without_bytes_or_without_the_one_algorithm() {
    let service = Service::new();
    let stream = service.stream("/v1/stream/none", "text/plain", "abc").await;
    let want = "want-content-digest: sha-256=1";
    stream.expect(&format!("GET {{s}}\n{want}\nif-none-match: *"), "304\n!content-digest").await;
    stream.expect(&format!("HEAD {{s}}\n{want}"), "200\n!content-digest").await;
    stream.expect(&format!("GET {{s}}?offset=9\n{want}"), "416 OFFSET_OUT_OF_RANGE\n!content-digest").await;
    for unwanted in ["sha-256=0", "sha-512=1", "md5=1", "sha-256", "garbage;;"] {
        stream.expect(&format!("GET {{s}}\nwant-content-digest: {unwanted}"), "200\n!content-digest").await;
    }
}
