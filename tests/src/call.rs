//! One request, header by header.

use std::time::Duration;

use reqwest::Method;

use crate::{
    answer::{Answer, Lost},
    http::{Key, Streams, send},
};

/// A request that can be sent to any server, and again.
#[derive(Clone, Debug)]
pub struct Call {
    method: Method,
    path: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
    patience: Option<Duration>,
}

impl Call {
    fn new(method: Method, path: &str) -> Self {
        Self { method, path: path.to_owned(), headers: Vec::new(), body: Vec::new(), patience: None }
    }

    /// A read; `path` may have a query.
    pub fn get(path: &str) -> Self {
        Self::new(Method::GET, path)
    }

    /// A question for the headers.
    pub fn head(path: &str) -> Self {
        Self::new(Method::HEAD, path)
    }

    /// A creation of a stream with this content type.
    pub fn create(path: &str, content_type: &str) -> Self {
        Self::new(Method::PUT, path).header("content-type", content_type)
    }

    /// An append of plain text, of nothing at first.
    pub fn append(path: &str) -> Self {
        Self::new(Method::POST, path).header("content-type", "text/plain")
    }

    /// A deletion.
    pub fn delete(path: &str) -> Self {
        Self::new(Method::DELETE, path)
    }

    /// With this header, in place of one of the same name.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.retain(|(other, _)| other != name);
        self.again(name, value)
    }

    /// With this header, beside one of the same name.
    #[must_use]
    pub fn again(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// With producer headers.
    #[must_use]
    pub fn key(self, key: &Key) -> Self {
        self.header("producer-id", &key.producer)
            .header("producer-epoch", &key.epoch.to_string())
            .header("producer-seq", &key.seq.to_string())
    }

    /// With this body.
    #[must_use]
    pub fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self
    }

    /// Waits this long for the answer.
    #[must_use]
    pub fn patient(mut self, patience: Duration) -> Self {
        self.patience = Some(patience);
        self
    }

    /// Sends it.
    pub async fn send(&self, via: &Streams) -> Result<Answer, Lost> {
        let mut request = via.request(self.method.clone(), &self.path);
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        if let Some(patience) = self.patience {
            request = request.timeout(patience);
        }
        send(request.body(self.body.clone())).await
    }

    /// Sends it; panics without an answer.
    pub async fn ask(&self, via: &Streams) -> Answer {
        self.send(via).await.unwrap_or_else(|lost| panic!("no answer to {self:?}: {lost:?}"))
    }
}
