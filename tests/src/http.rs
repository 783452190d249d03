//! A thin client for streams: one method per request, and the answer as it came.

use std::time::Duration;

use bytes::Bytes;
use reqwest::{Client, Method, RequestBuilder};
use serde_json::Value;

use crate::{
    answer::{Answer, Append, Lost},
    messages::Stream,
    server::Address,
    wait,
};

/// How long one request may take.
const REQUEST_LIMIT: Duration = Duration::from_secs(30);

/// More pages than any stream of these tests has.
const MOST_PAGES: usize = 10_000;

/// A client of one server; clones share its connections.
#[derive(Clone, Debug)]
pub struct Streams {
    http: Client,
    address: Address,
}

/// The producer headers of an append.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// `Producer-Id`.
    pub producer: String,
    /// `Producer-Epoch`.
    pub epoch: u64,
    /// `Producer-Seq`.
    pub seq: u64,
}

/// One answer to a read.
#[derive(Clone, Debug)]
pub struct Page {
    /// The bytes read.
    pub body: Bytes,
    /// Where to read on.
    pub next_offset: String,
    /// True when there was no more to read.
    pub up_to_date: bool,
    /// True when there never will be.
    pub closed: bool,
}

impl Page {
    /// The JSON values of the page; none where it has no body.
    pub fn values(&self) -> Vec<Value> {
        if self.body.is_empty() {
            return Vec::new();
        }
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("not a JSON array ({error}): {}", String::from_utf8_lossy(&self.body)))
    }
}

impl Streams {
    /// A client of the server at `address`, wherever that moves.
    pub fn new(address: &Address) -> Self {
        let http = Client::builder().no_proxy().timeout(REQUEST_LIMIT).build().expect("an HTTP client");
        Self { http, address: address.clone() }
    }

    /// Creates a stream; panics unless it is new.
    pub async fn create(&self, stream: &Stream) {
        let request = self.request(Method::PUT, &stream.path).header("content-type", stream.content_type());
        let _ = send(request).await.expect("an answer to PUT").expect_status(201);
    }

    /// Appends without a key.
    pub async fn append(&self, stream: &Stream, message: &str) -> Append {
        outcome(self.post(stream, message), false).await
    }

    /// Appends with producer headers.
    pub async fn append_keyed(&self, stream: &Stream, key: &Key, message: &str) -> Append {
        let request = self
            .post(stream, message)
            .header("producer-id", &key.producer)
            .header("producer-epoch", key.epoch)
            .header("producer-seq", key.seq);
        outcome(request, true).await
    }

    /// Closes a stream.
    pub async fn close(&self, stream: &Stream) -> Answer {
        let request = self.request(Method::POST, &stream.path).header("stream-closed", "true");
        send(request).await.expect("an answer to the closing POST")
    }

    /// Appends a last message, and closes with it.
    pub async fn append_and_close(&self, stream: &Stream, message: &str) -> Answer {
        let request = self.post(stream, message).header("stream-closed", "true");
        send(request).await.expect("an answer to the closing POST")
    }

    /// Asks for a stream's headers.
    pub async fn head(&self, stream: &Stream) -> Answer {
        send(self.request(Method::HEAD, &stream.path)).await.expect("an answer to HEAD")
    }

    /// Deletes a stream.
    pub async fn delete(&self, stream: &Stream) -> Answer {
        send(self.request(Method::DELETE, &stream.path)).await.expect("an answer to DELETE")
    }

    /// Reads one page from `offset`; a server that is busy is asked again, for a while.
    pub async fn read_page(&self, stream: &Stream, offset: &str) -> Page {
        let path = format!("{}?offset={offset}", stream.path);
        let answer = wait::until("the stream can be read", wait::LIMIT, async || {
            let answer = send(self.request(Method::GET, &path)).await.expect("an answer to GET");
            (answer.status.as_u16() != 503).then_some(answer)
        })
        .await
        .expect_status(200);
        Page {
            next_offset: answer.next_offset(),
            up_to_date: answer.flag("stream-up-to-date"),
            closed: answer.flag("stream-closed"),
            body: answer.body,
        }
    }

    /// Reads from `offset` to the end, page by page.
    pub async fn read_from(&self, stream: &Stream, offset: &str) -> Vec<Page> {
        let mut pages: Vec<Page> = Vec::new();
        let mut offset = offset.to_owned();
        while pages.len() < MOST_PAGES {
            let page = self.read_page(stream, &offset).await;
            let done = page.up_to_date || page.closed;
            assert!(done || page.next_offset != offset, "a page leads nowhere: {} at {offset}", stream.path);
            offset.clone_from(&page.next_offset);
            pages.push(page);
            if done {
                return pages;
            }
        }
        panic!("{} has more than {MOST_PAGES} pages", stream.path);
    }

    /// Reads all of a stream, page by page.
    pub async fn read_all(&self, stream: &Stream) -> Vec<Page> {
        self.read_from(stream, "-1").await
    }

    fn post(&self, stream: &Stream, message: &str) -> RequestBuilder {
        self.request(Method::POST, &stream.path)
            .header("content-type", stream.content_type())
            .body(stream.body(message))
    }

    /// A request to a path of the server.
    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.http.request(method, format!("{}{path}", self.address.url()))
    }
}

/// Sends an append and reads its answer.
async fn outcome(request: RequestBuilder, keyed: bool) -> Append {
    match send(request).await {
        Ok(answer) => answer.to_append(keyed),
        Err(Lost(why)) => Append::Unknown(why),
    }
}

/// Sends a request and takes the answer whole.
pub(crate) async fn send(request: RequestBuilder) -> Result<Answer, Lost> {
    let lost = |error: reqwest::Error| Lost(format!("{error:?}"));
    let response = request.send().await.map_err(lost)?;
    let (status, headers) = (response.status(), response.headers().clone());
    let body = response.bytes().await.map_err(lost)?;
    Ok(Answer { status, headers, body })
}
