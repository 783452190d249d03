//! Starts after crashes and after damage, with the files that they leave.

use std::{fs, path::Path};

use super::{body, crashing, keys, noise, open, put};
use crate::{EmbeddedStore, ObjectStore, OpenError, embedded::options::Options, limits::EMBEDDED_PAGE_BYTES};

/// The first file of the journal.
fn journal(directory: &Path) -> std::path::PathBuf {
    directory.join("journal/a")
}

/// Zeroes a page of the journal.
fn zero_page(directory: &Path, page: usize) {
    let mut file = fs::read(journal(directory)).unwrap();
    file[page * EMBEDDED_PAGE_BYTES..(page + 1) * EMBEDDED_PAGE_BYTES].fill(0);
    fs::write(journal(directory), file).unwrap();
}

/// A store that crashed with three entries in its journal: pages 0 to 2, 3 to 5 and 6 to 8.
async fn crashed() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path(), &crashing());
    for (seed, key) in ["a", "b", "c"].into_iter().enumerate() {
        put(&store, key, noise(seed as u64, 9000)).await;
    }
    directory
}

#[tokio::test]
async fn what_only_the_journal_has_is_there_after_a_crash() {
    let directory = crashed().await;
    let store = open(directory.path(), &crashing());
    assert_eq!(keys(&store).await, ["a", "b", "c"]);
    assert_eq!(body(&store, "c").await, Some(noise(2, 9000)));
    store.delete_many(&["b".into()]).await.unwrap();
    put(&store, "d", noise(3, 10)).await;
    drop(store);
    // Twice, so that what the first start took from the journal is seen to be in the database.
    for _ in 0..2 {
        assert_eq!(keys(&open(directory.path(), &crashing())).await, ["a", "c", "d"]);
    }
}

#[tokio::test]
async fn a_last_batch_with_a_zeroed_page_in_the_middle_is_left_out() {
    let directory = crashed().await;
    zero_page(directory.path(), 7);
    let store = open(directory.path(), &crashing());
    assert_eq!(keys(&store).await, ["a", "b"]);
    assert_eq!(body(&store, "c").await, None);
    put(&store, "c", noise(9, 9000)).await;
    drop(store);
    assert_eq!(body(&open(directory.path(), &Options::default()), "c").await, Some(noise(9, 9000)));
}

#[tokio::test]
async fn a_damaged_batch_that_others_follow_is_refused_and_told_what_to_do() {
    let directory = crashed().await;
    zero_page(directory.path(), 4);
    let before = fs::read(journal(directory.path())).unwrap();
    for _ in 0..2 {
        let refused = EmbeddedStore::open(directory.path(), super::clock()).unwrap_err();
        assert!(matches!(refused, OpenError::Journal { .. }), "{refused:?}");
        let text = refused.to_string();
        assert!(text.contains("entry 2 is not readable, and entry 3 follows it"), "{text}");
        assert!(text.contains(directory.path().to_str().unwrap()) && text.contains("backup"), "{text}");
    }
    assert!(fs::read(journal(directory.path())).unwrap() == before, "a refusal leaves everything as it is");

    // The way out that the message names.
    fs::rename(directory.path().join("journal"), directory.path().join("aside")).unwrap();
    let store = open(directory.path(), &Options::default());
    assert_eq!(keys(&store).await, [""; 0]);
    put(&store, "d", noise(3, 10)).await;
}

#[tokio::test]
async fn an_orderly_end_leaves_an_empty_journal() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path(), &Options::default());
    put(&store, "a", noise(1, 9000)).await;
    assert!(fs::metadata(journal(directory.path())).unwrap().len() > 9000);
    drop(store);
    for name in ["a", "b"] {
        assert_eq!(fs::metadata(directory.path().join("journal").join(name)).unwrap().len(), 0);
    }
    assert_eq!(body(&open(directory.path(), &Options::default()), "a").await, Some(noise(1, 9000)));
}

#[tokio::test]
async fn a_large_body_that_only_the_journal_names_is_kept() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path(), &crashing());
    put(&store, "kept", noise(1, 1_000_000)).await;
    put(&store, "replaced", noise(2, 1_000_000)).await;
    put(&store, "replaced", noise(3, 10)).await;
    drop(store);
    let store = open(directory.path(), &Options::default());
    assert!(body(&store, "kept").await == Some(noise(1, 1_000_000)));
    assert_eq!(body(&store, "replaced").await, Some(noise(3, 10)));
    assert_eq!(fs::read_dir(directory.path().join("bodies")).unwrap().count(), 1);
}
