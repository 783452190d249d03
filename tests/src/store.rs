//! Objects at the test S3 server, without a client library in between.

use bytes::Bytes;
use reqwest::Client;

use crate::bucket::Bucket;

/// One object. The server that `tests/run` starts asks for no signature.
#[derive(Clone, Debug)]
pub struct Object {
    http: Client,
    url: String,
}

impl Object {
    /// The object under `key`.
    pub fn new(bucket: &Bucket, key: &str) -> Self {
        let place = bucket.store.strip_prefix("s3://").expect("a store on S3");
        let http = Client::builder().no_proxy().build().expect("an HTTP client");
        Self { http, url: format!("{}/{place}/{key}", bucket.endpoint) }
    }

    /// Stores it if there is none. Returns the status of the answer.
    pub async fn put_if_absent(&self, body: &str) -> u16 {
        self.try_put_if_absent(body).await.expect("a whole answer to PUT")
    }

    /// Stores it if there is none. `None` when the answer does not come, or not whole.
    pub async fn try_put_if_absent(&self, body: &str) -> Option<u16> {
        let request = self.http.put(&self.url).header("if-none-match", "*").body(body.to_owned());
        let answer = request.send().await.ok()?;
        let status = answer.status().as_u16();
        answer.bytes().await.ok().map(|_| status)
    }

    /// The answer that brings it, headers and all, if there is one.
    pub async fn answer(&self) -> Option<reqwest::Response> {
        let answer = self.http.get(&self.url).send().await.expect("an answer to GET");
        answer.status().is_success().then_some(answer)
    }

    /// Removes it.
    pub async fn delete(&self) {
        let answer = self.http.delete(&self.url).send().await.expect("an answer to DELETE");
        assert!(answer.status().is_success(), "{}", answer.status());
    }

    /// Its bytes, if there is one.
    pub async fn get(&self) -> Option<Bytes> {
        let answer = self.http.get(&self.url).send().await.expect("an answer to GET");
        let found = answer.status().is_success();
        let bytes = answer.bytes().await.expect("a whole answer");
        found.then_some(bytes)
    }
}
