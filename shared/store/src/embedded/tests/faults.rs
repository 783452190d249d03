//! Disks that fail, and a database that is slow.

use std::{
    fs::File,
    io,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    time::Duration,
};

use super::{body, crashing, keys, noise, open, put, try_put};
use crate::{
    ObjectStore, StoreError,
    embedded::{journal::Disk, options::Options},
    limits::{EMBEDDED_GENERATION_GROWTH_MAX, EMBEDDED_PAGE_BYTES},
};

/// What a disk fails at from some moment on.
#[derive(Default)]
struct Failing {
    writes: AtomicBool,
    syncs: AtomicBool,
}

struct FailingDisk {
    file: File,
    failing: Arc<Failing>,
}

fn unless(fails: &AtomicBool) -> io::Result<()> {
    if fails.load(Ordering::SeqCst) { Err(io::Error::other("broken on purpose")) } else { Ok(()) }
}

impl Disk for FailingDisk {
    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        unless(&self.failing.writes)?;
        self.file.write_at(offset, bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        unless(&self.failing.syncs)?;
        self.file.sync()
    }

    fn clear(&mut self) -> io::Result<()> {
        self.file.clear()
    }
}

impl Failing {
    /// Options of a store on such a disk.
    fn options(self: &Arc<Self>) -> Options {
        let failing = Arc::clone(self);
        let disk = move |file| Box::new(FailingDisk { file, failing: Arc::clone(&failing) }) as Box<dyn Disk>;
        Options { disk: Arc::new(disk), ..Options::default() }
    }
}

/// Nobody knows about the write that met the failure, no later one is tried, and reads go on, until a restart.
async fn the_store_stops_writing(fails: fn(&Failing) -> &AtomicBool) {
    let directory = tempfile::tempdir().unwrap();
    let failing = Arc::new(Failing::default());
    let store = open(directory.path(), &failing.options());
    put(&store, "before", noise(1, 100)).await;

    fails(&failing).store(true, Ordering::SeqCst);
    let unknown = try_put(&store, "unknown", noise(2, 1_000_000)).await.unwrap_err();
    assert!(matches!(&unknown, StoreError::Unavailable { reason } if reason.contains("restart")), "{unknown:?}");
    assert_eq!(body(&store, "unknown").await, None, "what may not be durable is not shown");

    fails(&failing).store(false, Ordering::SeqCst);
    let refused = try_put(&store, "after", noise(3, 100)).await.unwrap_err();
    assert!(matches!(refused, StoreError::NotSent { .. }), "a sync after one that failed proves nothing: {refused:?}");
    assert!(store.delete_many(&["before".into()]).await.is_err());
    assert_eq!(body(&store, "before").await, Some(noise(1, 100)));
    assert_eq!(keys(&store).await, ["before"]);
    drop(store);

    let store = open(directory.path(), &Options::default());
    assert_eq!(body(&store, "before").await, Some(noise(1, 100)));
    assert_eq!(body(&store, "after").await, None);
    // It may be there or not, but only whole.
    assert!(body(&store, "unknown").await.is_none_or(|body| body == noise(2, 1_000_000)));
    put(&store, "after", noise(3, 100)).await;
}

#[tokio::test]
async fn a_failed_sync_ends_all_writing_until_a_restart() {
    the_store_stops_writing(|failing| &failing.syncs).await;
}

#[tokio::test]
async fn a_failed_write_ends_all_writing_until_a_restart() {
    the_store_stops_writing(|failing| &failing.writes).await;
}

#[tokio::test]
async fn a_database_that_cannot_be_written_ends_all_writing_and_loses_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let before_commit = Arc::new(|| Err(io::Error::other("full on purpose")));
    let store = open(directory.path(), &Options { generation_bytes: 1, before_commit, ..Options::default() });
    let mut acknowledged = Vec::new();
    let refused = loop {
        let key = format!("{:04}", acknowledged.len());
        match try_put(&store, &key, noise(1, 100)).await {
            Ok(_) => acknowledged.push(key),
            Err(error) => break error,
        }
    };
    assert!(matches!(&refused, StoreError::NotSent { reason } if reason.contains("full on purpose")), "{refused:?}");
    assert_eq!(keys(&store).await, acknowledged);
    assert!(try_put(&store, "later", noise(1, 100)).await.is_err());
    drop(store);
    assert_eq!(keys(&open(directory.path(), &Options::default())).await, acknowledged);
}

#[tokio::test]
async fn writers_wait_for_a_slow_database_and_memory_stays_bounded() {
    const PAGES: usize = 16;
    let directory = tempfile::tempdir().unwrap();
    let (release, released) = mpsc::channel();
    let released = Mutex::new(released);
    let before_commit =
        Arc::new(move || released.lock().unwrap().recv().map_err(|_| io::Error::other("the test ended")));
    let generation_bytes = PAGES * EMBEDDED_PAGE_BYTES;
    let store = open(directory.path(), &Options { generation_bytes, before_commit, ..crashing() });
    let mut written = Vec::new();
    // One generation that is being written, and one that may grow meanwhile.
    for number in 0..PAGES * (1 + EMBEDDED_GENERATION_GROWTH_MAX) {
        let key = format!("{number:04}");
        put(&store, &key, noise(number as u64, 100)).await;
        written.push(key);
    }
    let mut waiting = std::pin::pin!(try_put(&store, "waits", noise(1, 100)));
    assert!(tokio::time::timeout(Duration::from_millis(100), &mut waiting).await.is_err());
    assert_eq!(keys(&store).await, written, "readers do not wait");
    release.send(()).unwrap();
    waiting.await.unwrap();
    assert_eq!(keys(&store).await.len(), written.len() + 1);
    release.send(()).unwrap();
}
