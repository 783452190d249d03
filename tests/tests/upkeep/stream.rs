//! A stream of bytes at the servers of a test.

use bytes::Bytes;
use reqwest::{Client, Response};
use wadi_tests::server::Server;

/// Size of a cell of the grid of chunks.
pub(crate) const CELL: usize = 4 << 20;

/// A stream at one of the servers, by its path.
#[derive(Clone)]
pub(crate) struct Stream {
    pub(crate) http: Client,
    pub(crate) path: String,
}

impl Stream {
    pub(crate) async fn create(server: &Server, name: &str) -> Self {
        let http = Client::builder().no_proxy().build().expect("an HTTP client");
        let stream = Self { http, path: format!("/v1/stream/{name}") };
        let url = stream.url(server);
        let created = stream.http.put(url).header("content-type", "application/octet-stream").send().await;
        assert_eq!(created.expect("an answer").status(), 201);
        stream
    }

    pub(crate) fn url(&self, server: &Server) -> String {
        format!("{}{}", server.address().url(), self.path)
    }

    pub(crate) async fn append(&self, server: &Server, body: Bytes) {
        let request = self.http.post(self.url(server)).header("content-type", "application/octet-stream").body(body);
        let answer = request.send().await.expect("an answer");
        assert_eq!(answer.status(), 204, "{}", answer.text().await.unwrap_or_default());
    }

    pub(crate) async fn close(&self, server: &Server) {
        let answer = self.http.post(self.url(server)).header("stream-closed", "true").send().await;
        assert_eq!(answer.expect("an answer").status(), 204);
    }

    pub(crate) async fn token(&self, server: &Server) -> String {
        let answer = self.http.head(self.url(server)).send().await.expect("an answer");
        header(&answer, "stream-incarnation").expect("a token")
    }

    /// All bytes, page by page; each page is handed to `take`.
    pub(crate) async fn read(&self, server: &Server, mut take: impl FnMut(&Bytes)) {
        let mut offset = "-1".to_owned();
        loop {
            let answer =
                self.http.get(format!("{}?offset={offset}", self.url(server))).send().await.expect("an answer");
            assert_eq!(answer.status(), 200);
            let (next, at_end) = (header(&answer, "stream-next-offset"), header(&answer, "stream-up-to-date"));
            take(&answer.bytes().await.expect("a whole page"));
            if at_end.is_some() {
                return;
            }
            offset = next.expect("where to go on");
        }
    }
}

pub(crate) fn header(answer: &Response, name: &str) -> Option<String> {
    answer.headers().get(name).map(|value| value.to_str().expect("text").to_owned())
}

/// Bytes of which no two stretches are equal.
pub(crate) fn noise(bytes: usize, seed: u64) -> Bytes {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut noise = Vec::with_capacity(bytes.next_multiple_of(8));
    while noise.len() < bytes {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        noise.extend_from_slice(&state.to_le_bytes());
    }
    noise.truncate(bytes);
    noise.into()
}
