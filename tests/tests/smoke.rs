//! What the deployment guide looks at with curl holds of the server on this machine, too.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use std::process::Command;

use wadi_tests::{server::Launch, tools};

#[tokio::test]
async fn the_smoke_test_of_the_guide_passes() {
    let data = tempfile::tempdir().expect("a temporary folder");
    let server = Launch::embedded(data.path()).start().await;
    let script = tools::workspace().join("infra/smoke");
    let url = server.address().url();
    let run = tokio::task::spawn_blocking(move || Command::new(script).arg(url).output());
    let output = run.await.expect("a thread").expect("bash and curl");
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{printed}{}", String::from_utf8_lossy(&output.stderr));
    assert!(printed.lines().count() > 20 && printed.lines().all(|line| line.starts_with("ok ")), "{printed}");
}
