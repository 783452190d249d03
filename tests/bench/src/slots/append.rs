//! Appends to a stream of a server.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method, Request, Uri};
use http_body_util::Full;

use crate::{
    failure::Failure,
    http::{Connection, Mount, requests_told, whole},
    load::Slot,
    sample::Step,
};

/// A producer whose appends are numbered.
#[derive(Clone, Debug)]
struct Producer {
    next: u64,
}

/// How many appends of a slot or of several were acknowledged.
#[derive(Clone, Debug, Default)]
pub(crate) struct Appended(Arc<AtomicU64>);

/// Appends over one connection.
#[derive(Debug)]
pub(crate) struct AppendSlot {
    connection: Connection,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
    /// What counts of one append.
    amount: u64,
    producer: Option<Producer>,
    appended: Appended,
}

impl Appended {
    /// How many by now.
    pub(crate) fn count(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

impl AppendSlot {
    /// Appends `body` to a stream of this type that exists; each counts `amount`.
    pub(crate) async fn open(
        mount: &Mount,
        name: &str,
        content_type: &'static str,
        body: Bytes,
        amount: u64,
    ) -> Result<Self, Failure> {
        let template = mount.request(Method::POST, name, "").header("content-type", content_type);
        let (head, _) = whole(template, Bytes::new())?.into_parts();
        Ok(Self {
            connection: mount.connect().await?,
            uri: head.uri,
            headers: head.headers,
            body,
            amount,
            producer: None,
            appended: Appended::default(),
        })
    }

    /// As this producer, numbered from 0.
    pub(crate) fn by_producer(mut self, id: &str) -> Result<Self, Failure> {
        self.headers.insert("producer-id", HeaderValue::from_str(id).map_err(Failure::setting)?);
        self.headers.insert("producer-epoch", HeaderValue::from_static("0"));
        self.producer = Some(Producer { next: 0 });
        Ok(self)
    }

    /// Counting together with others.
    pub(crate) fn counting(mut self, appended: &Appended) -> Self {
        self.appended = appended.clone();
        self
    }

    fn request(&mut self) -> Request<Full<Bytes>> {
        let mut request = Request::new(Full::new(self.body.clone()));
        *request.method_mut() = Method::POST;
        *request.uri_mut() = self.uri.clone();
        if let Some(producer) = &self.producer {
            self.headers.insert("producer-seq", HeaderValue::from(producer.next));
        }
        request.headers_mut().clone_from(&self.headers);
        request
    }
}

impl Slot for AppendSlot {
    async fn step(&mut self) -> Result<Step, Failure> {
        let request = self.request();
        let answer = self.connection.call(request).await?;
        let acknowledged = answer.status.is_success();
        if !acknowledged && !answer.status.is_server_error() {
            answer.expected("an append")?;
            return Err(Failure::Late("an answer that is one"));
        }
        if acknowledged {
            self.appended.0.fetch_add(1, Ordering::Relaxed);
            // One that was not acknowledged is sent again under its number.
            self.producer.iter_mut().for_each(|producer| producer.next += 1);
        }
        Ok(Step { acknowledged, ..Step::done(self.amount, requests_told(&answer.headers)) })
    }
}
