//! Directories of the release before the journal.

use redb::Database;

use super::{body, keys, noise, open, put};
use crate::{
    EmbeddedStore, OpenError,
    embedded::{
        format::Numbers,
        options::Options,
        schema::{FORMAT, FORMAT_WITHOUT_JOURNAL, NUMBER_FORMAT, NUMBER_SEQUENCE, NUMBERS, SECRETS},
    },
};

/// Makes of a directory what the release before would have left, with this number of its format.
fn set_format(directory: &std::path::Path, format: u64) {
    std::fs::remove_dir_all(directory.join("journal")).unwrap();
    let database = Database::open(directory.join("objects.redb")).unwrap();
    let transaction = database.begin_write().unwrap();
    transaction.delete_table(SECRETS).unwrap();
    let mut numbers = transaction.open_table(NUMBERS).unwrap();
    numbers.insert(NUMBER_FORMAT, format).unwrap();
    numbers.remove(NUMBER_SEQUENCE).unwrap();
    drop(numbers);
    transaction.commit().unwrap();
}

#[tokio::test]
async fn a_directory_without_a_journal_opens_and_gets_one() {
    let directory = tempfile::tempdir().unwrap();
    put(&open(directory.path(), &Options::default()), "a", noise(1, 100)).await;
    set_format(directory.path(), FORMAT_WITHOUT_JOURNAL);
    for key in ["b", "c"] {
        let store = open(directory.path(), &super::crashing());
        assert_eq!(body(&store, "a").await, Some(noise(1, 100)));
        put(&store, key, noise(2, 100)).await;
    }
    assert_eq!(keys(&open(directory.path(), &Options::default())).await, ["a", "b", "c"]);
    let database = Database::open(directory.path().join("objects.redb")).unwrap();
    assert_eq!(Numbers::read(&database).unwrap().format, FORMAT);
}

#[tokio::test]
async fn a_directory_of_a_later_release_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    drop(open(directory.path(), &Options::default()));
    set_format(directory.path(), FORMAT + 1);
    let refused = EmbeddedStore::open(directory.path(), super::clock()).unwrap_err();
    assert!(matches!(refused, OpenError::Format { found, .. } if found == FORMAT + 1), "{refused:?}");
}
