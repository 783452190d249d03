//! The official clients follow a stream through one process, over connections that are cut off again and
//! again, while it is written to through another: they miss nothing and see nothing twice.

use std::{path::PathBuf, process::Command, time::Duration};

use futures::future::join_all;
use wadi_tests::{
    answer::Append,
    bucket::Bucket,
    http::Streams,
    messages::{Kind, Stream},
    process::Process,
    relay::Relay,
    report,
    server::Launch,
    tools,
};

/// Messages of one stream, and the pause between two of them.
const MESSAGES: usize = 120;
const PAUSE: Duration = Duration::from_millis(20);

/// How long a client may take.
const CLIENT_LIMIT: Duration = Duration::from_mins(2);

/// After how many bytes connections are cut off: within the head of an answer, within an event, after some.
/// The longest lets all that is written pass at once, so that a client comes on however late it is.
const CUTS_BYTES: &[usize] = &[1500, 400, 2601, 1177, 1800, 2100, 3000, 10_000];

/// The two clients: their folder, their script, and what runs it.
fn clients() -> [(&'static str, PathBuf, PathBuf); 2] {
    let folder = tools::workspace().join("tests/clients");
    tools::node_module(&folder.join("typescript"), "@durable-streams/client");
    [
        ("typescript", folder.join("typescript/live/tail.mjs"), "node".into()),
        ("python", folder.join("python/live/tail.py"), tools::test_tool("python/bin/python")),
    ]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn follow_through_one_process_what_is_written_through_another() {
    let bucket = Bucket::fresh("live-clients");
    let here = Launch::on_s3(&bucket).start().await;
    let there = Launch::on_s3(&bucket).start().await;
    let mut runs = Vec::new();
    for (client, script, interpreter) in clients() {
        for live in ["long-poll", "sse"] {
            let stream = Stream::new(&format!("{client}-{live}"), Kind::Json);
            there.streams().create(&stream).await;
            let relay = Relay::start(&here.address().url(), CUTS_BYTES).await;
            let mut command = Command::new(&interpreter);
            command.arg(&script).arg(format!("{}{}", relay.address().url(), stream.path));
            command.args([live, &MESSAGES.to_string()]);
            command.env("PYTHONDONTWRITEBYTECODE", "1").env("NO_PROXY", "127.0.0.1");
            let reader = Process::spawn(&format!("{client} with {live}"), command);
            runs.push(one_run(there.streams(), stream, reader, relay));
        }
    }
    join_all(runs).await;
}

/// Writes while the client reads, and compares what it printed.
async fn one_run(writing: Streams, stream: Stream, mut reader: Process, relay: Relay) {
    let messages: Vec<String> = (0..MESSAGES).map(|number| format!("{}-{number}", stream.path)).collect();
    for message in &messages {
        let appended = writing.append(&stream, message).await;
        assert!(matches!(appended, Append::Applied { .. }), "{appended:?}");
        tokio::time::sleep(PAUSE).await;
    }
    let status = reader.exit(CLIENT_LIMIT).await;
    let cuts = relay.cuts();
    report::say(&format!("{}: {MESSAGES} messages through {cuts} cuts", stream.path));
    let expected: Vec<String> = messages.iter().map(|message| format!("{{\"message\":\"{message}\"}}")).collect();
    assert_eq!(reader.stdout(), expected, "{}", stream.path);
    assert!(status.success(), "it ended with {status}");
    assert!(cuts >= 3, "the connections were cut off {cuts} times only");
}
