//! Servers with a proxy each, on one bucket.

use futures::future::join;
use wadi_tests::{
    answer::Answer,
    bucket::Bucket,
    call::Call,
    http::Streams,
    messages::{Kind, Stream},
    proxy::Proxy,
    server::{Launch, Server},
};

/// A server, and the proxy between it and the bucket.
pub(crate) struct Instance {
    pub(crate) proxy: Proxy,
    pub(crate) server: Server,
    pub(crate) streams: Streams,
}

impl Instance {
    pub(crate) async fn start(bucket: &Bucket) -> Self {
        let proxy = Proxy::before(bucket).await;
        let server = Launch::on_s3(proxy.bucket()).start().await;
        let streams = server.streams();
        Self { proxy, server, streams }
    }

    /// All of a stream.
    pub(crate) async fn text(&self, path: &str) -> String {
        let stream = Stream { path: path.to_owned(), kind: Kind::Lines };
        let bytes = self.streams.read_all(&stream).await.into_iter().flat_map(|page| page.body.to_vec()).collect();
        String::from_utf8(bytes).expect("plain text")
    }

    /// Creates a stream of plain text.
    pub(crate) async fn create(&self, path: &str) -> Answer {
        Call::create(path, "text/plain").ask(&self.streams).await
    }

    /// Appends plain text.
    pub(crate) async fn append(&self, path: &str, text: &str) -> Answer {
        Call::append(path).body(text).ask(&self.streams).await
    }
}

/// Two servers on a fresh prefix.
pub(crate) async fn two(name: &str) -> [Instance; 2] {
    let bucket = Bucket::fresh(name);
    join(Instance::start(&bucket), Instance::start(&bucket)).await.into()
}
