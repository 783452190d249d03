//! The embedded store.

use std::{
    future::{Ready, ready},
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use wadi_protocol::Timestamp;
use wadi_store::{
    Attributes, EmbeddedStore, GetOptions, GetOutcome, ListRequest, NewObject, ObjectKey, ObjectStore, OpenError,
    PutCondition, PutOutcome, StoreError, limits::LOCAL_UPLOADS_MAX,
};

use crate::{
    contract::{Fixture, basics::noise, date_of_put, found},
    manual_clock, system_clock,
};

fn fixture(_: &str) -> Ready<Option<Fixture>> {
    let directory = tempfile::tempdir().unwrap();
    let store = Arc::new(open(directory.path()));
    ready(Some(Fixture {
        store,
        prefix: String::new(),
        racers: 32,
        byte_order: true,
        any_key: true,
        _directory: Some(directory),
    }))
}

crate::contract::contract_tests!(fixture);

fn open(directory: &Path) -> EmbeddedStore {
    EmbeddedStore::open(directory, system_clock()).unwrap()
}

async fn put(store: &EmbeddedStore, key: &str, size: usize) -> PutOutcome {
    store.put(&key.into(), NewObject::from(noise(size)), PutCondition::Always).await.unwrap()
}

fn body_files(directory: &Path) -> usize {
    std::fs::read_dir(directory.join("bodies")).unwrap().count()
}

#[tokio::test]
async fn objects_outlive_the_process() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path());
    put(&store, "small", 100).await;
    put(&store, "large", 1_000_000).await;
    let before = found(store.get(&"large".into(), GetOptions::default()).await.unwrap());
    drop(store);

    let store = open(directory.path());
    let after = found(store.get(&"large".into(), GetOptions::default()).await.unwrap());
    assert!(after.body == before.body);
    assert_eq!((after.tag, after.last_modified), (before.tag, before.last_modified));
    assert_eq!(found(store.get(&"small".into(), GetOptions::default()).await.unwrap()).body, noise(100));
}

#[tokio::test]
async fn a_second_opening_is_refused_and_told_what_to_do() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path());
    let refused = EmbeddedStore::open(directory.path(), system_clock()).unwrap_err();
    assert!(matches!(refused, OpenError::InUse { owner: Some(pid), .. } if pid == std::process::id()), "{refused:?}");
    let text = refused.to_string();
    assert!(text.contains(directory.path().to_str().unwrap()) && text.contains("stop that process"), "{text}");
    drop(store);
    open(directory.path());
}

#[tokio::test]
async fn tags_and_dates_go_on_after_a_restart() {
    let directory = tempfile::tempdir().unwrap();
    let (_, clock) = manual_clock(9_000_000);
    let store = EmbeddedStore::open(directory.path(), clock).unwrap();
    let PutOutcome::Stored { tag: first, .. } = put(&store, "k", 1).await else { panic!("not stored") };
    store.delete_many(&["k".into()]).await.unwrap();
    drop(store);

    let (_, set_back) = manual_clock(1000);
    let store = EmbeddedStore::open(directory.path(), set_back).unwrap();
    let again = put(&store, "k", 1).await;
    assert!(date_of_put(&again) >= Timestamp::from_millis(9_000_000));
    let PutOutcome::Stored { tag: second, .. } = again else { panic!("not stored") };
    assert_ne!(first, second, "a tag names one write for ever");
}

#[tokio::test]
async fn files_of_large_bodies_go_with_their_objects() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path());
    put(&store, "replaced", 1_000_000).await;
    put(&store, "replaced", 1_000_001).await;
    put(&store, "deleted", 1_000_000).await;
    put(&store, "shrunk", 1_000_000).await;
    put(&store, "shrunk", 10).await;
    let refused = NewObject::from(noise(1_000_000));
    store.put(&"replaced".into(), refused, PutCondition::IfAbsent).await.unwrap();
    store.delete_many(&["deleted".into()]).await.unwrap();
    drop(store);
    assert_eq!(body_files(directory.path()), 1);
}

#[tokio::test]
async fn a_file_left_by_a_crash_is_deleted_at_the_next_start() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path());
    put(&store, "large", 1_000_000).await;
    drop(store);
    std::fs::write(directory.path().join("bodies/00000000000000ff"), "torn").unwrap();
    std::fs::write(directory.path().join("objects.redb.new"), "torn").unwrap();

    let store = open(directory.path());
    assert_eq!(body_files(directory.path()), 1);
    put(&store, "another", 1_000_000).await;
    assert_eq!(found(store.get(&"large".into(), GetOptions::default()).await.unwrap()).size, 1_000_000);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_large_body_replaced_while_it_is_read_is_read_whole() {
    let directory = tempfile::tempdir().unwrap();
    let store = Arc::new(open(directory.path()));
    put(&store, "k", 400_000).await;
    let writing = Arc::clone(&store);
    let writer = tokio::spawn(async move {
        for size in 400_000..400_100 {
            put(&writing, "k", size).await;
        }
    });
    while !writer.is_finished() {
        let GetOutcome::Found(object) = store.get(&ObjectKey::from("k"), GetOptions::default()).await.unwrap() else {
            panic!("gone")
        };
        assert!(object.body == noise(usize::try_from(object.size).unwrap()));
    }
    writer.await.unwrap();
}

#[tokio::test]
async fn an_upload_in_parts_outlives_the_process_once_it_is_complete_and_leaves_nothing_before() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path());
    let key = ObjectKey::from("large");
    let first = noise(6_000_000);
    let complete = store.begin_upload(&key, Attributes::default()).await.unwrap();
    let mut tags = vec![store.put_part(&complete, 1, first.clone()).await.unwrap()];
    tags.push(store.put_part(&complete, 2, "end".into()).await.unwrap());
    store.complete_upload(&complete, &tags).await.unwrap();
    let aborted = store.begin_upload(&ObjectKey::from("other"), Attributes::default()).await.unwrap();
    store.put_part(&aborted, 1, first.clone()).await.unwrap();
    assert_eq!(body_files(directory.path()), 2);
    store.abort_upload(&aborted).await.unwrap();
    assert_eq!(body_files(directory.path()), 1);
    let left_open = store.begin_upload(&key, Attributes::default()).await.unwrap();
    store.put_part(&left_open, 1, first.clone()).await.unwrap();
    drop(store);

    let store = open(directory.path());
    let read = found(store.get(&key, GetOptions::default()).await.unwrap());
    assert!(read.body == [&first[..], b"end"].concat());
    assert_eq!(body_files(directory.path()), 1);
    assert!(store.complete_upload(&left_open, &tags).await.is_err());
}

#[tokio::test]
async fn uploads_that_are_open_are_bounded() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path());
    let begin = || async { store.begin_upload(&ObjectKey::from("k"), Attributes::default()).await };
    let mut open = Vec::new();
    for _ in 0..LOCAL_UPLOADS_MAX {
        open.push(begin().await.unwrap());
    }
    assert!(matches!(begin().await, Err(StoreError::NotSent { .. })));
    store.abort_upload(&open[0]).await.unwrap();
    begin().await.unwrap();
}

/// Readers that look all the time while changes move from memory to the database, one generation after another.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn readers_see_what_was_acknowledged_wherever_it_is_by_now() {
    const WRITES: usize = 600;
    let directory = tempfile::tempdir().unwrap();
    let opened = EmbeddedStore::open_with_generations(directory.path(), system_clock(), 50_000);
    let store = Arc::new(opened.unwrap());
    let acknowledged = Arc::new(AtomicUsize::new(0));
    let (writing, count) = (Arc::clone(&store), Arc::clone(&acknowledged));
    let writer = tokio::spawn(async move {
        for step in 0..WRITES {
            put(&writing, &format!("k{step:06}"), 2000 + step).await;
            put(&writing, "replaced", step).await;
            count.store(step + 1, Ordering::SeqCst);
        }
    });
    while !writer.is_finished() {
        let before = acknowledged.load(Ordering::SeqCst);
        let page = store.list(ListRequest { prefix: "k".to_owned(), start_after: None, limit: 1000 }).await.unwrap();
        let sizes: Vec<_> = page.objects.iter().map(|object| object.size).collect();
        assert!(sizes.len() >= before, "{} of {before}", sizes.len());
        assert!(sizes.iter().eq(&(0..sizes.len() as u64).map(|step| 2000 + step).collect::<Vec<_>>()));
        for step in (0..before).rev().step_by(37) {
            let object = found(store.get(&format!("k{step:06}").as_str().into(), GetOptions::default()).await.unwrap());
            assert_eq!(object.body.len(), 2000 + step);
        }
        if before > 0 {
            let replaced = found(store.get(&"replaced".into(), GetOptions::default()).await.unwrap());
            assert!(replaced.size >= before as u64 - 1);
        }
        // Asked for before it is there: the next round asks again, when it must be found.
        store.get(&format!("k{before:06}").as_str().into(), GetOptions::default()).await.unwrap();
    }
    writer.await.unwrap();
}
