//! The official clients, unchanged, work with the server: on the embedded store and on S3.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use std::{
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use wadi_tests::{
    bucket::Bucket,
    process::Process,
    server::{Launch, Server},
    tools,
};

/// How long the scripts of one client may take.
const SCRIPT_LIMIT: Duration = Duration::from_mins(2);

/// A client's scripts.
struct Client {
    /// Where they are, below `tests/clients`.
    folder: &'static str,
    /// How their names end.
    extension: &'static str,
    /// What runs them.
    interpreter: PathBuf,
}

fn typescript() -> Client {
    tools::node_module(&tools::workspace().join("tests/clients/typescript"), "@durable-streams/client");
    Client { folder: "typescript", extension: "mjs", interpreter: "node".into() }
}

fn python() -> Client {
    Client { folder: "python", extension: "py", interpreter: tools::test_tool("python/bin/python") }
}

#[tokio::test]
async fn typescript_on_the_embedded_store() {
    let data = tempfile::tempdir().expect("a temporary folder");
    run(&typescript(), &Launch::embedded(data.path()).start().await).await;
}

#[tokio::test]
async fn typescript_on_s3() {
    run(&typescript(), &Launch::on_s3(&Bucket::fresh("typescript")).start().await).await;
}

#[tokio::test]
async fn python_on_the_embedded_store() {
    let data = tempfile::tempdir().expect("a temporary folder");
    run(&python(), &Launch::embedded(data.path()).start().await).await;
}

#[tokio::test]
async fn python_on_s3() {
    run(&python(), &Launch::on_s3(&Bucket::fresh("python")).start().await).await;
}

/// Runs every script of a client against a server.
async fn run(client: &Client, server: &Server) {
    let folder = tools::workspace().join("tests/clients").join(client.folder);
    let scripts = scripts(&folder, client.extension);
    assert!(!scripts.is_empty(), "no script in {}", folder.display());
    for script in scripts {
        let mut command = Command::new(&client.interpreter);
        command.arg(&script).current_dir(&folder);
        command.env("WADI_STREAMS", format!("{}/v1/stream/{}", server.address().url(), client.folder));
        command.env("PYTHONDONTWRITEBYTECODE", "1").env("NO_PROXY", "127.0.0.1");
        let mut process = Process::spawn(&script.display().to_string(), command);
        let status = process.exit(SCRIPT_LIMIT).await;
        assert!(status.success(), "{} ended with {status}", script.display());
        let checked = process.stdout().iter().filter(|line| line.starts_with("ok ")).count();
        assert!(checked > 0, "{} checked nothing", script.display());
    }
}

/// The scripts in a folder, in the order of their names.
fn scripts(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a folder's entry").path()).collect();
    paths.retain(|path| path.is_file() && path.extension().is_some_and(|found| found == extension));
    paths.sort();
    paths
}
