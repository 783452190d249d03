//! What only a connection shows: an answer given before the body was read must reach the client.
//!
//! See: <https://github.com/tokio-rs/axum/issues/1703>, <https://github.com/svix/diom/pull/1331>

use std::time::Duration;

use hyper_util::{
    rt::{TokioExecutor, TokioIo},
    server::conn::auto,
    service::TowerToHyperService,
};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
    time::timeout,
};

use crate::harness::Service;

const LIMIT: usize = 8 * 1024 * 1024;
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// Serves on a free port, and connects to it.
pub(crate) async fn connected(service: &Service) -> TcpStream {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let router = service.router.clone();
    tokio::spawn(async move {
        let (socket, _) = listener.accept().await.unwrap();
        let server = auto::Builder::new(TokioExecutor::new());
        let _ = server.serve_connection(TokioIo::new(socket), TowerToHyperService::new(router)).await;
    });
    TcpStream::connect(address).await.unwrap()
}

/// Reads one answer: its head in lower case, and its body.
async fn answer(connection: &mut (impl tokio::io::AsyncBufRead + Unpin)) -> (String, String) {
    let read = async {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert_ne!(connection.read_line(&mut head).await.expect("an answer, not a reset"), 0, "cut off: {head}");
        }
        let head = head.to_lowercase();
        let length =
            head.lines().find_map(|line| line.strip_prefix("content-length: ")).map_or(0, |text| text.parse().unwrap());
        let mut body = vec![0; length];
        connection.read_exact(&mut body).await.expect("the body of an answer");
        (head, String::from_utf8(body).unwrap())
    };
    timeout(PATIENCE, read).await.expect("an answer in time")
}

fn head(headers: &str) -> String {
    format!("POST /v1/stream/s HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\n{headers}\r\n\r\n")
}

async fn unchanged(service: &Service) {
    service.ask("HEAD /v1/stream/s").await.check("nothing was appended", "200\nstream-next-offset: @3");
}

fn check_413(head: &str, body: &str) {
    assert!(head.starts_with("http/1.1 413"), "{head}");
    assert!(head.contains("ursula-max-request-bytes: 8388608\r\n"), "{head}");
    assert!(body.starts_with(r#"{"error":{"code":"REQUEST_TOO_LARGE""#), "{body}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_asks_first_is_refused_before_it_sends_the_body() {
    let service = Service::new();
    service.stream("/v1/stream/s", "text/plain", "abc").await;
    let (read, mut write) = connected(&service).await.into_split();
    let mut read = BufReader::new(read);
    let asks = head(&format!("content-length: {}\r\nexpect: 100-continue", LIMIT + 1));
    write.write_all(asks.as_bytes()).await.unwrap();
    let (head, body) = answer(&mut read).await;
    check_413(&head, &body);
    unchanged(&service).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_asks_first_is_refused_for_what_its_head_says() {
    let service = Service::new();
    service.stream("/v1/stream/s", "text/plain", "abc").await;
    let (read, mut write) = connected(&service).await.into_split();
    let mut read = BufReader::new(read);
    let asks = head("content-length: 5\r\nexpect: 100-continue\r\nstream-incarnation: x");
    write.write_all(asks.as_bytes()).await.unwrap();
    let (head, body) = answer(&mut read).await;
    assert!(head.starts_with("http/1.1 400"), "{head}");
    assert!(body.contains("INVALID_HEADER"), "{body}");
    unchanged(&service).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_asks_first_is_told_to_go_on_where_the_body_decides() {
    let service = Service::new();
    service.stream("/v1/stream/s", "text/plain", "abc").await;
    let (read, mut write) = connected(&service).await.into_split();
    let mut read = BufReader::new(read);
    write.write_all(head("content-length: 5\r\nexpect: 100-continue").as_bytes()).await.unwrap();
    let (go_on, _) = answer(&mut read).await;
    assert!(go_on.starts_with("http/1.1 100"), "{go_on}");
    write.write_all(b"hello").await.unwrap();
    let (head, _) = answer(&mut read).await;
    assert!(head.starts_with("http/1.1 204"), "{head}");
    assert!(!head.contains("content-length"), "{head}");
}

/// Sends a head and a whole body before it reads a thing; the connection can be used again.
async fn sends_all_first(headers: &str, pieces: usize, piece: &[u8], end: &[u8]) {
    let service = Service::new();
    service.stream("/v1/stream/s", "text/plain", "abc").await;
    let (read, mut write) = connected(&service).await.into_split();
    let mut read = BufReader::new(read);
    let sent = async {
        write.write_all(head(headers).as_bytes()).await?;
        for _ in 0..pieces {
            write.write_all(piece).await?;
        }
        write.write_all(end).await
    };
    timeout(PATIENCE, sent).await.expect("sent in time").expect("the whole body can be sent");
    let (status, body) = answer(&mut read).await;
    check_413(&status, &body);
    unchanged(&service).await;

    write.write_all(head("content-length: 1").as_bytes()).await.unwrap();
    write.write_all(b"!").await.unwrap();
    let (status, _) = answer(&mut read).await;
    assert!(status.starts_with("http/1.1 204"), "the same connection again: {status}");
}

/// See: <https://github.com/tokio-rs/axum/issues/1703>, <https://github.com/svix/diom/pull/1331>
#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_sends_8_mib_too_much_reads_413_and_no_reset() {
    let headers = format!("content-length: {}", 2 * LIMIT);
    sends_all_first(&headers, 256, &vec![b'x'; 65_536], b"").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_sends_too_many_chunks_reads_413_and_no_reset() {
    let mut piece = b"10000\r\n".to_vec();
    piece.extend(vec![b'x'; 65_536]);
    piece.extend(b"\r\n");
    sends_all_first("transfer-encoding: chunked", 256, &piece, b"0\r\n\r\n").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_rest_of_a_body_is_drained_after_any_early_answer() {
    let service = Service::new();
    service.stream("/v1/stream/s", "text/plain", "abc").await;
    let length = 4 * 1024 * 1024;
    for (request, status) in [
        ("POST /v1/stream/s HTTP/1.1\r\nstream-incarnation: x", "400"),
        ("POST /nowhere HTTP/1.1", "404"),
        ("PATCH /v1/stream/s HTTP/1.1", "405"),
        ("GET /v1/stream/s HTTP/1.1", "200"),
        ("POST /healthz HTTP/1.1", "405"),
        ("POST /v1/stream/s HTTP/1.1\r\nstream-incarnation: x\r\nconnection: close", "400"),
    ] {
        let (read, mut write) = connected(&service).await.into_split();
        let mut read = BufReader::new(read);
        let head = format!("{request}\r\nhost: x\r\ncontent-length: {length}\r\n\r\n");
        let sent = async {
            write.write_all(head.as_bytes()).await?;
            write.write_all(&vec![b'x'; length]).await
        };
        timeout(PATIENCE, sent).await.expect("sent in time").expect("the whole body can be sent");
        let (head, _) = answer(&mut read).await;
        assert!(head.starts_with(&format!("http/1.1 {status}")), "{request}: {head}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_of_exactly_the_limit_is_appended() {
    let service = Service::new();
    service.stream("/v1/stream/s", "text/plain", "abc").await;
    let (read, mut write) = connected(&service).await.into_split();
    let mut read = BufReader::new(read);
    write.write_all(head(&format!("content-length: {LIMIT}")).as_bytes()).await.unwrap();
    write.write_all(&vec![b'x'; LIMIT]).await.unwrap();
    let (head, _) = answer(&mut read).await;
    assert!(head.starts_with("http/1.1 204"), "{head}");
    assert!(head.contains("stream-next-offset: 00000000000008388611"), "{head}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_breaks_off_appends_nothing() {
    let service = Service::new();
    service.stream("/v1/stream/s", "text/plain", "abc").await;
    let (read, mut write) = connected(&service).await.into_split();
    write.write_all(head("content-length: 10").as_bytes()).await.unwrap();
    write.write_all(b"half").await.unwrap();
    write.shutdown().await.unwrap();
    let mut rest = Vec::new();
    let mut read = BufReader::new(read);
    timeout(PATIENCE, read.read_to_end(&mut rest)).await.expect("the connection ends").ok();
    let text = String::from_utf8(rest).unwrap();
    assert!(text.is_empty() || text.contains("BODY_UNREADABLE"), "{text}");
    unchanged(&service).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_head_request_promises_no_length() {
    let service = Service::new();
    service.stream("/v1/stream/s", "text/plain", "abc").await;
    let (read, mut write) = connected(&service).await.into_split();
    let mut read = BufReader::new(read);
    write.write_all(b"HEAD /v1/stream/s HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
    let (head, _) = answer(&mut read).await;
    assert!(head.starts_with("http/1.1 200"), "{head}");
    assert!(!head.contains("content-length") && !head.contains("transfer-encoding"), "{head}");
}
