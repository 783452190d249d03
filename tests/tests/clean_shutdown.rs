//! A server that is asked to end first gives the requests in flight their real answers.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use std::time::Duration;

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};
use wadi_tests::{
    http::Streams,
    ledger::{self, Fate, Sent},
    messages::{Kind, Stream},
    server::{Launch, Server},
    wait,
    writer::Writer,
};

/// Appends that have arrived in part when the server is asked to end.
const HALF_SENT: usize = 4;

/// Writers that append all the while.
const WRITERS: usize = 4;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_in_flight_get_their_answers() {
    let data = tempfile::tempdir().expect("a temporary folder");
    let mut server = Launch::embedded(data.path()).start().await;
    let stream = Stream::new("shutdown", Kind::Lines);
    server.streams().create(&stream).await;

    let mut writers = Vec::new();
    for number in 0..WRITERS {
        let writer = Writer::unkeyed(&stream, &format!("writer{number}"));
        writers.push(tokio::spawn(write_until_gone(writer, server.streams())));
    }
    let mut half_sent = Vec::new();
    for number in 0..HALF_SENT {
        half_sent.push(HalfSent::start(&server, &stream, &format!("half-{number}")).await);
    }
    // Time for the server to take up what has arrived; a longer wait would do no harm.
    tokio::time::sleep(Duration::from_millis(300)).await;

    server.terminate();
    let mut sent = Vec::new();
    for request in half_sent {
        sent.push(request.finish().await);
    }
    for writer in writers {
        sent.push(writer.await.expect("a writer does not fail"));
    }
    let status = server.exit().await;
    assert_eq!(status.code(), Some(0), "a clean shutdown ends with 0");

    server.restart().await;
    let found = stream.messages(&server.streams().read_all(&stream).await);
    let sent: Vec<&[Sent]> = sent.iter().map(Vec::as_slice).collect();
    ledger::check(&stream.path, &found, &sent);
}

/// Appends until the server does not answer any more.
async fn write_until_gone(mut writer: Writer, via: Streams) -> Vec<Sent> {
    while writer.step(&via).await != Fate::Unknown {}
    writer.sent().to_vec()
}

/// An append whose head has been sent, and half of its body.
struct HalfSent {
    connection: TcpStream,
    message: String,
    rest: Vec<u8>,
}

impl HalfSent {
    async fn start(server: &Server, stream: &Stream, message: &str) -> Self {
        let url = server.address().url();
        let host = url.strip_prefix("http://").expect("a URL of http");
        let body = stream.body(message);
        let head = format!(
            "POST {} HTTP/1.1\r\nhost: {host}\r\ncontent-type: {}\r\ncontent-length: {}\r\n\r\n",
            stream.path,
            stream.content_type(),
            body.len()
        );
        let (first, rest) = body.split_at(body.len() / 2);
        let mut connection = TcpStream::connect(host).await.expect("a connection to the server");
        connection.write_all(&[head.as_bytes(), first].concat()).await.expect("half a request is sent");
        Self { connection, message: message.to_owned(), rest: rest.to_vec() }
    }

    /// Sends the rest and takes the answer, which must say that the append was applied.
    async fn finish(mut self) -> Vec<Sent> {
        self.connection.write_all(&self.rest).await.expect("the rest of a request is sent");
        let mut answer = Vec::new();
        let read = timeout(wait::LIMIT, self.connection.read_to_end(&mut answer)).await;
        read.expect("an answer in time").expect("an answer, and then the end of the connection");
        let answer = String::from_utf8_lossy(&answer).to_lowercase();
        assert!(answer.starts_with("http/1.1 204"), "{} got: {answer}", self.message);
        assert!(answer.contains("stream-next-offset:"), "{} got: {answer}", self.message);
        vec![Sent { message: self.message, fate: Fate::Acknowledged(None) }]
    }
}
