//! The bucket as a read origin of immutable URLs.

use std::collections::BTreeMap;

use bytes::Bytes;
use reqwest::{Response, StatusCode};
use wadi_tests::{
    bucket::Bucket,
    server::{Launch, Server},
    store::Object,
    wait,
};

use crate::stream::{Stream, header, noise};

/// Holds what the S3 server has under the path of an immutable URL against the answer of the process, which is
/// returned: status, bytes, and header by header.
pub(crate) async fn is_served_alike(bucket: &Bucket, stream: &Stream, server: &Server, path: &str) -> Bytes {
    let object = Object::new(bucket, path);
    let stored = wait::until("the object is in the bucket", wait::LIMIT, async || object.answer().await).await;
    let url = format!("{}/{path}", server.address().url());
    let answered = stream.http.get(url).send().await.expect("an answer");
    assert_eq!((answered.status(), stored.status()), (StatusCode::OK, StatusCode::OK), "{path}");
    for same in ["content-type", "content-length"] {
        assert_eq!(header(&answered, same), header(&stored, same), "{path}: {same}");
    }
    let kept = header(&stored, "cache-control").expect("a rule for caches");
    assert_eq!(header(&answered, "cache-control"), Some(format!("public, {kept}")), "{path}");
    let marked = marks(&answered, "stream-");
    assert_eq!(marked.get("immutable").map(String::as_str), Some("true"), "{path}");
    assert_eq!(marked, marks(&stored, "x-amz-meta-stream-"), "{path}");
    let answered = answered.bytes().await.expect("a whole answer");
    assert_eq!(answered, stored.bytes().await.expect("a whole object"), "{path}");
    answered
}

/// What an answer tells in headers that begin so, by the rest of their names.
fn marks(answer: &Response, begin: &str) -> BTreeMap<String, String> {
    let names = answer.headers().keys().filter_map(|name| name.as_str().strip_prefix(begin));
    names.map(|rest| (rest.to_owned(), header(answer, &format!("{begin}{rest}")).expect("it is there"))).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_bucket_serves_a_snapshot_as_the_process_does() {
    let bucket = Bucket::fresh("snapshot");
    let server = Launch::on_s3(&bucket).start().await;
    let stream = Stream::create(&server, "state").await;
    stream.append(&server, noise(1000, 1)).await;
    let token = stream.token(&server).await;
    for (offset, content_type, state) in [
        (7, "text/html; charset=utf-8", Bytes::from_static(b"<p>state</p>")),
        (8, "application/octet-stream", noise(100_000, 2)),
        (9, "application/json", Bytes::new()),
    ] {
        let url = format!("{}/ds/default/state/snapshot/{offset}", server.address().url());
        let publish = stream.http.put(url).header("content-type", content_type).body(state.clone());
        assert_eq!(publish.send().await.expect("an answer").status(), StatusCode::NO_CONTENT);
        let path = format!("ds/default/state/incarnation/{token}/snapshot/{offset:020}");
        assert_eq!(is_served_alike(&bucket, &stream, &server, &path).await, state);
    }
}
