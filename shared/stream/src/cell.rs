//! One stream in one process: its view, and the requests that wait for it.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::sync::Semaphore;
use wadi_protocol::{Incarnation, Offset, Refusal, StreamKey, StreamState, Timestamp};

use crate::{
    defects::{self, Defect},
    fitness::FitnessCell,
    layout::incarnation_prefix,
    log::{Bucket, Found, Header, LogError, Slots},
    manifests::ManifestObject,
    payloads::{Holder, Payloads},
    poller::Polling,
    prober::Asked,
    proposal::Waiting,
    read_ahead::ReadAhead,
    seal::Sealing,
    snapshot::{PartCopies, Staging},
    view::View,
    watch::{News, Watchers},
    weight::Weight,
};

/// What all streams of a process share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) bucket: Arc<Bucket>,
    pub(crate) payloads: Payloads,
    pub(crate) read_ahead: ReadAhead,
    pub(crate) fitness: FitnessCell,
    pub(crate) polling: Polling,
    pub(crate) sealing: Sealing,
    pub(crate) seal_records: u64,
    /// Turns of sealing in the background.
    pub(crate) seal_turns: Semaphore,
    /// How long what nobody needs stays in the bucket.
    pub(crate) grace: Duration,
    pub(crate) part_copies: PartCopies,
}

/// Whether a stream lives, known freshly.
#[derive(Clone, Debug)]
pub(crate) enum Lookup {
    Live(Arc<View>),
    Missing,
}

/// What came of a freshness probe, for each that waited for it.
pub(crate) type Fresh = Result<Lookup, Refusal>;

/// One stream in one process. A second cell of the same stream does no harm: it is one more
/// process to the protocol.
#[derive(Debug)]
pub(crate) struct Cell {
    pub(crate) key: StreamKey,
    pub(crate) shared: Arc<Shared>,
    pub(crate) manifest: ManifestObject,
    /// Creates of one name run one at a time.
    pub(crate) creating: futures::lock::Mutex<()>,
    pub(crate) staging: Staging,
    inner: Mutex<Inner>,
    weight: Weight,
}

#[derive(Debug, Default)]
pub(crate) struct Inner {
    view: Option<Arc<View>>,
    pub(crate) writes: VecDeque<Waiting>,
    pub(crate) committing: bool,
    pub(crate) reads: Vec<Asked>,
    pub(crate) probing: bool,
    pub(crate) sealing: bool,
    /// A snapshot whose copy is known to be in its place.
    pub(crate) copied: Option<(Incarnation, Offset)>,
    /// A snapshot that a sealer could not copy, and when that was, in local monotonic time.
    pub(crate) copy_failed: Option<(Incarnation, Offset, Duration)>,
    pub(crate) watchers: Watchers,
}

impl Inner {
    /// The view this process has, as old as it may be.
    pub(crate) fn view(&self) -> Option<&Arc<View>> {
        self.view.as_ref()
    }

    fn install(&mut self, view: View) -> (Arc<View>, News) {
        match &mut self.view {
            Some(here) if here.state.incarnation == view.state.incarnation => {
                let goes_on = view.position.seq > here.position.seq;
                Arc::make_mut(here).merge(view);
                (here.clone(), if goes_on { self.watchers.news() } else { News::default() })
            }
            Some(here) if here.manifest.manifest.revision > view.manifest.manifest.revision => {
                (Arc::new(view), News::default())
            }
            place => (place.insert(Arc::new(view)).clone(), self.watchers.news()),
        }
    }

    fn discard(&mut self, view: &View) -> News {
        let same = self.view.take_if(|here| here.state.incarnation == view.state.incarnation);
        if same.is_some() { self.watchers.news() } else { News::default() }
    }
}

impl Cell {
    pub(crate) fn new(key: StreamKey, shared: Arc<Shared>) -> Self {
        let manifest = ManifestObject::new(shared.bucket.clone(), &key);
        Self {
            key,
            shared,
            manifest,
            creating: futures::lock::Mutex::new(()),
            staging: Staging::default(),
            inner: Mutex::default(),
            weight: Weight::default(),
        }
    }

    pub(crate) fn bucket(&self) -> &Arc<Bucket> {
        &self.shared.bucket
    }

    pub(crate) fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The slots of the incarnation that a view is of.
    pub(crate) fn slots(&self, view: &View) -> Slots {
        self.slots_of(view.state.incarnation)
    }

    /// The slots of an incarnation.
    pub(crate) fn slots_of(&self, incarnation: Incarnation) -> Slots {
        Slots::new(self.bucket().clone(), &self.prefix(incarnation))
    }

    /// What the objects of an incarnation begin with.
    pub(crate) fn prefix(&self, incarnation: Incarnation) -> String {
        incarnation_prefix(&self.key, incarnation)
    }

    /// The view this process has, as old as it may be.
    pub(crate) fn view(&self) -> Option<Arc<View>> {
        self.inner().view.clone()
    }

    /// What the cell weighs in the cache.
    pub(crate) fn weight_bytes(&self) -> u32 {
        self.weight.tell(self.view().as_deref())
    }

    /// Whether the cache should be told that it has grown.
    pub(crate) fn has_outgrown_its_weight(&self) -> bool {
        self.weight.is_outgrown(self.view().as_deref())
    }

    /// Takes note of what a task of this process found out. Returns the longest view of the same
    /// incarnation that is known now.
    pub(crate) fn install(&self, view: View) -> Arc<View> {
        let (view, news) = self.inner().install(view);
        news.wake();
        view
    }

    /// Forgets a view that cannot be believed any more. Its tails find out what that means.
    pub(crate) fn discard(&self, view: &View) {
        let news = self.inner().discard(view);
        news.wake();
    }

    /// Continues a view with records found after it; `tail_seen` is when the slot after the last
    /// of them was seen empty, if it was.
    pub(crate) fn extend(
        &self,
        base: &View,
        found: &[Found],
        tail_seen: Option<Timestamp>,
    ) -> Result<Arc<View>, LogError> {
        let mut view = base.clone();
        for found in found {
            view.fold(&found.record.header)?;
            self.keep_payload(base, &found.record.header, found.record.payload.as_ref());
        }
        if tail_seen.is_none() && defects::active(Defect::ProducersOfWinnerForgotten) {
            view.state.producers = base.state.producers.clone();
        }
        if defects::active(Defect::FoundRecordRenews) && !found.is_empty() {
            view.position.validated = view.position.validated.max(self.bucket().moment().now);
        }
        if let Some(date) = tail_seen {
            view.position.validated = view.position.validated.max(date);
        }
        Ok(self.install(view))
    }

    /// Continues a view with the process's own record, which leads to `after` and landed at `date`:
    /// whatever follows it was empty then.
    pub(crate) fn extend_landed(
        &self,
        base: Arc<View>,
        header: &Header,
        after: StreamState,
        date: Timestamp,
    ) -> Result<Arc<View>, LogError> {
        let mut inner = self.inner();
        // The cell lets go of it meanwhile: unless somebody reads from it just now, nothing is copied.
        let was_known = inner.view.take_if(|here| Arc::ptr_eq(here, &base)).is_some();
        let mut view = base;
        let landed = Arc::make_mut(&mut view).land(header, after, date);
        if was_known {
            inner.view = Some(view.clone());
            landed?;
            let news = inner.watchers.news();
            drop(inner);
            news.wake();
            return Ok(view);
        }
        drop(inner);
        landed?;
        Ok(self.install(Arc::unwrap_or_clone(view)))
    }

    pub(crate) fn keep_payload(&self, view: &View, header: &Header, payload: Option<&bytes::Bytes>) {
        if let Some(payload) = payload {
            self.shared.payloads.keep(view.state.incarnation, Holder::Slot(header.seq), payload.clone());
        }
    }
}
