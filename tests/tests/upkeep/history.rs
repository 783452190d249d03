//! A long history goes through a process, and never much of it at once. How much may be asked for:
//! `WADI_TEST_HISTORY_MIB`.

use std::{process::Command, time::Instant};

use bytes::Bytes;
use sha2::{Digest, Sha256};
use wadi_tests::{
    bucket::Bucket,
    process::Process,
    report,
    server::{Launch, Server},
    store::Object,
    tools, wait,
};

use crate::stream::{CELL, Stream, noise};

/// What one process may take, whatever is read through it.
const MEMORY_MAX_MIB: u64 = 200;

/// How slow the official client may be before it is given up.
const MIB_PER_SECOND_MIN: u64 = 2;

/// The stream that is read: all of it is sealed.
struct History {
    stream: Stream,
    mib: u64,
    sha256: String,
}

impl History {
    /// Written through a process that is gone afterwards.
    async fn write(launch: &Launch, bucket: &Bucket) -> Self {
        let mib = std::env::var("WADI_TEST_HISTORY_MIB").ok().and_then(|text| text.parse().ok()).unwrap_or(96_u64);
        let writer = launch.clone().start().await;
        let stream = Stream::create(&writer, "long").await;
        let mut sha256 = Sha256::new();
        for seed in 0..mib / 4 {
            let piece = noise(CELL, seed);
            sha256.update(&piece);
            stream.append(&writer, piece).await;
        }
        stream.close(&writer).await;
        let token = stream.token(&writer).await;
        let last = (mib / 4 - 1) * CELL as u64;
        let last = Object::new(bucket, &format!("ds/default/long/incarnation/{token}/chunk/{last:020}"));
        wait::until("the last chunk is in the bucket", wait::LIMIT, async || last.answer().await).await;
        Self { stream, mib, sha256: hex::encode(sha256.finalize()) }
    }

    /// Reads it with a plain client and compares every byte.
    async fn read_plainly(&self, server: &Server) {
        let (mut seed, mut rest, mut bytes) = (0, Bytes::new(), 0_u64);
        self.stream
            .read(server, |page| {
                bytes += page.len() as u64;
                let mut page = page.clone();
                while !page.is_empty() {
                    if rest.is_empty() {
                        rest = noise(CELL, seed);
                        seed += 1;
                    }
                    let same = rest.len().min(page.len());
                    assert!(page.split_to(same) == rest.split_to(same), "byte by byte");
                }
            })
            .await;
        assert_eq!(bytes, self.mib << 20);
    }

    /// Reads it with the official client and compares how much it is and its digest. Returns the requests to the
    /// bucket that it took.
    async fn read_officially(&self, server: &Server) -> u64 {
        let folder = tools::workspace().join("tests/clients/typescript");
        tools::node_module(&folder, "@durable-streams/client");
        let mut command = Command::new("node");
        command.arg(folder.join("long/read.mjs")).arg(self.stream.url(server)).env("NO_PROXY", "127.0.0.1");
        let mut client = Process::spawn("the official client", command);
        let status = client.exit(wait::LIMIT + std::time::Duration::from_secs(self.mib / MIB_PER_SECOND_MIN)).await;
        assert!(status.success(), "it ended with {status}");
        let [bytes, sha256, gets] = client.stdout().try_into().expect("three lines");
        assert_eq!(bytes, (self.mib << 20).to_string());
        assert_eq!(sha256, self.sha256);
        gets.parse().expect("a number of requests")
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_long_history_is_read_whole_in_bounded_memory() {
    let bucket = Bucket::fresh("history");
    let launch = Launch::on_s3(&bucket).arg("--server-timing").arg("on");
    let history = History::write(&launch, &bucket).await;

    let (reader, started) = (launch.clone().start().await, Instant::now());
    history.read_plainly(&reader).await;
    conclude("a plain client", &history, &reader, started);

    let (reader, started) = (launch.start().await, Instant::now());
    let gets = history.read_officially(&reader).await;
    conclude(&format!("the official client, with {gets} GETs"), &history, &reader, started);
    // A page of 8 MiB is two chunks and the look that proves it current.
    let pages = history.mib.div_ceil(8);
    assert!(gets <= 3 * pages + OPENING_GETS_MAX, "{gets} GETs for {pages} pages");
}

/// What opening the stream may take: the manifest, the state, records that were sealed but not published yet when
/// their writer was gone, and looks for its end.
const OPENING_GETS_MAX: u64 = 2 + 64 + 7;

fn conclude(who: &str, history: &History, reader: &Server, started: Instant) {
    let (seconds, peak) = (started.elapsed().as_secs_f64(), reader.memory_peak_mib());
    let mib = history.mib;
    report::say(&format!("{mib} MiB read by {who}, in {seconds:.1} s; the process took {peak} MiB of memory"));
    assert!(peak < MEMORY_MAX_MIB, "{peak} MiB");
}
