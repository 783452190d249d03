//! What the server prints when it starts can be pasted as it is, at once: the first stream in three lines.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use std::process::Command;

use wadi_tests::{process::Process, server::Launch, wait};

#[tokio::test]
async fn the_suggested_commands_do_what_they_say() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    // Nobody waits for readiness here: a newcomer does not, either.
    let mut server = Process::spawn("wadi serve", Launch::default().in_dir(folder.path()).command());
    let commands = wait::until("three curl commands are suggested", wait::LIMIT, async || {
        assert!(server.ended().is_none(), "the server ended: {}", server.transcript());
        let lines = server.stdout();
        let commands: Vec<String> =
            lines.iter().map(|line| line.trim().to_owned()).filter(|line| line.starts_with("curl ")).collect();
        (commands.len() >= 3).then_some(commands)
    })
    .await;
    let [create, append, read] = commands.as_slice() else { panic!("not three commands: {commands:?}") };
    assert!(folder.path().join("wadi-data").is_dir(), "the data is in ./wadi-data");

    run(create).await;
    assert!(!run(read).await.contains(data_of(append)), "the stream is empty at first");
    run(append).await;
    let text = run(read).await;
    assert!(text.contains(data_of(append)), "`{append}`, then `{read}` gave: {text}");
}

/// Runs a command as a person would, and returns what it printed.
async fn run(command: &str) -> String {
    let mut bash = Command::new("bash");
    bash.args(["-c", command]).env("NO_PROXY", "127.0.0.1");
    let mut process = Process::spawn(command, bash);
    let status = process.exit(wait::LIMIT).await;
    assert!(status.success(), "`{command}` ended with {status}");
    assert!(!process.transcript().contains("\"error\""), "`{command}` was refused: {}", process.transcript());
    process.stdout().join("\n")
}

/// The text in quotes that an appending command sends.
fn data_of(command: &str) -> &str {
    let (_, data) = command.split_once("-d ").expect("a command with -d");
    let quote = data.chars().next().expect("text after -d");
    data[1..].split(quote).next().expect("text in quotes")
}
