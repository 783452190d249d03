//! A directory as the store.

use std::{
    path::PathBuf,
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};

use wadi_protocol::Timestamp;
use wadi_store::{EmbeddedStore, SharedStore};

use crate::SettingsError;

/// Opens the store in a directory, which is made if there is none.
pub(crate) async fn open(path: PathBuf) -> Result<SharedStore, SettingsError> {
    let opened = tokio::task::spawn_blocking(move || EmbeddedStore::open(path, Arc::new(wall_clock)));
    Ok(Arc::new(opened.await.map_err(|_| SettingsError::Interrupted)??))
}

fn wall_clock() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp::from_millis(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}
