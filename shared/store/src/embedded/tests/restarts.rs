//! Random requests with ends of every kind between them, compared with the store in memory.

use std::{collections::BTreeMap, fs, path::Path};

use bytes::Bytes;
use proptest::prelude::*;

use super::{clock, crashing, noise, open};
use crate::{
    Attributes, EmbeddedStore, GetOptions, GetOutcome, ListRequest, MemoryStore, NewObject, ObjectKey, ObjectStore,
    PutCondition, PutOutcome, embedded::options::Options, limits::EMBEDDED_PAGE_BYTES,
};

/// Small, so that turns and commits happen all the time.
const GENERATION_BYTES: usize = 4 * EMBEDDED_PAGE_BYTES;

#[derive(Clone, Debug)]
enum Step {
    Put { key: u8, bytes: usize, condition: Condition },
    Delete { keys: Vec<u8> },
    List { from: u8, limit: usize },
    End(End),
}

#[derive(Clone, Copy, Debug)]
enum Condition {
    Always,
    IfAbsent,
    IfCurrent,
    IfStale,
}

#[derive(Clone, Debug)]
enum End {
    Orderly,
    Crash,
    /// A crash during the write of one more batch, of which these pages, counted round, were not written or are zeros.
    Torn {
        bytes: usize,
        pages: Vec<(usize, bool)>,
    },
}

fn step() -> impl Strategy<Value = Step> {
    let key = || 0..24_u8;
    let bytes = prop_oneof![6 => 0..3000_usize, 2 => 3000..40_000_usize, 1 => 262_100..262_300_usize];
    let condition = prop_oneof![
        3 => Just(Condition::Always), 3 => Just(Condition::IfAbsent), 2 => Just(Condition::IfCurrent),
        1 => Just(Condition::IfStale)
    ];
    let pages = prop::collection::vec((0..16_usize, any::<bool>()), 1..4);
    let end = prop_oneof![
        1 => Just(End::Orderly), 1 => Just(End::Crash),
        2 => (1..30_000_usize, pages).prop_map(|(bytes, pages)| End::Torn { bytes, pages })
    ];
    prop_oneof![
        12 => (key(), bytes, condition).prop_map(|(key, bytes, condition)| Step::Put { key, bytes, condition }),
        3 => prop::collection::vec(key(), 0..6).prop_map(|keys| Step::Delete { keys }),
        3 => (key(), 1..12_usize).prop_map(|(from, limit)| Step::List { from, limit }),
        2 => end.prop_map(Step::End),
    ]
}

fn name(key: u8) -> ObjectKey {
    ObjectKey::new(format!("k/{key:02}"))
}

/// The embedded store, and what it must be like.
struct Pair {
    directory: tempfile::TempDir,
    store: Option<EmbeddedStore>,
    oracle: MemoryStore,
    puts: u64,
}

impl Pair {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        Self { store: None, directory, oracle: MemoryStore::new(clock()), puts: 0 }
    }

    /// The store, opened where it is not, to end as `end` says.
    fn open(&mut self, end: &End) -> &EmbeddedStore {
        let options = match end {
            End::Orderly => Options::default(),
            End::Crash | End::Torn { .. } => crashing(),
        };
        let options = Options { generation_bytes: GENERATION_BYTES, ..options };
        self.store.get_or_insert_with(|| open(self.directory.path(), &options))
    }

    async fn play(&mut self, steps: &[Step]) {
        let end = steps.iter().find_map(|step| if let Step::End(end) = step { Some(end) } else { None });
        let end = end.unwrap_or(&End::Orderly);
        self.open(end);
        for (at, step) in steps.iter().enumerate() {
            match step {
                Step::Put { key, bytes, condition } => self.put(*key, *bytes, *condition).await,
                Step::Delete { keys } => {
                    let keys: Vec<_> = keys.iter().map(|key| name(*key)).collect();
                    self.store().delete_many(&keys).await.unwrap();
                    self.oracle.delete_many(&keys).await.unwrap();
                }
                Step::List { from, limit } => self.list(*from, *limit).await,
                Step::End(end) => {
                    self.end(end).await;
                    return Box::pin(self.play(&steps[at + 1..])).await;
                }
            }
        }
        self.compare().await;
    }

    fn store(&self) -> &EmbeddedStore {
        self.store.as_ref().unwrap()
    }

    async fn put(&mut self, key: u8, bytes: usize, condition: Condition) {
        self.puts += 1;
        let attributes = Attributes {
            content_type: key.is_multiple_of(2).then(|| format!("type/{}", self.puts)),
            metadata: BTreeMap::from([("put".to_owned(), self.puts.to_string())]),
            ..Attributes::default()
        };
        let object = NewObject { body: noise(self.puts, bytes), attributes };
        let ours = put_if(self.store(), key, object.clone(), condition).await;
        let theirs = put_if(&self.oracle, key, object, condition).await;
        assert_eq!(matches!(ours, PutOutcome::Stored { .. }), matches!(theirs, PutOutcome::Stored { .. }));
        let (ours, theirs) = (read(self.store(), &name(key)).await, read(&self.oracle, &name(key)).await);
        assert!(ours == theirs, "{key} after a put");
    }

    async fn list(&self, from: u8, limit: usize) {
        let request = ListRequest { prefix: "k/".to_owned(), start_after: Some(name(from)), limit };
        let ours = self.store().list(request.clone()).await.unwrap();
        assert_eq!(ours, self.oracle.list(request).await.unwrap());
    }

    async fn end(&mut self, end: &End) {
        self.compare().await;
        match end {
            End::Orderly | End::Crash => self.store = None,
            End::Torn { bytes, pages } => {
                let before = journal(self.directory.path());
                let object = NewObject::from(noise(u64::MAX, *bytes));
                self.store().put(&"torn".into(), object, PutCondition::Always).await.unwrap();
                self.store = None;
                tear(self.directory.path(), &before, pages);
            }
        }
    }

    /// Both hold the same objects.
    async fn compare(&self) {
        let all = ListRequest { limit: 1000, ..ListRequest::default() };
        let listed = self.store().list(all.clone()).await.unwrap();
        assert_eq!(listed, self.oracle.list(all).await.unwrap());
        for object in listed.objects {
            assert!(read(self.store(), &object.key).await == read(&self.oracle, &object.key).await, "{}", object.key);
        }
    }
}

async fn put_if(store: &dyn ObjectStore, key: u8, object: NewObject, condition: Condition) -> PutOutcome {
    let current = async |key: &ObjectKey| match store.get(key, GetOptions::default()).await.unwrap() {
        GetOutcome::Found(object) => Some(object.tag),
        _ => None,
    };
    let condition = match condition {
        Condition::Always => PutCondition::Always,
        Condition::IfAbsent => PutCondition::IfAbsent,
        Condition::IfCurrent => current(&name(key)).await.map_or(PutCondition::IfAbsent, PutCondition::IfMatch),
        Condition::IfStale => PutCondition::IfMatch(crate::ObjectTag("\"stale\"".to_owned())),
    };
    store.put(&name(key), object, condition).await.unwrap()
}

/// What a reader sees of an object, but for its tag, which each store makes in its own way.
async fn read(store: &dyn ObjectStore, key: &ObjectKey) -> Option<(Bytes, Attributes, u64)> {
    match store.get(key, GetOptions::default()).await.unwrap() {
        GetOutcome::Found(object) => Some((object.body, object.attributes, object.last_modified.as_millis())),
        _ => None,
    }
}

fn journal(directory: &Path) -> [Vec<u8>; 2] {
    ["a", "b"].map(|name| fs::read(directory.join("journal").join(name)).unwrap())
}

/// Takes back some of the pages that were written since `before`.
fn tear(directory: &Path, before: &[Vec<u8>; 2], pages: &[(usize, bool)]) {
    for ((name, before), mut after) in ["a", "b"].iter().zip(before).zip(journal(directory)) {
        let written = |page: &usize| {
            let range = page * EMBEDDED_PAGE_BYTES..(page + 1) * EMBEDDED_PAGE_BYTES;
            after[range.clone()] != *before.get(range).unwrap_or(&[0; EMBEDDED_PAGE_BYTES])
        };
        let written: Vec<usize> = (0..after.len() / EMBEDDED_PAGE_BYTES).filter(written).collect();
        for (page, zeroed) in pages.iter().filter(|_| !written.is_empty()) {
            let start = written[page % written.len()] * EMBEDDED_PAGE_BYTES;
            let range = start..start + EMBEDDED_PAGE_BYTES;
            match before.get(range.clone()).filter(|_| !zeroed) {
                Some(old) => after[range].copy_from_slice(old),
                None => after[range].fill(0),
            }
        }
        fs::write(directory.join("journal").join(name), after).unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn the_store_is_like_the_one_in_memory_however_often_it_ends(steps in prop::collection::vec(step(), 1..80)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(Pair::new().play(&steps));
    }
}
