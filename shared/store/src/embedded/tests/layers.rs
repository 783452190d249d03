//! What memory knows, and when it forgets.

use std::{path::Path, sync::Arc};

use redb::Database;
use wadi_protocol::Timestamp;

use super::{noise, open, put};
use crate::{
    Attributes,
    embedded::{
        commit::commit,
        layers::{Found, Layers},
        object::{Mark, Object, Rows},
        options::Options,
        schema::Entry,
        snapshot::Snapshot,
    },
};

/// A database that holds `b` and `d`.
async fn database(directory: &Path) -> Arc<Database> {
    let store = open(directory, &Options::default());
    put(&store, "b", noise(1, 10)).await;
    put(&store, "d", noise(2, 10)).await;
    drop(store);
    Arc::new(Database::open(directory.join("objects.redb")).unwrap())
}

fn rows(key: &str) -> Rows {
    let entry =
        Entry { version: 9, size: 1, modified: Timestamp::EPOCH, file: None, attributes: Attributes::default() };
    [(key.into(), Some(Arc::new(Object { entry, body: noise(3, 1) })))].into()
}

/// What memory says of a key, in a word.
fn told(layers: &Layers, key: &str) -> &'static str {
    match layers.find(key) {
        Found::Object(_) => "object",
        Found::Missing => "missing",
        Found::Beneath(_) => "unknown",
    }
}

fn beneath(layers: &Layers, key: &str) -> Arc<Snapshot> {
    let Found::Beneath(committed) = layers.find(key) else { panic!("memory knows {key}") };
    committed
}

#[tokio::test]
async fn a_look_that_found_nothing_tells_of_all_keys_up_to_the_neighbours() {
    let directory = tempfile::tempdir().unwrap();
    let layers = Layers::new(Snapshot::of(&database(directory.path()).await).unwrap());
    assert_eq!(told(&layers, "c"), "unknown");
    assert!(layers.look_beneath(&beneath(&layers, "c"), "c").unwrap().is_none());
    for (key, expected) in [("a", "unknown"), ("b", "unknown"), ("b0", "missing"), ("c", "missing"), ("d", "unknown")] {
        assert_eq!(told(&layers, key), expected, "{key}");
    }
    layers.apply(rows("c1"));
    assert_eq!((told(&layers, "c1"), told(&layers, "c")), ("object", "missing"));
}

#[tokio::test]
async fn a_gap_is_forgotten_with_the_state_it_was_seen_in() {
    let directory = tempfile::tempdir().unwrap();
    let database = database(directory.path()).await;
    let layers = Layers::new(Snapshot::of(&database).unwrap());
    let before = beneath(&layers, "c");
    layers.look_beneath(&before, "c").unwrap();
    layers.apply(rows("c1"));
    let older = layers.turn();
    assert_eq!((told(&layers, "c1"), layers.rows()), ("object", 0));

    let mark = Mark { sequence: 3, versions: 9, newest: Timestamp::EPOCH };
    commit(&database, &older, mark).unwrap();
    layers.settle(Snapshot::of(&database).unwrap());
    assert_eq!(told(&layers, "c1"), "unknown");
    // A slow reader of the state before: what it saw is no longer so.
    assert!(layers.look_beneath(&before, "c").unwrap().is_none());
    assert_eq!(told(&layers, "c1"), "unknown");
    assert!(layers.look_beneath(&beneath(&layers, "c1"), "c1").unwrap().is_some());
}
