//! How fast an environment of the function that serves streams starts: from exec to its first poll for work, and to
//! its first answer. Prints both, and the size of the binary.
//!
//! `cargo build --release -p stream && cargo run -p wadi-tests --bin cold_start -- target/release/stream`
#![allow(clippy::expect_used, clippy::print_stdout, reason = "a command for whoever measures")]

use std::{
    env,
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

/// Environments that are started, one after the other.
const STARTS: usize = 15;

/// Largest binary, and longest time from exec to the first poll, that a release may have.
const BYTES_MAX: u64 = 12_000_000;
const FIRST_POLL_MAX: Duration = Duration::from_millis(25);

/// A request that needs no bucket: what is measured is the function.
const EVENT: &str = r#"{"version":"2.0","rawPath":"/healthz","rawQueryString":"","headers":{"host":"h.example"},"requestContext":{"http":{"method":"GET"}},"isBase64Encoded":false}"#;

fn main() {
    let binary = env::args().nth(1).expect("the path of the binary `stream`");
    let bytes = std::fs::metadata(&binary).expect("a binary").len();
    let mut starts: Vec<(Duration, Duration)> = (0..STARTS).map(|_| start(&binary)).collect();
    starts.sort_unstable();
    let (first_poll, first_answer) = starts[STARTS / 2];
    println!("binary: {bytes} bytes, at most {BYTES_MAX}");
    println!("exec to first poll: {first_poll:.1?} (median of {STARTS}), at most {FIRST_POLL_MAX:?}");
    println!("fastest {:.1?}, slowest {:.1?}", starts[0].0, starts[STARTS - 1].0);
    println!("exec to first answer: {first_answer:.1?}");
    assert!(bytes <= BYTES_MAX, "the binary is too large");
    assert!(first_poll < FIRST_POLL_MAX, "it starts too slowly");
}

/// Starts one environment: the times from exec to its first poll, and to its first answer.
fn start(binary: &str) -> (Duration, Duration) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("the address just bound").to_string();
    let started = Instant::now();
    let mut child = spawn(binary, &address);
    let (mut polling, _) = listener.accept().expect("a connection");
    polling.set_nodelay(true).expect("an event that is sent at once");
    let poll = request(&polling);
    assert!(poll.contains("/runtime/invocation/next"), "{poll}");
    let first_poll = started.elapsed();
    let head = "HTTP/1.1 200 OK\r\nlambda-runtime-aws-request-id: 1\r\nlambda-runtime-deadline-ms: 4102444800000\r\n\
                lambda-runtime-invoked-function-arn: arn\r\ncontent-type: application/json\r\n";
    write!(polling, "{head}content-length: {}\r\n\r\n{EVENT}", EVENT.len()).expect("an event that is taken");
    let answer = request(&polling);
    assert!(answer.contains("/runtime/invocation/1/response"), "{answer}");
    let first_answer = started.elapsed();
    child.kill().expect("a child that can be killed");
    child.wait().expect("a child that ends");
    (first_poll, first_answer)
}

fn spawn(binary: &str, address: &str) -> Child {
    let mut command = Command::new(binary);
    command.env_clear().env("AWS_LAMBDA_RUNTIME_API", address).env("AWS_LAMBDA_FUNCTION_NAME", "stream");
    command.env("AWS_LAMBDA_FUNCTION_VERSION", "1").env("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "512");
    command.env("AWS_REGION", "us-east-1").env("AWS_ACCESS_KEY_ID", "a").env("AWS_SECRET_ACCESS_KEY", "b");
    command.env("WADI_STORE", "s3://cold-start").env("WADI_ACCESS", "off");
    command.stdin(Stdio::null()).spawn().expect("a function that starts")
}

/// The head of the next request on a connection, and the first bytes of what follows it.
fn request(connection: &TcpStream) -> String {
    connection.set_read_timeout(Some(Duration::from_secs(10))).expect("a time limit");
    let mut reader = BufReader::new(connection);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        assert!(reader.read_line(&mut head).expect("a line of a request") > 0, "the function hung up: {head}");
    }
    if head.contains("chunked") {
        let _ = reader.read(&mut [0]).expect("the start of an answer");
    }
    head
}
