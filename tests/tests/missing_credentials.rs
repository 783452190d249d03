//! A bucket without credentials: the person is told to set them, not to look for the server.

use std::process::Command;

use wadi_tests::{process::Process, tools, wait};

#[tokio::test]
async fn missing_credentials_are_named_as_what_is_missing() {
    let mut command = Command::new(tools::wadi());
    command.env_clear().env("AWS_EC2_METADATA_DISABLED", "true");
    command.envs([("AWS_CONFIG_FILE", "/dev/null"), ("AWS_SHARED_CREDENTIALS_FILE", "/dev/null")]);
    // Nobody listens there, and nobody is asked: credentials come first.
    command.args(["selftest", "--store", "s3://bucket", "--endpoint", "http://127.0.0.1:1"]);
    let mut process = Process::spawn("wadi selftest", command);

    let status = process.exit(wait::LIMIT).await;
    assert_eq!(status.code(), Some(2), "{status}");
    let said = process.stdout().join("\n");
    assert!(said.contains("AWS_ACCESS_KEY_ID"), "{said}");
    assert!(!said.contains("endpoint"), "{said}");
}
