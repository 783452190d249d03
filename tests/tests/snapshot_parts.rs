//! A large snapshot in parts through the real program, on S3: staged in one process, put together by another,
//! read through a third.
#![allow(clippy::expect_used, clippy::print_stdout, reason = "tests")]

use std::time::{Duration, Instant};

use bytes::Bytes;
use reqwest::{Client, Response, StatusCode};
use wadi_tests::{
    bucket::Bucket,
    server::{Launch, Server},
    store::Object,
    wait,
};

const PART: usize = 8 << 20;
const STREAM: &str = "/v1/stream/large";
const TYPE: &str = "application/octet-stream";

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

fn url(server: &Server, path: &str) -> String {
    format!("{}{STREAM}{path}", server.address().url())
}

fn header(answer: &Response, name: &str) -> String {
    answer.headers().get(name).expect(name).to_str().expect("text").to_owned()
}

async fn created(http: &Client, server: &Server) {
    let answer = http.put(url(server, "")).header("content-type", TYPE).body("0123456789").send().await;
    assert_eq!(answer.expect("an answer").status(), 201);
}

/// Stages parts of noise. Returns their names, each with an LF, and the digest of the whole.
async fn staged(http: &Client, server: &Server, parts: u64) -> (String, String) {
    let (mut list, mut digest) = (String::new(), blake3::Hasher::new());
    digest.update(&(TYPE.len() as u64).to_le_bytes()).update(TYPE.as_bytes());
    for seed in 0..parts {
        let part = noise(PART, seed);
        digest.update(&part);
        let answer = http.post(url(server, "/snapshot/7/parts")).body(part).send().await.expect("an answer");
        assert_eq!(answer.status(), 201);
        list.push_str(&header(&answer, "stream-snapshot-part"));
        list.push('\n');
    }
    (list, digest.finalize().to_hex().to_string())
}

/// Commits, again and again while the outcome is open, as a client does.
async fn committed(http: &Client, server: &Server, list: &str, digest: &str) -> Response {
    let count = list.lines().count().to_string();
    wait::until("the parts are put together", wait::LIMIT, async || {
        let request = http.put(url(server, "/snapshot/7")).header("stream-snapshot-parts", &count);
        let request = request.header("stream-snapshot-digest", digest).header("content-type", TYPE);
        let answer = request.body(list.to_owned()).send().await.expect("an answer");
        (answer.status() != StatusCode::SERVICE_UNAVAILABLE).then_some(answer)
    })
    .await
}

/// Reads the snapshot and compares it byte by byte. Returns how long it is.
async fn read(http: &Client, server: &Server) -> u64 {
    let mut answer = http.get(url(server, "/snapshot/7")).send().await.expect("an answer");
    assert_eq!(answer.status(), 200);
    let (mut seed, mut rest, mut bytes) = (0, Bytes::new(), 0);
    while let Some(mut piece) = answer.chunk().await.expect("a whole body") {
        bytes += piece.len() as u64;
        while !piece.is_empty() {
            if rest.is_empty() {
                rest = noise(PART, seed);
                seed += 1;
            }
            let same = rest.len().min(piece.len());
            assert!(piece.split_to(same) == rest.split_to(same), "byte by byte");
        }
    }
    bytes
}

/// How large a snapshot may be asked for: `WADI_TEST_SNAPSHOT_MIB`, a multiple of 8.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_large_snapshot_in_parts_goes_through_processes_in_bounded_memory() {
    let mib = std::env::var("WADI_TEST_SNAPSHOT_MIB").ok().and_then(|text| text.parse().ok()).unwrap_or(104_u64);
    let bucket = Bucket::fresh("parts");
    let launch = Launch::on_s3(&bucket);
    let http = Client::builder().no_proxy().build().expect("an HTTP client");
    let stager = launch.clone().start().await;
    created(&http, &stager).await;
    let (list, digest) = staged(&http, &stager, mib / 8).await;

    let committer = launch.clone().start().await;
    let started = Instant::now();
    let answer = committed(&http, &committer, &list, &digest).await;
    assert_eq!(answer.status(), 204);
    assert_eq!(header(&answer, "stream-snapshot-digest"), digest);
    let took = started.elapsed().max(Duration::from_millis(1)).as_secs_f64();
    let token = header(&answer, "stream-incarnation");
    let copy = Object::new(&bucket, &format!("ds/default/large/incarnation/{token}/snapshot/{:020}", 7));
    let stored = wait::until("the copy is in the bucket", wait::LIMIT, async || copy.answer().await).await;
    assert_eq!(header(&stored, "x-amz-meta-stream-snapshot-digest"), digest);
    assert_eq!(header(&stored, "content-type"), TYPE);
    assert_eq!(header(&stored, "content-length"), (mib << 20).to_string());
    drop(stored);

    let reader = launch.start().await;
    assert_eq!(read(&http, &reader).await, mib << 20);
    let seam = http.get(url(&reader, "/snapshot/7")).header("range", "bytes=8388600-8388615").send().await;
    let seam = seam.expect("an answer").bytes().await.expect("a range");
    assert_eq!(seam, [&noise(PART, 0)[PART - 8..], &noise(PART, 1)[..8]].concat());
    let unused = http.delete(url(&reader, "/snapshot/parts")).send().await.expect("an answer");
    assert_eq!(unused.status(), 204);

    let peaks = [&stager, &committer, &reader].map(Server::memory_peak_mib);
    println!(
        "{mib} MiB in parts: put together in {took:.1} s; staged, put together, read with {peaks:?} MiB of memory"
    );
    assert!(peaks.iter().all(|peak| *peak < 150), "{peaks:?} MiB");
}
