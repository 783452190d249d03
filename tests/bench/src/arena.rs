//! A store, with a server of Wadi on it, and the floor below.

use std::{
    path::Path,
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};

use clap::ValueEnum;
use serde::Serialize;
use tempfile::TempDir;
use wadi_protocol::Timestamp;
use wadi_store::{EmbeddedStore, S3Settings, S3Store, SharedStore};
use wadi_tests::{
    bucket::Bucket,
    server::{Launch, Server},
};

use crate::{
    failure::Failure,
    http::{Mount, Peer},
    limits::Scale,
    load::{Contender, Load, Slot},
    processor::Processor,
};

/// A store that Wadi runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum StoreKind {
    /// A directory of this machine.
    Embedded,
    /// The S3 server that `tests/bench/run` starts.
    S3,
}

/// Everything that rows are measured with.
pub(crate) struct Arena {
    /// How much is measured.
    pub(crate) scale: Scale,
    /// The streams of Wadi.
    pub(crate) wadi: Mount,
    /// Other servers.
    pub(crate) peers: Vec<Peer>,
    /// The same store below, or one like it.
    pub(crate) floor: SharedStore,
    server: Server,
    launch: Launch,
    _folder: TempDir,
}

impl Arena {
    /// Starts a server on a store of this kind. Files go below `folder`.
    pub(crate) async fn open(kind: StoreKind, folder: &Path, scale: Scale, peers: Vec<Peer>) -> Result<Self, Failure> {
        let folder = TempDir::new_in(folder).map_err(Failure::setting)?;
        let (launch, floor): (_, SharedStore) = match kind {
            StoreKind::Embedded => {
                (Launch::embedded(&folder.path().join("wadi")), embedded(&folder.path().join("floor")).await?)
            }
            StoreKind::S3 => {
                let bucket = Bucket::fresh("bench");
                (Launch::on_s3(&bucket), s3(&bucket).await?)
            }
        };
        let launch = launch.arg("--server-timing").arg("on");
        let server = launch.clone().start().await;
        let wadi = Mount::parse(&server.address().url())?;
        Ok(Self { scale, wadi, peers, floor, server, launch, _folder: folder })
    }

    /// Ends the server, and starts another on the same store.
    pub(crate) async fn restart(&mut self) -> Result<(), Failure> {
        self.server.stop().await;
        self.server = self.launch.clone().start().await;
        self.wadi = Mount::parse(&self.server.address().url())?;
        Ok(())
    }

    /// The same with other arguments in addition, until the next restart.
    pub(crate) async fn restart_with(&mut self, args: &[&str]) -> Result<(), Failure> {
        self.server.stop().await;
        let launch = args.iter().fold(self.launch.clone(), |launch, arg| launch.arg(arg));
        self.server = launch.start().await;
        self.wadi = Mount::parse(&self.server.address().url())?;
        Ok(())
    }

    /// The most memory that the server has taken, in MiB.
    pub(crate) fn memory_peak_mib(&self) -> u64 {
        self.server.memory_peak_mib()
    }

    /// The server of Wadi, for the time of its processor.
    pub(crate) fn processor(&self) -> Processor {
        Processor(self.server.id())
    }

    /// A load on the server of Wadi.
    pub(crate) fn on_wadi<S: Slot>(&self, slots: Vec<S>) -> Box<dyn Contender> {
        Box::new(Load::on(self.processor(), slots))
    }
}

async fn embedded(directory: &Path) -> Result<SharedStore, Failure> {
    let directory = directory.to_owned();
    let opened = tokio::task::spawn_blocking(move || EmbeddedStore::open(directory, Arc::new(wall_clock)));
    Ok(Arc::new(opened.await.map_err(Failure::setting)?.map_err(Failure::setting)?))
}

async fn s3(beside: &Bucket) -> Result<SharedStore, Failure> {
    let place = beside.store.trim_start_matches("s3://");
    let (bucket, prefix) = place.split_once('/').unwrap_or((place, ""));
    let settings = S3Settings {
        bucket: bucket.to_owned(),
        prefix: Some(format!("{prefix}-floor")),
        endpoint: Some(beside.endpoint.clone()),
        ..S3Settings::default()
    };
    Ok(Arc::new(S3Store::connect(settings).await.map_err(Failure::setting)?))
}

fn wall_clock() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp::from_millis(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}
