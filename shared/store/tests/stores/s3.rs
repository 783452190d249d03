//! The store in a bucket, against a live server: `WADI_TEST_S3_ENDPOINT` (a URL), `WADI_TEST_S3_BUCKET`
//! (`wadi-test` by default; it must exist) and the `AWS_*` variables say where.

use std::{io::Write, sync::Arc, time::Duration};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};
use wadi_store::{
    GetOptions, GetOutcome, NewObject, ObjectKey, ObjectStore, PutCondition, S3Settings, S3Store, StoreError, prove,
};

use crate::{contract::Fixture, system_clock};

const ENDPOINT: &str = "WADI_TEST_S3_ENDPOINT";
const BUCKET: &str = "WADI_TEST_S3_BUCKET";

/// The server's settings, or a notice that its tests are skipped.
fn settings(test: &str) -> Option<S3Settings> {
    let Ok(endpoint) = std::env::var(ENDPOINT) else {
        // Not `eprintln!`, which the test harness swallows.
        let _ = writeln!(std::io::stderr(), "SKIPPED s3::{test}: {ENDPOINT} is not set, so there is no server to test");
        return None;
    };
    let bucket = std::env::var(BUCKET).unwrap_or_else(|_| "wadi-test".to_owned());
    Some(S3Settings { bucket, endpoint: Some(endpoint), prefix: Some(unique(test)), ..S3Settings::default() })
}

/// A prefix that no run has used.
fn unique(test: &str) -> String {
    format!("run-{}-{}/{test}", system_clock()().as_millis(), std::process::id())
}

async fn store(test: &str) -> Option<S3Store> {
    Some(S3Store::connect(settings(test)?).await.unwrap())
}

async fn fixture(test: &str) -> Option<Fixture> {
    let settings = S3Settings { prefix: None, ..settings(test)? };
    let store = Arc::new(S3Store::connect(settings).await.unwrap());
    let prefix = format!("{}/", unique(test));
    // SeaweedFS lists by directory, so that `/` sorts first, and stalls when more than three race for a key.
    Some(Fixture { store, prefix, racers: 3, byte_order: false, any_key: false, _directory: None })
}

crate::contract::contract_tests!(fixture);

#[tokio::test]
async fn the_server_is_proved_fit() {
    let Some(store) = store("prove").await else { return };
    assert_eq!(prove(&store, "id").await, Ok(()));
}

#[tokio::test]
async fn a_prefix_keeps_stores_apart() {
    let Some(settings) = settings("apart") else { return };
    let shared = settings.prefix.clone().unwrap();
    let inner =
        S3Store::connect(S3Settings { prefix: Some(format!("{shared}/inner/")), ..settings.clone() }).await.unwrap();
    let outer = S3Store::connect(settings).await.unwrap();
    inner.put(&"k".into(), NewObject::from(bytes::Bytes::from("x")), PutCondition::IfAbsent).await.unwrap();
    let read =
        |store: S3Store, key: &'static str| async move { store.get(&key.into(), GetOptions::default()).await.unwrap() };
    assert!(matches!(read(outer, "inner/k").await, GetOutcome::Found(_)));
    assert!(matches!(read(inner, "inner/k").await, GetOutcome::Missing { .. }));
}

#[tokio::test]
async fn a_presigned_url_reads_without_credentials() {
    let Some(store) = store("presign").await else { return };
    let key = ObjectKey::from("a b+ä");
    store.put(&key, NewObject::from(bytes::Bytes::from("signed for")), PutCondition::IfAbsent).await.unwrap();
    let url = store.presign_get(&key, Duration::from_mins(1)).await.unwrap().unwrap();
    assert!(plain_get(&url).await.ends_with("\r\n\r\nsigned for"), "{url}");
    let too_long = store.presign_get(&key, Duration::from_hours(8 * 24)).await;
    assert!(matches!(too_long, Err(StoreError::Rejected { status: 400, .. })));
}

/// A GET without any client's help.
async fn plain_get(url: &str) -> String {
    let (host, path) = url.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let mut connection = TcpStream::connect(host).await.unwrap();
    let request = format!("GET /{path} HTTP/1.0\r\nHost: {host}\r\n\r\n");
    connection.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    connection.read_to_string(&mut answer).await.unwrap();
    answer
}

#[tokio::test]
async fn more_keys_than_one_request_deletes_are_deleted() {
    let Some(store) = store("many").await else { return };
    let keys: Vec<_> = (0..1001).map(|i| ObjectKey::new(format!("k{i:04}"))).collect();
    for index in [0, 500, 1000] {
        store.put(&keys[index], NewObject::default(), PutCondition::IfAbsent).await.unwrap();
    }
    store.delete_many(&keys).await.unwrap();
    for index in [0, 500, 1000] {
        let answer = store.get(&keys[index], GetOptions::default()).await.unwrap();
        assert!(matches!(answer, GetOutcome::Missing { .. }));
    }
}

#[tokio::test]
async fn a_bucket_that_does_not_exist_is_rejected() {
    let Some(settings) = settings("no-bucket") else { return };
    let store = S3Store::connect(S3Settings { bucket: "wadi-no-such-bucket".to_owned(), ..settings }).await.unwrap();
    let answer = store.get(&"k".into(), GetOptions::default()).await;
    assert!(
        matches!(&answer, Err(StoreError::Rejected { status: 404, code, .. }) if code == "NoSuchBucket"),
        "{answer:?}"
    );
}
