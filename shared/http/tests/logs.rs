//! What is logged of a request, and what is not. A program of its own: which log statements are
//! live is decided once a process, by whichever test comes first to them.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

#[allow(dead_code, reason = "the other tests use the rest of it")]
#[path = "http/harness.rs"]
mod harness;
#[path = "http/runtime.rs"]
mod runtime;

use std::{
    io::Write,
    sync::{Arc, Mutex},
};

use harness::Service;
use tracing_subscriber::fmt::MakeWriter;

/// A log that can be read back.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Log {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

#[tokio::test]
async fn a_request_is_logged_without_its_query_headers_and_body() {
    let service = Service::new();
    let log = Log::default();
    // More than is logged of a request unless it is asked for.
    let subscriber = tracing_subscriber::fmt().with_writer(log.clone()).with_ansi(false);
    let subscriber = subscriber.with_max_level(tracing::Level::DEBUG).finish();
    let logging = tracing::subscriber::set_default(subscriber);
    let secret = "authorization: Bearer hunter2\ncookie: hunter2\nproducer-id: hunter2";
    service.ask(&format!("POST /v1/stream/logged?token=hunter2\n{secret}\n\nhunter2")).await;
    service.ask(&format!("GET /v1/stream/{}", "x".repeat(1000))).await;
    drop(logging);

    let log = log.text();
    assert!(log.contains("method=POST path=\"/v1/stream/logged\""), "{log}");
    assert!(log.contains("status=400") && log.contains("milliseconds="), "{log}");
    assert!(!log.contains("hunter2"), "{log}");
    assert!(!log.contains(&"x".repeat(300)), "a path is logged whole, however long: {log}");
}
