//! Reading a whole stream from the bucket, and holding what lies there twice against each other.

use std::sync::Arc;

use futures::{StreamExt, stream};
use wadi_protocol::{Incarnation, Offset, StreamState};

use crate::{
    cell::Cell,
    limits::{PAGE_FETCHES_IN_PARALLEL, PROBLEMS_TOLD_MAX},
    log::{Found, LogError, Position, RecordId, Slot},
    manifests::{Loaded, Versioned},
    sealed::chunks_needed_from,
    view::View,
};

/// What a stream was found to be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// The incarnation that lives; `None` when nothing does.
    pub incarnation: Option<Incarnation>,
    /// Bytes of the stream that were read and are right.
    pub bytes: u64,
    /// Records that were read.
    pub records: u64,
    /// Sealed objects that were read.
    pub sealed_objects: u64,
    /// What is wrong, in words; the first of it when it is much.
    pub problems: Vec<String>,
}

impl Verified {
    fn problem(&mut self, what: impl Into<String>) {
        if self.problems.len() < PROBLEMS_TOLD_MAX {
            self.problems.push(what.into());
        }
    }
}

/// A verification under way.
struct Verifier<'a> {
    cell: &'a Arc<Cell>,
    found: &'a Versioned,
    /// The state at the checkpoint, as the manifest has it.
    sealed: View,
    /// What the records say so far; absent where they do not begin at the start of the log.
    folded: Option<View>,
    /// The record before the next one, when it is known.
    before: Option<RecordId>,
    verified: Verified,
}

impl Cell {
    /// Reads the stream whole and tells what it found. An error when the store does not answer.
    pub(crate) async fn verify(self: &Arc<Self>) -> Result<Verified, LogError> {
        let Loaded::Found(found) = self.manifest.load(None).await? else { return Ok(Verified::default()) };
        if found.manifest.is_tombstone() {
            return Ok(Verified::default());
        }
        let state = match self.state_at(&found.manifest).await {
            Ok(state) => state,
            Err(LogError::Store(error)) => return Err(error.into()),
            Err(error) => {
                let problems = vec![format!("the state at the checkpoint cannot be read: {error}")];
                return Ok(Verified { problems, ..Verified::default() });
            }
        };
        let mut verifier = Verifier::new(self, &found, state);
        verifier.sealed_objects().await?;
        verifier.at_checkpoint(found.manifest.log.collected);
        verifier.records().await?;
        verifier.snapshot().await?;
        Ok(verifier.verified)
    }
}

impl<'a> Verifier<'a> {
    fn new(cell: &'a Arc<Cell>, found: &'a Versioned, state: StreamState) -> Self {
        let manifest = &found.manifest;
        let from_start = manifest.log.collected == 0;
        let folded = from_start.then(|| View::at_start(found.clone()));
        let before = from_start.then(|| RecordId::root(manifest.incarnation()));
        let verified = Verified { incarnation: Some(manifest.incarnation()), ..Verified::default() };
        let sealed = View::at_checkpoint(found.clone(), state);
        Self { cell, found, sealed, folded, before, verified }
    }

    /// Reads every chunk and segment: they must be whole, and reach from what retention left to the checkpoint.
    async fn sealed_objects(&mut self) -> Result<(), LogError> {
        let sealed = &self.found.manifest.sealed;
        if sealed.end() != self.sealed.state.tail {
            let tail = self.sealed.state.tail;
            self.verified.problem(format!("sealed objects end at {}, the checkpoint's tail is {tail}", sealed.end()));
        }
        let retained = self.sealed.state.retained;
        if sealed.chunks_start > chunks_needed_from(retained) {
            let start = sealed.chunks_start;
            self.verified.problem(format!("chunks are let go of up to {start}, the stream is kept from {retained} on"));
        }
        let mut reached = sealed.chunks_start;
        for object in sealed.objects(Offset::ZERO, sealed.end()) {
            let range = object.range();
            if range.start != reached {
                self.verified.problem(format!("no object holds the bytes from {reached} to {}", range.start));
            }
            reached = range.end;
            match self.cell.sealed_bytes(&self.sealed, &object).await {
                Ok(_) => {
                    self.verified.sealed_objects += 1;
                    self.verified.bytes += object.len();
                }
                Err(LogError::Store(error)) => return Err(error.into()),
                Err(LogError::Stale) => {
                    self.verified.problem(format!("the object of {}-{} is gone", range.start, range.end));
                }
                Err(error) => self.verified.problem(error.to_string()),
            }
        }
        Ok(())
    }

    /// Reads every record that was not collected, up to the tail.
    async fn records(&mut self) -> Result<(), LogError> {
        let first = self.found.manifest.log.collected + 1;
        let checkpoint = self.found.manifest.log.checkpoint.seq;
        let cell = self.cell;
        let incarnation = self.found.manifest.incarnation();
        let slots = cell.slots(&self.sealed);
        let read = |seq: u64| {
            let slots = slots.clone();
            async move {
                // Nobody collects above a floor that the manifest has not published for a day.
                let validated = cell.bucket().now().unwrap_or_default();
                let root = Position { seq: 0, id: RecordId::root(incarnation), at: validated, validated };
                (seq, slots.read(&root, seq).await)
            }
        };
        let mut answers = stream::iter(first..).map(read).buffered(PAGE_FETCHES_IN_PARALLEL);
        while let Some((seq, answer)) = answers.next().await {
            match answer {
                Ok(Slot::Found(found)) => self.record(seq, &found).await?,
                Ok(Slot::Missing { .. }) if seq > checkpoint => return Ok(()),
                Ok(Slot::Missing { .. }) => {
                    if seq > self.found.manifest.log.floor {
                        self.verified.problem(format!("slot {seq} is missing"));
                    }
                    (self.before, self.folded) = (None, None);
                }
                Err(LogError::Store(error)) => return Err(error.into()),
                Err(error) => {
                    self.verified.problem(format!("slot {seq}: {error}"));
                    (self.before, self.folded) = (None, None);
                }
            }
            self.at_checkpoint(seq);
        }
        Ok(())
    }

    /// The latest snapshot is the one that was published, in both places.
    async fn snapshot(&mut self) -> Result<(), LogError> {
        let state = &self.folded.as_ref().unwrap_or(&self.sealed).state;
        for problem in self.cell.problems_of_snapshot(state).await? {
            self.verified.problem(problem);
        }
        Ok(())
    }

    async fn record(&mut self, seq: u64, found: &Found) -> Result<(), LogError> {
        let header = &found.record.header;
        self.verified.records += 1;
        if self.before.as_ref().is_some_and(|before| *before != header.prev) {
            self.verified.problem(format!("the record in slot {seq} does not follow the one before"));
        }
        self.before = Some(header.id.clone());
        let Some(mut folded) = self.folded.take() else { return Ok(()) };
        let start = folded.state.tail;
        match folded.fold(header) {
            Ok(()) => {
                let range = start..folded.state.tail;
                self.folded = Some(folded);
                self.payload(seq, found, range).await
            }
            Err(error) => {
                self.verified.problem(error.to_string());
                Ok(())
            }
        }
    }

    /// A record's payload is there and what its header says; where it was sealed, the sealed bytes are
    /// the same.
    async fn payload(&mut self, seq: u64, found: &Found, range: std::ops::Range<Offset>) -> Result<(), LogError> {
        let payload = match &found.record.payload {
            Some(payload) => Some(payload.clone()),
            None => match self.cell.slots(&self.sealed).payload(seq, &found.record.header.payload).await {
                Err(LogError::Store(error)) => return Err(error.into()),
                Err(_) => None,
                Ok(payload) => payload,
            },
        };
        let Some(payload) = payload else {
            self.verified.problem(format!("the payload of slot {seq} is missing or not what its header says"));
            return Ok(());
        };
        if range.end > self.found.manifest.sealed.end() {
            self.verified.bytes += payload.len() as u64;
            return Ok(());
        }
        // What retention let go of is sealed nowhere any more, or never was.
        let from = range.start.max(self.found.manifest.sealed.chunks_start).min(range.end);
        let Ok(released) = usize::try_from(from.get() - range.start.get()) else { return Ok(()) };
        // What is wrong with a sealed object itself was told already.
        if let Ok(sealed) = self.cell.gather(&self.sealed, from..range.end).await
            && sealed != payload.get(released..).unwrap_or_default()
        {
            self.verified.problem(format!("slot {seq} and the sealed object that holds its bytes differ"));
        }
        Ok(())
    }

    /// At the checkpoint the records must have led to the state that the manifest has, and whatever
    /// they led to, that is where the next one follows.
    fn at_checkpoint(&mut self, seq: u64) {
        let checkpoint = &self.found.manifest.log.checkpoint;
        if seq != checkpoint.seq {
            return;
        }
        if self.before.as_ref().is_some_and(|before| *before != checkpoint.id) {
            self.verified.problem(format!("the checkpoint names another record than slot {seq} holds"));
        }
        if self.folded.as_ref().is_some_and(|folded| folded.state != self.sealed.state) {
            self.verified.problem("the state at the checkpoint is not what the records lead to");
        }
        self.before = Some(checkpoint.id.clone());
        self.folded = Some(self.sealed.clone());
    }
}
