//! What sealing leaves in the bucket, and the commands that look after it.

use wadi_tests::{bucket::Bucket, process::Process, server::Launch, store::Object, wait};

use crate::{
    read_origin::is_served_alike,
    stream::{CELL, Stream, noise},
};

const PIECE: usize = 64 * 1024;

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
        let served = is_served_alike(&bucket, &stream, &one, &path).await;
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
