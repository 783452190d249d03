//! Sealing, sweeping and verifying through the real program, on S3.
#![allow(clippy::expect_used, clippy::print_stdout, reason = "tests")]

use std::time::Duration;

use bytes::Bytes;
use reqwest::{Client, Response};
use wadi_tests::{
    bucket::Bucket,
    process::Process,
    server::{Launch, Server},
    store::Object,
    wait,
};

const CELL: usize = 4 << 20;
const PIECE: usize = 64 * 1024;

/// A stream at one of the servers, by its path.
#[derive(Clone)]
struct Stream {
    http: Client,
    path: String,
}

impl Stream {
    async fn create(server: &Server, name: &str) -> Self {
        let http = Client::builder().no_proxy().build().expect("an HTTP client");
        let stream = Self { http, path: format!("/v1/stream/{name}") };
        let url = stream.url(server);
        let created = stream.http.put(url).header("content-type", "application/octet-stream").send().await;
        assert_eq!(created.expect("an answer").status(), 201);
        stream
    }

    fn url(&self, server: &Server) -> String {
        format!("{}{}", server.address().url(), self.path)
    }

    async fn append(&self, server: &Server, body: Bytes) {
        let request = self.http.post(self.url(server)).header("content-type", "application/octet-stream").body(body);
        let answer = request.send().await.expect("an answer");
        assert_eq!(answer.status(), 204, "{}", answer.text().await.unwrap_or_default());
    }

    async fn close(&self, server: &Server) {
        let answer = self.http.post(self.url(server)).header("stream-closed", "true").send().await;
        assert_eq!(answer.expect("an answer").status(), 204);
    }

    async fn token(&self, server: &Server) -> String {
        let answer = self.http.head(self.url(server)).send().await.expect("an answer");
        header(&answer, "stream-incarnation").expect("a token")
    }

    /// All bytes, page by page; each page is handed to `take`.
    async fn read(&self, server: &Server, mut take: impl FnMut(&Bytes)) {
        let mut offset = "-1".to_owned();
        loop {
            let answer =
                self.http.get(format!("{}?offset={offset}", self.url(server))).send().await.expect("an answer");
            assert_eq!(answer.status(), 200);
            let (next, at_end) = (header(&answer, "stream-next-offset"), header(&answer, "stream-up-to-date"));
            take(&answer.bytes().await.expect("a whole page"));
            if at_end.is_some() {
                return;
            }
            offset = next.expect("where to go on");
        }
    }
}

fn header(answer: &Response, name: &str) -> Option<String> {
    answer.headers().get(name).map(|value| value.to_str().expect("text").to_owned())
}

/// Bytes of which no two stretches are equal.
fn noise(bytes: usize, seed: u64) -> Bytes {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut step = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()
    };
    (0..bytes.div_ceil(8)).flat_map(|_| step()).take(bytes).collect()
}

async fn outcome(launch: &Launch, args: &[&str]) -> (Option<i32>, String) {
    let mut process = Process::spawn(&format!("wadi {}", args.join(" ")), launch.tool(args));
    let status = process.exit(wait::LIMIT).await;
    (status.code(), process.transcript())
}

/// Two processes write one stream; both seal behind their writes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_bucket_serves_sealed_history_as_the_process_does() {
    let bucket = Bucket::fresh("upkeep");
    let launch = Launch::on_s3(&bucket);
    let (one, other) = (launch.clone().start().await, launch.clone().start().await);
    let stream = Stream::create(&one, "history").await;
    let mut all = Vec::new();
    for seed in 0..140 {
        let piece = noise(PIECE, seed);
        all.extend_from_slice(&piece);
        stream.append(if seed % 2 == 0 { &one } else { &other }, piece).await;
    }
    stream.close(&other).await;
    let token = stream.token(&one).await;
    for start in (0..all.len()).step_by(CELL) {
        let path = format!("ds/default/history/incarnation/{token}/chunk/{start:020}");
        let object = Object::new(&bucket, &path);
        let stored = wait::until("the chunk is in the bucket", wait::LIMIT, async || object.answer().await).await;
        let served = stream.http.get(format!("{}/{path}", one.address().url())).send().await.expect("an answer");
        assert_eq!(served.status(), 200);
        assert_eq!(header(&served, "content-type"), header(&stored, "content-type"));
        let kept = header(&stored, "cache-control").expect("a rule for caches");
        assert_eq!(header(&served, "cache-control"), Some(format!("public, {kept}")));
        for mark in ["offset", "next-offset", "incarnation", "immutable", "closed"] {
            let (served, stored) = (format!("stream-{mark}"), (format!("x-amz-meta-stream-{mark}"), &served));
            assert_eq!(header(stored.1, &served), header_of(&object, &stored.0).await, "{mark}");
        }
        let served = served.bytes().await.expect("a whole chunk");
        assert_eq!(served, stored.bytes().await.expect("a whole object"));
        assert_eq!(served, all[start..all.len().min(start + CELL)]);
    }
    for server in [&one, &other] {
        let mut read = Vec::new();
        stream.read(server, |page| read.extend_from_slice(page)).await;
        assert!(read == all, "every byte, by either process");
    }
    drop((one, other));
    let (code, said) = outcome(&launch, &["verify", &stream.path]).await;
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("ok    default/history"), "{said}");
    let (code, said) = outcome(&launch, &["sweep"]).await;
    assert_eq!(code, Some(0), "{said}");
    let chunk = Object::new(&bucket, &format!("ds/default/history/incarnation/{token}/chunk/{:020}", 0));
    chunk.delete().await;
    let (code, said) = outcome(&launch, &["verify"]).await;
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("WRONG default/history: the object of"), "{said}");
}

async fn header_of(object: &Object, name: &str) -> Option<String> {
    header(&object.answer().await.expect("the object"), name)
}

/// A long history goes through a process, and never much of it at once. How much may be asked for:
/// `WADI_TEST_HISTORY_MIB`.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_long_history_is_read_whole_in_bounded_memory() {
    let mib = std::env::var("WADI_TEST_HISTORY_MIB").ok().and_then(|text| text.parse().ok()).unwrap_or(96_u64);
    let bucket = Bucket::fresh("history");
    let launch = Launch::on_s3(&bucket);
    let writer = launch.clone().start().await;
    let stream = Stream::create(&writer, "long").await;
    for seed in 0..mib / 4 {
        stream.append(&writer, noise(CELL, seed)).await;
    }
    stream.close(&writer).await;
    let token = stream.token(&writer).await;
    let last = (mib / 4 - 1) * CELL as u64;
    let last = Object::new(&bucket, &format!("ds/default/long/incarnation/{token}/chunk/{last:020}"));
    wait::until("the last chunk is in the bucket", wait::LIMIT, async || last.answer().await).await;
    drop(writer);
    let reader = launch.start().await;
    let (mut seed, mut rest, mut bytes) = (0, Bytes::new(), 0_u64);
    let started = std::time::Instant::now();
    stream
        .read(&reader, |page| {
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
    assert_eq!(bytes, mib << 20);
    let peak = reader.memory_peak_mib();
    let seconds = started.elapsed().max(Duration::from_millis(1)).as_secs_f64();
    println!("{mib} MiB read through a process that took {peak} MiB of memory, in {seconds:.1} s");
    assert!(peak < 200, "{peak} MiB");
}
