//! Creating a stream: the manifest's compare-and-set is the moment of creation.

use std::sync::Arc;

use bytes::Bytes;
use wadi_protocol::{
    CreateRequest, Genesis, Incarnation, Operation, Refusal, StreamDescription, StreamState,
    decide::{decide_create_missing, decide_create_over},
};
use wadi_store::PutCondition;

use crate::{
    cell::{Cell, Lookup},
    defects::{self, Defect},
    limits::{OPEN_ATTEMPTS_MAX, WRITE_DEADLINE},
    log::{Commit, Draft, Header, Position, RecordId},
    manifest::Manifest,
    manifests::{Loaded, Swap, Versioned},
    proposal::Terms,
    view::{Content, View},
};

/// What a create found or made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Created {
    /// It existed already, as asked for.
    pub existed: bool,
    /// The stream.
    pub stream: StreamDescription,
}

/// What is under a name before a create.
enum Ground {
    /// Nothing that anybody knows of.
    Empty,
    Tombstone(Box<Versioned>),
    Live,
    /// A stream that ended while it was opened.
    Ended,
}

/// How one try of a create ended.
enum Outcome {
    Created(Created),
    /// Somebody else was faster: this is there.
    Found(Box<Versioned>),
    /// The stream that was there has ended.
    Gone,
}

/// The first record of a log, put there before its manifest.
struct First {
    header: Header,
    payload: Bytes,
}

impl Cell {
    /// Creates the stream, or confirms that it exists as asked for.
    pub(crate) async fn create(self: &Arc<Self>, request: &CreateRequest) -> Result<Created, Refusal> {
        let deadline = self.bucket().monotonic() + WRITE_DEADLINE;
        let _one_at_a_time = self.creating.lock().await;
        self.shared.fitness.check()?;
        // Nothing of it was sent yet. Else those behind a create that hangs would hang in turn.
        if self.bucket().monotonic() >= deadline {
            return Err(Refusal::StreamBusy);
        }
        let mut ground = self.first_ground(request).await?;
        for _ in 0..OPEN_ATTEMPTS_MAX {
            let outcome = match ground {
                Ground::Live => match self.view().filter(|view| self.is_replaced_carelessly(view)) {
                    Some(view) => self.create_on(request, Some(&view.manifest)).await?,
                    None => self.confirm(request).await?,
                },
                Ground::Empty => self.create_on(request, None).await?,
                Ground::Tombstone(tombstone) => self.create_on(request, Some(&tombstone)).await?,
                Ground::Ended => Outcome::Gone,
            };
            ground = match outcome {
                Outcome::Created(created) => return Ok(created),
                Outcome::Found(found) => self.ground_of(found).await?,
                Outcome::Gone => self.look().await?,
            };
        }
        Err(Refusal::StreamBusy)
    }

    fn is_replaced_carelessly(&self, view: &View) -> bool {
        let moment = self.bucket().moment();
        defects::active(Defect::ExpiredReplacedByManifest) && view.state.is_expired(moment.now, moment.resolution)
    }

    /// Most creates are of new names: they try without looking. A create with a body looks first,
    /// so that repeating it leaves no orphan, and so does one that does not know the time yet.
    async fn first_ground(self: &Arc<Self>, request: &CreateRequest) -> Result<Ground, Refusal> {
        if self.view().is_some() {
            return Ok(Ground::Live);
        }
        let looks = !request.text.is_empty() || request.incarnation.is_some() || !self.bucket().knows_time();
        if looks { self.look().await } else { Ok(Ground::Empty) }
    }

    async fn look(self: &Arc<Self>) -> Result<Ground, Refusal> {
        match self.manifest.load(None).await.map_err(|error| self.unreadable(&error))? {
            Loaded::Missing | Loaded::Unchanged { .. } => Ok(Ground::Empty),
            Loaded::Found(found) => self.ground_of(found).await,
        }
    }

    async fn ground_of(self: &Arc<Self>, found: Box<Versioned>) -> Result<Ground, Refusal> {
        if found.manifest.is_tombstone() {
            return Ok(Ground::Tombstone(found));
        }
        match self.open_from(&found).await? {
            Lookup::Live(_) => Ok(Ground::Live),
            Lookup::Missing => Ok(Ground::Ended),
        }
    }

    /// Compares with the stream that exists.
    async fn confirm(self: &Arc<Self>, request: &CreateRequest) -> Result<Outcome, Refusal> {
        let request = request.clone();
        let terms = Terms { payload: Bytes::new(), needs_proof: true };
        let answer = self
            .propose(terms, move |state, moment| {
                decide_create_over(state, &request, moment).map(|()| StreamDescription::from(state))
            })
            .await;
        match answer {
            Ok(stream) => Ok(Outcome::Created(Created { existed: true, stream })),
            Err(Refusal::StreamNotFound) => Ok(Outcome::Gone),
            Err(refusal) => Err(refusal),
        }
    }

    /// Creates a new incarnation where none is.
    async fn create_on(
        self: &Arc<Self>,
        request: &CreateRequest,
        tombstone: Option<&Versioned>,
    ) -> Result<Outcome, Refusal> {
        let tombstone_manifest = tombstone.map(|found| &found.manifest);
        let incarnation = self.new_incarnation(tombstone_manifest);
        let at = self.bucket().moment().now;
        let (genesis, operation) = decide_create_missing(request, incarnation, at)?;
        let first = match operation {
            Some(operation) => Some(self.put_first(&genesis, operation, request.text.clone()).await?),
            None => None,
        };
        let replaced = tombstone.map(|found| (&found.manifest, found.published));
        let manifest = Manifest::of_new(genesis, replaced, self.writer_mark());
        let condition = match tombstone {
            Some(found) => PutCondition::IfMatch(found.tag.clone()),
            None => PutCondition::IfAbsent,
        };
        match self.manifest.swap(&manifest, condition).await {
            Swap::Done(done) => {
                let (created, view) = self.created(*done, first)?;
                if self.calls_for_a_mark(None, &view.state) {
                    self.mark_for_sealing().await;
                }
                Ok(Outcome::Created(created))
            }
            Swap::Superseded => Ok(Outcome::Created(created_and_superseded(&manifest, first.as_ref()))),
            Swap::Lost(found) => Ok(Outcome::Found(found)),
            Swap::Void(error) => {
                tracing::warn!(stream = self.key.key_text(), %error, "the store took no manifest");
                Err(Refusal::StoreUnavailable)
            }
            Swap::Unknown => Err(Refusal::OutcomeUnknown),
        }
    }

    /// A token that no incarnation of this name has had, as far as its tombstone remembers.
    fn new_incarnation(&self, tombstone: Option<&Manifest>) -> Incarnation {
        loop {
            let incarnation = Incarnation::from_random(self.bucket().runtime().random());
            if !tombstone.is_some_and(|tombstone| tombstone.knows(incarnation)) {
                return incarnation;
            }
        }
    }

    /// Puts the initial bytes into slot 1 of the new log. Nobody else knows its token yet.
    async fn put_first(&self, genesis: &Genesis, operation: Operation, payload: Bytes) -> Result<First, Refusal> {
        let internal = |_| Refusal::StoreUnavailable;
        let mut state = StreamState::born(genesis);
        state.apply(&operation, genesis.at).map_err(internal)?;
        let content = Content { operations: vec![operation], state: state.summary() };
        let runtime = self.bucket().runtime();
        let draft = Draft {
            seq: 1,
            id: RecordId::from_random(runtime.random(), runtime.random()),
            prev: RecordId::root(genesis.incarnation),
            at: genesis.at,
            content: serde_json::value::to_raw_value(&content).map_err(|_| Refusal::StoreUnavailable)?,
            payload,
            object: None,
        };
        let (object, header) = draft.encode().map_err(|error| self.unreadable(&error))?;
        let root = Position { seq: 0, id: draft.prev.clone(), at: genesis.at, validated: genesis.at };
        let slots = self.slots_of(genesis.incarnation);
        let deadline = self.bucket().monotonic() + WRITE_DEADLINE;
        match slots.commit(&root, &draft.id, object, deadline).await {
            Commit::Landed { .. } => Ok(First { header, payload: draft.payload }),
            // Without a manifest nothing of it can ever be seen.
            Commit::Lost(_) | Commit::Void(_) | Commit::Unknown => Err(Refusal::StoreUnavailable),
        }
    }

    fn created(self: &Arc<Self>, done: Versioned, first: Option<First>) -> Result<(Created, Arc<View>), Refusal> {
        let date = done.date;
        let state = done.manifest.state_at_checkpoint();
        let mut born = View::at_checkpoint(done, state);
        if let Some(first) = first {
            self.keep_payload(&born, &first.header, Some(&first.payload));
            born.fold(&first.header).map_err(|error| self.unreadable(&error))?;
            born.position.validated = born.position.validated.max(date);
        }
        let view = self.install(born);
        self.seal_when_due(&view);
        let created = Created { existed: false, stream: StreamDescription::from(&view.state) };
        Ok((created, view))
    }
}

/// The create succeeded and others have been at work on the stream since.
fn created_and_superseded(manifest: &Manifest, first: Option<&First>) -> Created {
    let mut stream = StreamDescription::from(&manifest.state_at_checkpoint());
    if let Some(first) = first {
        stream.tail = stream.tail.saturating_add(first.header.payload.bytes);
    }
    Created { existed: false, stream }
}
