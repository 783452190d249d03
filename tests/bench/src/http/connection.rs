//! One keep-alive connection, with one request in flight.

use bytes::Bytes;
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
}

async fn connect(authority: &str) -> Result<SendRequest<Full<Bytes>>, Failure> {
    let failed = |error| Failure::connection("connecting", error);
    let stream = TcpStream::connect(authority).await.map_err(failed)?;
    stream.set_nodelay(true).map_err(failed)?;
    let handshake = http1::handshake(TokioIo::new(stream)).await;
    let (sender, connection) = handshake.map_err(|error| Failure::connection("connecting", error))?;
    tokio::spawn(connection);
    Ok(sender)
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
