//! Objects written in parts.

use std::collections::BTreeMap;

use bytes::Bytes;
use futures::FutureExt;
use wadi_store::{
    Attributes, GetOptions, ObjectTag, PutCondition, StoreError, Upload,
    limits::{EMBEDDED_QUEUE_BYTES_MAX, OBJECT_BYTES_MAX, UPLOAD_PART_BYTES_MIN},
};

use super::{Fixture, basics::noise, found};

async fn begin(f: &Fixture, name: &str) -> Upload {
    f.store.begin_upload(&f.key(name), Attributes::default()).await.unwrap()
}

async fn put_parts(f: &Fixture, upload: &Upload, parts: &[Bytes]) -> Vec<ObjectTag> {
    let mut tags = Vec::new();
    for (number, part) in (1..).zip(parts) {
        tags.push(f.store.put_part(upload, number, part.clone()).await.unwrap());
    }
    tags
}

fn rejected<T>(answer: &Result<T, StoreError>) -> bool {
    matches!(answer, Err(StoreError::Rejected { status: 400..=404, .. }))
}

pub async fn parts_become_one_object(f: &Fixture) {
    let body = noise(UPLOAD_PART_BYTES_MIN + 1_000_001);
    let parts = [body.slice(..UPLOAD_PART_BYTES_MIN), body.slice(UPLOAD_PART_BYTES_MIN..)];
    let attributes = Attributes {
        content_type: Some("text/plain".to_owned()),
        cache_control: Some("max-age=31536000, immutable".to_owned()),
        metadata: BTreeMap::from([("stream-immutable".to_owned(), "true".to_owned())]),
    };
    let upload = f.store.begin_upload(&f.key("object"), attributes.clone()).await.unwrap();
    let tags = put_parts(f, &upload, &parts).await;
    assert!(f.is_missing("object").await, "nothing has the key before the upload is complete");
    let date = f.store.complete_upload(&upload, &tags).await.unwrap();
    assert!(date >= upload.date);
    let object = f.found("object").await;
    assert!(object.body == body);
    assert_eq!((object.size, &object.attributes), (body.len() as u64, &attributes));
    let seam = UPLOAD_PART_BYTES_MIN as u64;
    let ranged = GetOptions { range: Some(seam - 3..seam + 3), ..GetOptions::default() };
    let read = found(f.store.get(&f.key("object"), ranged).await.unwrap());
    assert!(read.body == body.slice(UPLOAD_PART_BYTES_MIN - 3..UPLOAD_PART_BYTES_MIN + 3));
    assert_eq!(f.names("", 10).await, ["object"]);
    f.store.delete_many(&[f.key("object")]).await.unwrap();
    assert!(f.is_missing("object").await);
}

pub async fn one_small_part_is_enough(f: &Fixture) {
    let upload = begin(f, "small").await;
    let tags = put_parts(f, &upload, &["x".into()]).await;
    f.store.complete_upload(&upload, &tags).await.unwrap();
    assert_eq!(f.found("small").await.body, "x");
}

pub async fn a_part_sent_again_is_replaced(f: &Fixture) {
    let upload = begin(f, "object").await;
    put_parts(f, &upload, &[noise(UPLOAD_PART_BYTES_MIN), "lost".into()]).await;
    let first = noise(UPLOAD_PART_BYTES_MIN + 7).slice(7..);
    let tags = put_parts(f, &upload, &[first.clone(), "kept".into()]).await;
    f.store.complete_upload(&upload, &tags).await.unwrap();
    assert!(f.found("object").await.body == [&first[..], b"kept"].concat());
}

pub async fn an_upload_does_not_replace_an_object(f: &Fixture) {
    f.store("object", "old", PutCondition::IfAbsent).await;
    let upload = begin(f, "object").await;
    let tags = put_parts(f, &upload, &["new".into()]).await;
    let refused = f.store.complete_upload(&upload, &tags).await;
    assert!(matches!(refused, Err(StoreError::Rejected { status: 412, .. })), "{refused:?}");
    assert_eq!(f.found("object").await.body, "old");
    f.store.abort_upload(&upload).await.unwrap();
}

pub async fn an_aborted_upload_leaves_nothing(f: &Fixture) {
    let upload = begin(f, "object").await;
    let tags = put_parts(f, &upload, &["x".into()]).await;
    f.store.abort_upload(&upload).await.unwrap();
    f.store.abort_upload(&upload).await.unwrap();
    assert!(rejected(&f.store.complete_upload(&upload, &tags).await));
    assert!(rejected(&f.store.put_part(&upload, 1, "x".into()).await));
    assert!(f.is_missing("object").await);
    assert_eq!(f.names("", 10).await, [""; 0]);
}

pub async fn a_part_too_small_before_the_last_is_rejected(f: &Fixture) {
    let upload = begin(f, "object").await;
    let tags = put_parts(f, &upload, &["small".into(), "end".into()]).await;
    assert!(rejected(&f.store.complete_upload(&upload, &tags).await));
    assert!(f.is_missing("object").await);
    f.store.abort_upload(&upload).await.unwrap();
}

/// However large: one that exceeds what a store takes in at all must not wait for room that never comes.
pub async fn a_part_too_large_is_rejected_at_once(f: &Fixture) {
    let upload = begin(f, "object").await;
    for bytes in [OBJECT_BYTES_MAX + 1, EMBEDDED_QUEUE_BYTES_MAX + 1] {
        let told = f.store.put_part(&upload, 1, vec![0; bytes].into()).now_or_never();
        assert!(told.as_ref().is_some_and(rejected), "{bytes}: {told:?}");
    }
    let tags = put_parts(f, &upload, &["x".into()]).await;
    f.store.complete_upload(&upload, &tags).await.unwrap();
    assert_eq!(f.found("object").await.body, "x");
}

pub async fn two_uploads_of_one_key_do_not_mix(f: &Fixture) {
    let (one, other) = (begin(f, "object").await, begin(f, "object").await);
    let ones = put_parts(f, &one, &["one".into()]).await;
    let others = put_parts(f, &other, &["other".into()]).await;
    f.store.complete_upload(&one, &ones).await.unwrap();
    assert_eq!(f.found("object").await.body, "one");
    f.store.delete_many(&[f.key("object")]).await.unwrap();
    f.store.complete_upload(&other, &others).await.unwrap();
    assert_eq!(f.found("object").await.body, "other");
}

pub async fn parts_that_were_not_sent_are_rejected(f: &Fixture) {
    let upload = begin(f, "object").await;
    let mut tags = put_parts(f, &upload, &[noise(UPLOAD_PART_BYTES_MIN)]).await;
    assert!(rejected(&f.store.complete_upload(&upload, &[]).await));
    tags.push(ObjectTag("\"0123456789abcdef0123456789abcdef\"".to_owned()));
    assert!(rejected(&f.store.complete_upload(&upload, &tags).await));
    assert!(f.is_missing("object").await);
    f.store.abort_upload(&upload).await.unwrap();
}
