//! A web page follows a stream with the browser's own `EventSource`, over connections that are cut off: it
//! resumes without loss or repeat, and stops when the stream is closed.
//!
//! See: <https://github.com/EventSource/eventsource/issues/291>

use std::{convert::Infallible, path::Path, process::Command, sync::Arc, time::Duration};

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::{Method, Request, Response, body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::{net::TcpListener, sync::mpsc, task::JoinHandle, time::timeout};
use wadi_tests::{
    answer::Append,
    messages::{Kind, Stream},
    process::Process,
    relay::Relay,
    report,
    server::Launch,
    wait,
};

const BROWSER: &str = "/usr/bin/chromium";

const PAGE: &str = include_str!("../../clients/browser/follow.html");

const MESSAGES: usize = 60;
const PAUSE: Duration = Duration::from_millis(50);

/// After how many bytes connections are cut off. A browser waits a few seconds before it comes back.
const CUTS_BYTES: &[usize] = &[1500, 2000, 100_000];

/// How long the page may take.
const PAGE_LIMIT: Duration = Duration::from_mins(2);

/// So that it asks for nothing but the page, and of nobody but this machine.
const FLAGS: [&str; 10] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--no-proxy-server",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_resumes_and_stops_with_nothing_but_an_event_source() {
    if !Path::new(BROWSER).exists() {
        report::say(&format!("SKIPPED: the test of a web page, for want of {BROWSER}"));
        return;
    }
    let data = tempfile::tempdir().expect("a temporary folder");
    let profile = tempfile::tempdir().expect("a temporary folder");
    let server = Launch::embedded(data.path()).start().await;
    let streams = server.streams();
    let stream = Stream::new("browser", Kind::Json);
    streams.create(&stream).await;
    let relay = Relay::start(&server.address().url(), CUTS_BYTES).await;
    let mut page = PageServer::start().await;

    let mut command = Command::new(BROWSER);
    command.args(FLAGS).arg(format!("--user-data-dir={}", profile.path().display())).env("TMPDIR", profile.path());
    command.arg(format!("{}/?stream={}{}?offset=-1%26live=sse", page.url, relay.address().url(), stream.path));
    let mut browser = Process::spawn("the browser", command);

    let messages: Vec<Value> = (0..MESSAGES).map(|number| json!({ "message": format!("message {number}") })).collect();
    for message in &messages {
        let appended = streams.append(&stream, message["message"].as_str().expect("a text")).await;
        assert!(matches!(appended, Append::Applied { .. }), "{appended:?}");
        tokio::time::sleep(PAUSE).await;
    }
    let _ = streams.close(&stream).await.expect_status(204);

    let seen = timeout(PAGE_LIMIT, page.seen.recv()).await.expect("the page tells what it has seen");
    let seen: Value = serde_json::from_slice(&seen.expect("a server that lives")).expect("JSON");
    report::say(&format!("a web page: {MESSAGES} messages over {} connections", seen["connections"]));
    assert_eq!(seen["values"], Value::Array(messages));
    assert_eq!((relay.cuts(), &seen["connections"]), (2, &3.into()), "cuts, and connections for them");
    browser.terminate();
    browser.exit(wait::LIMIT).await;
}

/// The server of the page, which is told what the page has seen.
struct PageServer {
    url: String,
    seen: mpsc::UnboundedReceiver<Bytes>,
    accepting: JoinHandle<()>,
}

impl PageServer {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let (tell, seen) = mpsc::unbounded_channel();
        let tell = Arc::new(tell);
        let accepting = tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                let tell = tell.clone();
                let service = service_fn(move |request| answer(request, tell.clone()));
                tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(socket), service));
            }
        });
        Self { url, seen, accepting }
    }
}

impl Drop for PageServer {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn answer(
    request: Request<Incoming>,
    tell: Arc<mpsc::UnboundedSender<Bytes>>,
) -> Result<Response<Full<Bytes>>, Infallible> {
    let status = match (request.method(), request.uri().path()) {
        (&Method::GET, "/") => 200,
        (&Method::POST, "/seen") => {
            if let Ok(body) = request.into_body().collect().await {
                // The test may have given up.
                let _ = tell.send(body.to_bytes());
            }
            204
        }
        _ => 404,
    };
    let body = if status == 200 { Bytes::from_static(PAGE.as_bytes()) } else { Bytes::new() };
    let answer = Response::builder().status(status).header("content-type", "text/html").body(Full::new(body));
    Ok(answer.expect("a response"))
}
