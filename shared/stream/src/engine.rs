//! The engine: streams by name, over one bucket.

use std::sync::Arc;

use moka::sync::Cache;
use tokio::sync::Semaphore;
use wadi_protocol::{
    CreateRequest, DeleteRequest, Incarnation, Payload, ReadRequest, Refusal, StreamDescription, StreamKey, Timestamp,
    WriteOutcome, WriteRequest,
    decide::{decide_delete, decide_write},
};
use wadi_store::{GetOptions, ObjectKey, SharedStore};

use crate::{
    ChunkAnswer, ChunkRequest, Created, EngineSettings, Fitness, ReadAnswer, Runtime, Tail, Verified,
    cell::{Cell, Shared},
    fitness::FitnessCell,
    limits::SEALINGS_AT_ONCE_MAX,
    log::Bucket,
    names::names,
    payloads::Payloads,
    proposal::Terms,
    read_ahead::ReadAhead,
    snapshot::PartCopies,
};

/// Streams over one bucket. Cheap to clone; all clones share their caches.
///
/// Any number of engines, in any number of processes, may work on one bucket.
#[derive(Clone, Debug)]
pub struct Engine {
    pub(crate) shared: Arc<Shared>,
    cells: Cache<StreamKey, Arc<Cell>, ahash::RandomState>,
}

impl Engine {
    /// An engine over `store`. With [`Fitness::Untested`] it refuses writes until
    /// [`Engine::set_fitness`] says that the store is proved.
    pub fn new(store: SharedStore, runtime: Arc<dyn Runtime>, fitness: Fitness) -> Self {
        Self::with_settings(store, runtime, fitness, EngineSettings::default())
    }

    /// The same, with settings.
    pub fn with_settings(
        store: SharedStore,
        runtime: Arc<dyn Runtime>,
        fitness: Fitness,
        settings: EngineSettings,
    ) -> Self {
        let EngineSettings {
            polling,
            sealing,
            seal_records,
            grace,
            state_cache_bytes,
            payload_cache_bytes,
            pages_ahead_max,
        } = settings;
        let seed = || runtime.random();
        let hasher = ahash::RandomState::with_seeds(seed(), seed(), seed(), seed());
        let shared = Shared {
            polling,
            sealing,
            seal_records,
            seal_turns: Semaphore::new(SEALINGS_AT_ONCE_MAX),
            grace,
            part_copies: PartCopies::default(),
            payloads: Payloads::new(payload_cache_bytes, hasher.clone()),
            read_ahead: ReadAhead::new(pages_ahead_max),
            bucket: Arc::new(Bucket::new(store, runtime)),
            fitness: FitnessCell::new(fitness),
        };
        let weigh = |_: &StreamKey, cell: &Arc<Cell>| cell.weight_bytes();
        let cells = Cache::builder().max_capacity(state_cache_bytes).weigher(weigh).build_with_hasher(hasher);
        Self { shared: Arc::new(shared), cells }
    }

    /// Creates a stream, or confirms that it exists as asked for.
    pub async fn create(&self, key: &StreamKey, request: CreateRequest) -> Result<Created, Refusal> {
        let cell = self.cell(key);
        // A create runs to its end even when nobody waits for it any more, so that its manifest
        // and first record never part.
        let created = cell.clone().run_to_end(|cell| async move { cell.create(&request).await }).await;
        self.weigh_again(&cell);
        created
    }

    /// Appends to a stream, closes it, or both. Dropping the future does not take it back.
    pub async fn write(&self, key: &StreamKey, request: WriteRequest) -> Result<WriteOutcome, Refusal> {
        let cell = self.cell(key);
        let payload = match &request.content {
            Ok(Payload::Bytes { text, .. }) => text.clone(),
            _ => bytes::Bytes::new(),
        };
        let terms = Terms { payload, needs_proof: true };
        let outcome = cell.propose(terms, move |state, moment| decide_write(state, &request, moment)).await;
        self.weigh_again(&cell);
        outcome
    }

    /// Deletes a stream.
    pub async fn delete(&self, key: &StreamKey, request: DeleteRequest) -> Result<(), Refusal> {
        let terms = Terms { payload: bytes::Bytes::new(), needs_proof: true };
        self.cell(key).propose(terms, move |state, moment| decide_delete(state, &request, moment)).await
    }

    /// What a stream is.
    pub async fn head(&self, key: &StreamKey, incarnation: Option<Incarnation>) -> Result<StreamDescription, Refusal> {
        let cell = self.cell(key);
        let stream = cell.head(incarnation).await;
        self.weigh_again(&cell);
        stream
    }

    /// A page of a stream.
    pub async fn read(&self, key: &StreamKey, request: ReadRequest) -> Result<ReadAnswer, Refusal> {
        let cell = self.cell(key);
        let answer = cell.read(&request).await;
        self.weigh_again(&cell);
        answer
    }

    /// A chunk of a stream: a piece that ends at the grid.
    pub async fn chunk(&self, key: &StreamKey, request: &ChunkRequest) -> Result<ChunkAnswer, Refusal> {
        let cell = self.cell(key);
        let answer = cell.chunk(request).await;
        self.weigh_again(&cell);
        answer
    }

    /// Follows a stream from the offset asked for. What the request says of size is left to each
    /// step of the tail.
    pub async fn tail(&self, key: &StreamKey, request: &ReadRequest) -> Result<Tail, Refusal> {
        let cell = self.cell(key);
        let tail = cell.tail(request).await;
        self.weigh_again(&cell);
        tail
    }

    /// Collects what may be collected under one name. Returns how many objects that were.
    pub async fn collect(&self, key: &StreamKey) -> Result<u64, Refusal> {
        self.shared.fitness.check()?;
        let cell = self.cell(key);
        cell.collect().await.map_err(|error| cell.unreadable(&error))
    }

    /// Reads a stream whole, sealed objects and records, and tells what is wrong with it.
    ///
    /// [`Refusal::StoreUnavailable`] when the bucket does not answer.
    pub async fn verify(&self, key: &StreamKey) -> Result<Verified, Refusal> {
        // A cell of its own: nothing is taken from what this process remembers.
        let cell = Arc::new(Cell::new(key.clone(), self.shared.clone()));
        cell.verify().await.map_err(|error| cell.unreadable(&error))
    }

    /// The names that have a manifest, of streams that live or lived, in the order of the store: those
    /// after `after`, at most a thousand. Empty at the end.
    ///
    /// [`Refusal::StoreUnavailable`] when the bucket cannot be listed.
    pub async fn names(&self, after: Option<&StreamKey>) -> Result<Vec<StreamKey>, Refusal> {
        let mut after = after.map(crate::manifest_key);
        loop {
            let page = names(&self.shared.bucket, after).await.map_err(|error| {
                tracing::warn!(%error, "the bucket cannot be listed");
                Refusal::StoreUnavailable
            })?;
            if !page.found.is_empty() || page.after.is_none() {
                return Ok(page.found.into_iter().map(|name| name.key).collect());
            }
            after = page.after;
        }
    }

    /// Now, by the store's clock as far as it is known.
    pub fn now(&self) -> Timestamp {
        self.shared.bucket.moment().now
    }

    /// The clocks and dice that the engine was given.
    pub fn runtime(&self) -> &Arc<dyn Runtime> {
        self.shared.bucket.runtime()
    }

    /// The verdict on the store.
    pub fn fitness(&self) -> Fitness {
        self.shared.fitness.get()
    }

    /// Sets the verdict on the store.
    pub fn set_fitness(&self, fitness: Fitness) {
        self.shared.fitness.set(fitness);
    }

    /// Whether the bucket answers: one cheap read of a key that is never written.
    pub async fn store_answers(&self) -> bool {
        let key = ObjectKey::from("manifest/readiness");
        match self.shared.bucket.get(&key, GetOptions::default()).await {
            Ok(_) => true,
            Err(error) => {
                tracing::warn!(%error, "the store does not answer");
                false
            }
        }
    }

    pub(crate) fn cell(&self, key: &StreamKey) -> Arc<Cell> {
        self.cells.get_with_by_ref(key, || Arc::new(Cell::new(key.clone(), self.shared.clone())))
    }

    /// Tells the cache that a cell has grown.
    pub(crate) fn weigh_again(&self, cell: &Arc<Cell>) {
        if cell.has_outgrown_its_weight() {
            self.cells.insert(cell.key.clone(), cell.clone());
        }
    }
}
