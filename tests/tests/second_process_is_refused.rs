//! An embedded data folder belongs to one process: a second one is refused, and says why.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use wadi_tests::{
    answer::Append,
    messages::{Kind, Stream},
    process::Process,
    server::Launch,
    wait,
};

#[tokio::test]
async fn a_second_process_on_the_same_data_is_refused() {
    let data = tempfile::tempdir().expect("a temporary folder");
    let launch = Launch::embedded(data.path());
    let first = launch.clone().start().await;

    let mut second = Process::spawn("the second wadi serve", launch.command());
    let status = second.exit(wait::LIMIT).await;

    assert!(!status.success(), "the second process ended with {status}");
    let said = second.transcript();
    assert!(said.contains(&data.path().display().to_string()), "it does not name the folder: {said}");
    assert!(!said.contains("panicked"), "it panicked: {said}");

    let stream = Stream::new("unharmed", Kind::Lines);
    first.streams().create(&stream).await;
    assert!(matches!(first.streams().append(&stream, "still here").await, Append::Applied { .. }));
}
