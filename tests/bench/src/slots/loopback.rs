//! The loopback interface itself: answers of fixed bytes from a responder that does nothing else, read by the
//! client that reads from the servers.

use bytes::Bytes;
use http::{Method, Request};
use http_body_util::Full;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};

use super::noise;
use crate::{failure::Failure, http::Connection, load::Slot, requests::Requests, sample::Step};

/// Reads one answer after the other.
#[derive(Debug)]
pub(crate) struct LoopbackSlot {
    connection: Connection,
    responder: JoinHandle<std::io::Result<()>>,
}

impl LoopbackSlot {
    /// Starts a responder whose answers have so many bytes.
    pub(crate) async fn open(bytes: u64) -> Result<Self, Failure> {
        let body = noise(usize::try_from(bytes).map_err(Failure::setting)?);
        let listener = TcpListener::bind("127.0.0.1:0").await.map_err(Failure::setting)?;
        let address = listener.local_addr().map_err(Failure::setting)?.to_string();
        let responder = tokio::spawn(async move { respond(listener.accept().await?.0, &body).await });
        Ok(Self { connection: Connection::open(&address).await?, responder })
    }
}

/// Answers whatever is asked. A request is the few bytes that [`LoopbackSlot`] sends, so one read has it whole.
async fn respond(mut connection: TcpStream, body: &[u8]) -> std::io::Result<()> {
    let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", body.len());
    let mut request = [0; 1024];
    while connection.read(&mut request).await? > 0 {
        connection.write_all(head.as_bytes()).await?;
        connection.write_all(body).await?;
    }
    Ok(())
}

impl Slot for LoopbackSlot {
    async fn step(&mut self) -> Result<Step, Failure> {
        let mut request = Request::new(Full::new(Bytes::new()));
        *request.method_mut() = Method::GET;
        let answer = self.connection.count(request, "the loopback interface").await?;
        Ok(Step { first_byte: Some(answer.first_byte), ..Step::done(answer.bytes, Requests::default()) })
    }
}

impl Drop for LoopbackSlot {
    fn drop(&mut self) {
        self.responder.abort();
    }
}
