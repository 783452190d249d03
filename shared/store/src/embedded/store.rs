//! The store itself: it hands changes to the writer, and reads that memory cannot answer to the blocking pool.

use std::{
    fs::File,
    path::{Path, PathBuf},
    sync::Arc,
    thread::JoinHandle,
    time::Duration,
};

use async_trait::async_trait;
use bytes::Bytes;
use tokio::sync::{Semaphore, oneshot};
use wadi_protocol::Timestamp;

use super::{
    OpenError,
    bodies::{Bodies, UnnamedFile},
    directory::{self, Opened},
    durable::Durable,
    flusher::Flusher,
    layers::Layers,
    list,
    options::Options,
    queue::{Queue, closed},
    read,
    snapshot::Snapshot,
    uploads::Uploads,
    writer::{Change, NewBody, Writer},
};
use crate::{
    Attributes, Clock, GetOptions, GetOutcome, ListRequest, Listing, NewObject, ObjectKey, ObjectStore, ObjectTag,
    PutCondition, PutOutcome, StoreError, Upload,
    clock::Dates,
    limits::{EMBEDDED_INLINE_BYTES_MAX, EMBEDDED_READS_MAX, LOCAL_DATE_RESOLUTION},
    rules,
};

/// A durable object store in one directory, for one process.
///
/// A write is on disk before it is answered. Waits on the disk happen on threads of their own. Dropping
/// the store waits until what is in its journal is in its database: a fraction of a second.
pub struct EmbeddedStore {
    directory: PathBuf,
    shared: Shared,
    queue: Queue,
    reads: Arc<Semaphore>,
    writer: Option<JoinHandle<()>>,
    /// Held as long as the store lives; the system releases it even after a crash.
    _lock: File,
}

#[derive(Clone)]
struct Shared {
    layers: Arc<Layers>,
    bodies: Arc<Bodies>,
    dates: Arc<Dates>,
    uploads: Arc<Uploads>,
}

impl EmbeddedStore {
    /// Opens the store in `directory`, which is made if there is none.
    ///
    /// Blocks for a few disk accesses; after a crash until the journal is read. Fails with [`OpenError::InUse`]
    /// while another process has it open.
    pub fn open(directory: impl AsRef<Path>, clock: Clock) -> Result<Self, OpenError> {
        Self::open_with(directory.as_ref(), clock, &Options::default())
    }

    /// As [`Self::open`], with another size of what gathers in the journal and in memory before it is written to the
    /// database, in bytes. Smaller takes less memory and starts sooner after a crash; larger takes fewer writes.
    pub fn open_with_generations(
        directory: impl AsRef<Path>,
        clock: Clock,
        generation_bytes: usize,
    ) -> Result<Self, OpenError> {
        Self::open_with(directory.as_ref(), clock, &Options { generation_bytes, ..Options::default() })
    }

    pub(super) fn open_with(directory: &Path, clock: Clock, options: &Options) -> Result<Self, OpenError> {
        let directory = directory.to_owned();
        let Opened { database, journal, bodies, lock, mark } = directory::open(&directory, options)?;
        let io = |source| OpenError::Io { directory: directory.clone(), source };
        let committed = Snapshot::of(&database).map_err(|error| OpenError::database(&directory, &error))?;
        let shared = Shared {
            layers: Arc::new(Layers::new(committed)),
            bodies: Arc::new(bodies),
            dates: Arc::new(Dates::new(clock, mark.newest)),
            uploads: Arc::default(),
        };
        let flusher =
            Flusher::spawn(database, Arc::clone(&shared.layers), Arc::clone(&options.before_commit)).map_err(io)?;
        let durable = Durable::new(journal, flusher, mark, options);
        let (queue, changes) = Queue::new();
        let Shared { layers, bodies, dates, .. } = shared.clone();
        let writer = Writer { bodies, dates, layers, durable, queue: changes }.spawn();
        Ok(Self {
            writer: Some(writer.map_err(io)?),
            directory,
            shared,
            queue,
            reads: Arc::new(Semaphore::new(EMBEDDED_READS_MAX)),
            _lock: lock,
        })
    }

    /// A large body goes to its file before it queues: the writer is not kept from small ones meanwhile.
    async fn prepare(&self, body: Bytes) -> Result<NewBody, StoreError> {
        if body.len() <= EMBEDDED_INLINE_BYTES_MAX {
            return Ok(NewBody::Inline(body));
        }
        let bodies = Arc::clone(&self.shared.bodies);
        let written = tokio::task::spawn_blocking(move || bodies.write(&body)).await.map_err(|_| stopped())?;
        written.map(NewBody::File).map_err(|error| StoreError::NotSent {
            reason: format!(
                "a body could not be written to {}: {error}; check its free space",
                self.directory.display()
            ),
        })
    }

    /// Work on an upload, which writes to the disk.
    async fn upload<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Shared) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let shared = self.shared.clone();
        tokio::task::spawn_blocking(move || work(&shared)).await.map_err(|_| stopped())?
    }

    async fn change_with_file(
        &self,
        key: ObjectKey,
        file: UnnamedFile,
        attributes: Attributes,
    ) -> Result<PutOutcome, StoreError> {
        let room = self.queue.room(0).await?;
        let (answer, answered) = oneshot::channel();
        let (body, condition) = (NewBody::File(file), PutCondition::IfAbsent);
        self.queue.send(Change::Put { key, body, attributes, condition, answer, _room: room }).await?;
        answered.await.map_err(|_| stopped())?
    }

    async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Shared) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let permit = Arc::clone(&self.reads).acquire_owned().await.map_err(|_| closed())?;
        let shared = self.shared.clone();
        let done = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            read(&shared)
        });
        done.await.map_err(|_| stopped())?
    }
}

#[async_trait]
impl ObjectStore for EmbeddedStore {
    async fn get(&self, key: &ObjectKey, options: GetOptions) -> Result<GetOutcome, StoreError> {
        rules::check_get(key, &options)?;
        let Shared { layers, dates, .. } = &self.shared;
        if let Some(outcome) = read::get_from_memory(layers, key, &options, dates.now()) {
            return Ok(outcome);
        }
        let key = key.clone();
        self.read(move |shared| read::get(&shared.layers, &shared.bodies, &key, &options, shared.dates.now())).await
    }

    async fn put(&self, key: &ObjectKey, object: NewObject, condition: PutCondition) -> Result<PutOutcome, StoreError> {
        rules::check_put(key, &object)?;
        let NewObject { body, attributes } = object;
        let room = self.queue.room(body.len()).await?;
        let body = self.prepare(body).await?;
        let (answer, answered) = oneshot::channel();
        self.queue.send(Change::Put { key: key.clone(), body, attributes, condition, answer, _room: room }).await?;
        answered.await.map_err(|_| stopped())?
    }

    async fn delete_many(&self, keys: &[ObjectKey]) -> Result<Timestamp, StoreError> {
        keys.iter().try_for_each(rules::check_key)?;
        let (answer, answered) = oneshot::channel();
        self.queue.send(Change::Delete { keys: keys.to_vec(), answer }).await?;
        answered.await.map_err(|_| stopped())?
    }

    async fn list(&self, request: ListRequest) -> Result<Listing, StoreError> {
        rules::check_list(&request)?;
        self.read(move |shared| list::list(&shared.layers, &request, shared.dates.now())).await
    }

    async fn begin_upload(&self, key: &ObjectKey, attributes: Attributes) -> Result<Upload, StoreError> {
        rules::check_key(key)?;
        let key = key.clone();
        self.upload(move |shared| shared.uploads.begin(&shared.bodies, key, attributes, shared.dates.now())).await
    }

    async fn put_part(&self, upload: &Upload, number: u32, body: Bytes) -> Result<ObjectTag, StoreError> {
        rules::check_part_body(body.len())?;
        let room = self.queue.room(body.len()).await?;
        let upload = upload.clone();
        self.upload(move |shared| {
            let _room = room;
            shared.uploads.put_part(&upload, number, &body)
        })
        .await
    }

    async fn complete_upload(&self, upload: &Upload, parts: &[ObjectTag]) -> Result<Timestamp, StoreError> {
        let (named, parts) = (upload.clone(), parts.to_vec());
        let complete = self.upload(move |shared| shared.uploads.complete(&named, &parts)).await?;
        match self.change_with_file(upload.key.clone(), complete.file, complete.attributes).await? {
            PutOutcome::Stored { date, .. } => Ok(date),
            PutOutcome::PreconditionFailed { .. } | PutOutcome::Conflict { .. } => Err(rules::key_taken()),
        }
    }

    async fn abort_upload(&self, upload: &Upload) -> Result<(), StoreError> {
        let upload = upload.clone();
        self.upload(move |shared| {
            shared.uploads.abort(&upload);
            Ok(())
        })
        .await
    }

    async fn presign_get(&self, _key: &ObjectKey, _valid_for: Duration) -> Result<Option<String>, StoreError> {
        Ok(None)
    }

    fn date_resolution(&self) -> Duration {
        LOCAL_DATE_RESOLUTION
    }
}

impl Drop for EmbeddedStore {
    fn drop(&mut self) {
        // Closing the queue lets the writer finish what it has, empty the journal and stop. Without waiting for it
        // the directory could stay locked after a drop.
        self.queue.close();
        if let Some(writer) = self.writer.take() {
            let _ = writer.join();
        }
    }
}

impl std::fmt::Debug for EmbeddedStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EmbeddedStore").field("directory", &self.directory).finish_non_exhaustive()
    }
}

fn stopped() -> StoreError {
    StoreError::Unavailable { reason: "a thread of the embedded store stopped; restart the process".to_owned() }
}
