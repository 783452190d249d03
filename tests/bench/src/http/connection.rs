//! One keep-alive connection, with one request in flight.

use std::time::{Duration, Instant};

use bytes::Bytes;
use futures::{FutureExt, future::BoxFuture};
use http::{HeaderMap, Request, Response, StatusCode};
use http_body_util::{BodyExt, Full};
use hyper::{
    body::Incoming,
    client::conn::http1::{self, SendRequest},
};
use hyper_util::rt::TokioIo;
use tokio::{net::TcpStream, time::timeout};

use crate::{failure::Failure, limits::ANSWER_TIME_MAX};

/// A connection to one server.
#[derive(Debug)]
pub(crate) struct Connection {
    authority: String,
    sender: SendRequest<Full<Bytes>>,
}

/// An answer, read whole.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

/// An answer whose bytes were counted, and not kept.
#[derive(Debug)]
pub(crate) struct Counted {
    pub(crate) headers: HeaderMap,
    pub(crate) bytes: u64,
    /// How long after the request was sent the first of them were there.
    pub(crate) first_byte: Duration,
}

impl Connection {
    /// Connects to `authority`, a host and a port.
    pub(crate) async fn open(authority: &str) -> Result<Self, Failure> {
        Ok(Self { sender: connect(authority).await?, authority: authority.to_owned() })
    }

    /// Sends a request and returns the answer with its body unread. A connection that the server has
    /// closed meanwhile is made anew.
    pub(crate) async fn send(&mut self, request: Request<Full<Bytes>>) -> Result<Response<Incoming>, Failure> {
        if self.sender.ready().await.is_err() {
            self.sender = connect(&self.authority).await?;
        }
        let sent = timeout(ANSWER_TIME_MAX, self.sender.send_request(request)).await;
        let sent = sent.map_err(|_| Failure::Late("an answer"))?;
        sent.map_err(|error| Failure::connection("a request", error))
    }

    /// Sends a request and reads the answer whole.
    pub(crate) async fn call(&mut self, request: Request<Full<Bytes>>) -> Result<Answer, Failure> {
        let (head, body) = self.send(request).await?.into_parts();
        let body = body.collect().await.map_err(|error| Failure::connection("an answer's body", error))?;
        Ok(Answer { status: head.status, headers: head.headers, body: body.to_bytes() })
    }

    /// Sends a request and counts the bytes of its answer, which must be a success.
    pub(crate) async fn count(
        &mut self,
        request: Request<Full<Bytes>>,
        what: &'static str,
    ) -> Result<Counted, Failure> {
        let start = Instant::now();
        let (head, mut body) = self.send(request).await?.into_parts();
        if !head.status.is_success() {
            return Err(Failure::Answer { what, status: head.status.as_u16(), body: String::new() });
        }
        let (mut bytes, mut first_byte) = (0, None);
        while let Some(frame) = body.frame().await {
            let frame = frame.map_err(|error| Failure::connection("an answer's body", error))?;
            bytes += frame.data_ref().map_or(0, |data| data.len() as u64);
            first_byte.get_or_insert_with(|| start.elapsed());
        }
        Ok(Counted { headers: head.headers, bytes, first_byte: first_byte.unwrap_or_else(|| start.elapsed()) })
    }
}

/// What moves the bytes of a connection while it is polled, and ends with it.
pub(crate) type Driver = BoxFuture<'static, ()>;

/// Sends one request over a connection of its own, which whoever reads the answer has to drive: a task of its own
/// would be woken for each piece before the reader is.
pub(crate) async fn followed(
    authority: &str,
    request: Request<Full<Bytes>>,
) -> Result<(Response<Incoming>, Driver), Failure> {
    let (mut sender, mut driver) = handshake(authority).await?;
    let answer = async {
        let sent = timeout(ANSWER_TIME_MAX, sender.send_request(request)).await;
        sent.map_err(|_| Failure::Late("an answer"))?.map_err(|error| Failure::connection("a request", error))
    };
    tokio::select! {
        answer = answer => Ok((answer?, driver)),
        () = &mut driver => Err(Failure::Late("an answer; the connection ended")),
    }
}

async fn connect(authority: &str) -> Result<SendRequest<Full<Bytes>>, Failure> {
    let (sender, driver) = handshake(authority).await?;
    tokio::spawn(driver);
    Ok(sender)
}

async fn handshake(authority: &str) -> Result<(SendRequest<Full<Bytes>>, Driver), Failure> {
    let failed = |error| Failure::connection("connecting", error);
    let stream = TcpStream::connect(authority).await.map_err(failed)?;
    stream.set_nodelay(true).map_err(failed)?;
    let handshake = http1::handshake(TokioIo::new(stream)).await;
    let (sender, connection) = handshake.map_err(|error| Failure::connection("connecting", error))?;
    // How it ends whoever waits for an answer learns.
    Ok((sender, connection.map(drop).boxed()))
}

/// A header that is there and is text.
pub(crate) fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

impl Answer {
    /// The answer, if it is a success.
    pub(crate) fn expected(self, what: &'static str) -> Result<Self, Failure> {
        if self.status.is_success() {
            return Ok(self);
        }
        let body = String::from_utf8_lossy(&self.body).into_owned();
        Err(Failure::Answer { what, status: self.status.as_u16(), body })
    }
}
