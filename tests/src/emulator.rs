//! Lambda, emulated: `cargo lambda watch` as its runtime interface and function URLs, and the functions as they
//! are deployed, each environment a process that serves one invocation at a time.
//!
//! The emulator starts nothing by itself; a test says how many environments of a function there are. It keeps only
//! the first of repeated request headers, knows no limits of sizes, and takes no body of text that is not UTF-8.

use std::{
    net::{Ipv4Addr, SocketAddr},
    process::Command,
};

use serde_json::Value;
use tokio::net::{TcpListener, TcpStream};

use crate::{
    answer::Answer,
    bucket::Bucket,
    http::{Streams, send},
    process::Process,
    server::Address,
    tools, wait,
};

/// The function that serves streams.
const STREAM: &str = "stream";

/// A running emulator. Dropping it kills it.
#[derive(Debug)]
pub struct Emulator {
    address: SocketAddr,
    _process: Process,
}

impl Emulator {
    /// Starts one on a free port.
    pub async fn start() -> Self {
        let address = free_address().await;
        let mut command = Command::new(tools::test_tool("python/bin/cargo-lambda"));
        command.current_dir(tools::workspace());
        command.args(["lambda", "watch", "--only-lambda-apis", "--ignore-changes", "--disable-cors"]);
        command.args(["--invoke-address", &address.ip().to_string(), "--invoke-port", &address.port().to_string()]);
        command.env("CARGO_NET_OFFLINE", "true");
        let mut process = Process::spawn("cargo lambda watch", command);
        wait::until("the emulator listens", wait::LIMIT, async || {
            assert!(process.ended().is_none(), "the emulator ended: {}", process.transcript());
            TcpStream::connect(address).await.ok()
        })
        .await;
        Self { address, _process: process }
    }

    /// The function URL of what serves streams.
    pub fn url(&self) -> String {
        format!("http://{}/lambda-url/{STREAM}", self.address)
    }

    /// A client of that URL.
    pub fn streams(&self) -> Streams {
        Streams::new(&Address::at(&self.url()))
    }

    /// Starts an environment of a function, with these settings besides those that every function has.
    pub fn environment(&self, function: &str, bucket: &Bucket, settings: &[(&str, &str)]) -> Process {
        let mut command = Command::new(tools::binary(function));
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("WADI_")) {
            command.env_remove(name);
        }
        command.env("AWS_LAMBDA_RUNTIME_API", format!("http://{}/.rt/{function}", self.address));
        command.env("AWS_LAMBDA_FUNCTION_NAME", function);
        command.env("AWS_LAMBDA_FUNCTION_VERSION", "1").env("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "512");
        command.env("WADI_STORE", &bucket.store).env("WADI_ENDPOINT", &bucket.endpoint);
        command.env("WADI_ACCESS", "off").env("WADI_LIFECYCLE", "open").env("WADI_PUBLIC_URL", self.url());
        command.envs(settings.iter().copied());
        Process::spawn(function, command)
    }

    /// Starts so many environments of what serves streams, each with the same settings.
    pub fn environments(&self, count: usize, bucket: &Bucket, settings: &[(&str, &str)]) -> Vec<Process> {
        (0..count).map(|_| self.environment(STREAM, bucket, settings)).collect()
    }

    /// Invokes a function with an event, and waits for what it returns.
    pub async fn invoke(&self, function: &str, event: &Value) -> Answer {
        let url = format!("http://{}/2015-03-31/functions/{function}/invocations", self.address);
        let client = reqwest::Client::builder().no_proxy().timeout(wait::LIMIT).build().expect("an HTTP client");
        send(client.post(url).body(event.to_string())).await.expect("what an invocation returns")
    }
}

async fn free_address() -> SocketAddr {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a free port");
    listener.local_addr().expect("the address just bound")
}
