//! A stream that is filled by many small appends, and sealed.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Instant,
};

use tokio::{task::JoinSet, time::sleep};

use super::BYTES;
use crate::{
    failure::Failure,
    http::{Connection, Mount, requests_told},
    limits::{
        CHUNK_BYTES, FILL_BODY_BYTES, FILL_CONNECTIONS, FILL_TIME_MAX, SEALED_LOOK_EVERY, SEALED_PAGE_GETS_MAX,
        SEALED_TIME_MAX,
    },
    load::Slot,
    slots::{AppendSlot, noise},
};

/// Creates a stream and appends until it has `bytes` bytes, or time is up; how many it has.
pub(super) async fn fill(mount: &Mount, name: &str, bytes: u64) -> Result<u64, Failure> {
    mount.create(&mut mount.connect().await?, name, BYTES).await?;
    let appends = bytes / FILL_BODY_BYTES as u64;
    let taken = Arc::new(AtomicU64::new(0));
    let appended = Arc::new(AtomicU64::new(0));
    let start = Instant::now();
    let mut running = JoinSet::new();
    for _ in 0..appends.min(FILL_CONNECTIONS as u64) {
        let mut slot = AppendSlot::open(mount, name, BYTES, noise(FILL_BODY_BYTES), 1).await?;
        let (taken, appended) = (taken.clone(), appended.clone());
        running.spawn(async move {
            while taken.fetch_add(1, Ordering::Relaxed) < appends && start.elapsed() < FILL_TIME_MAX {
                let done = slot.step().await?;
                appended.fetch_add(u64::from(done.acknowledged), Ordering::Relaxed);
            }
            Ok::<(), Failure>(())
        });
    }
    while let Some(ended) = running.join_next().await {
        ended.map_err(Failure::setting)??;
    }
    Ok(appended.load(Ordering::Relaxed) * FILL_BODY_BYTES as u64)
}

/// Waits until the last whole chunk of a stream that was filled is sealed.
pub(super) async fn sealed(mount: &Mount, connection: &mut Connection, name: &str, bytes: u64) -> Result<(), Failure> {
    let last_chunks = (bytes / CHUNK_BYTES).saturating_sub(2) * CHUNK_BYTES;
    let start = Instant::now();
    while start.elapsed() < SEALED_TIME_MAX {
        let page = mount.page(connection, name, &format!("{last_chunks:020}")).await?;
        if requests_told(&page.headers).get <= SEALED_PAGE_GETS_MAX {
            return Ok(());
        }
        sleep(SEALED_LOOK_EVERY).await;
    }
    Err(Failure::Late("a stream to be sealed"))
}
