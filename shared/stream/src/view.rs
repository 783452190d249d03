//! What a process knows of one incarnation of a stream.

use std::sync::Arc;

use imbl::Vector;
use serde::{Deserialize, Serialize};
use wadi_protocol::{Offset, Operation, StreamState, Summary, Timestamp};

use crate::{
    defects::{self, Defect},
    limits::PAGE_RECORDS_MAX,
    log::{Body, Header, LogError, Position, RecordId},
    manifests::Versioned,
};

/// What a record says, above its envelope.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Content<Operations = Vec<Operation>> {
    /// Its operations, with their results.
    pub(crate) operations: Operations,
    /// The small state after them.
    pub(crate) state: Summary,
}

/// Where the bytes of one record lie in the stream: they end at `end` and start where those of
/// the record before end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) end: Offset,
    pub(crate) seq: u64,
    pub(crate) body: Body,
}

/// The folded state of an incarnation, and where its bytes are. Cloning is cheap.
#[derive(Clone, Debug)]
pub(crate) struct View {
    pub(crate) position: Position,
    pub(crate) state: StreamState,
    pub(crate) manifest: Arc<Versioned>,
    spans: Vector<Span>,
    /// Where the bytes known by record begin; below it they lie in sealed objects.
    spans_from: Offset,
}

impl View {
    /// The view at a manifest's checkpoint with its state, as fresh as the answer that brought it.
    pub(crate) fn at_checkpoint(manifest: Versioned, state: StreamState) -> Self {
        let checkpoint = manifest.manifest.log.checkpoint.clone();
        Self {
            position: Position { seq: checkpoint.seq, id: checkpoint.id, at: checkpoint.at, validated: manifest.date },
            spans: Vector::new(),
            spans_from: state.tail,
            state,
            manifest: Arc::new(manifest),
        }
    }

    /// The view before the first record, whatever the checkpoint.
    pub(crate) fn at_start(manifest: Versioned) -> Self {
        let state = StreamState::born(&manifest.manifest.genesis);
        let id = RecordId::root(state.incarnation);
        Self {
            position: Position { seq: 0, id, at: manifest.manifest.genesis.at, validated: manifest.date },
            spans: Vector::new(),
            spans_from: Offset::ZERO,
            state,
            manifest: Arc::new(manifest),
        }
    }

    /// Folds the next record. On an error the view is unchanged.
    ///
    /// Does not touch `validated`: a record that was found proves nothing about the slots after it.
    pub(crate) fn fold(&mut self, header: &Header) -> Result<(), LogError> {
        self.follows(header)?;
        let content: Content = serde_json::from_str(header.content.get())
            .map_err(|error| LogError::Damaged(format!("slot {}: {error}", header.seq)))?;
        let mut state = self.state.clone();
        for operation in &content.operations {
            state
                .apply(operation, header.at)
                .map_err(|error| LogError::Broken(format!("slot {}: {error}", header.seq)))?;
        }
        if state.summary() != content.state {
            return Err(misled(header));
        }
        self.advance(header, state)
    }

    /// Takes in the process's own record, whose operations lead from here to `after` and which landed at `date`:
    /// what [`Self::fold`] comes to, without reading again what has just been written. On an error the view is
    /// unchanged.
    pub(crate) fn land(&mut self, header: &Header, after: StreamState, date: Timestamp) -> Result<(), LogError> {
        self.follows(header)?;
        debug_assert!(
            self.folded(header).is_some_and(|folded| folded == after),
            "the record in slot {} says something else than was decided",
            header.seq
        );
        self.advance(header, after)?;
        self.position.validated = self.position.validated.max(date);
        Ok(())
    }

    /// The state that a record leads to from here, if it can be folded.
    fn folded(&self, header: &Header) -> Option<StreamState> {
        let mut view = self.clone();
        view.fold(header).ok().map(|()| view.state)
    }

    /// Moves on to the record that leads to `state`.
    fn advance(&mut self, header: &Header, state: StreamState) -> Result<(), LogError> {
        let added = state.tail.get() - self.state.tail.get();
        if added != header.payload.bytes {
            return Err(misled(header));
        }
        if added > 0 {
            self.spans.push_back(Span { end: state.tail, seq: header.seq, body: header.payload.clone() });
        }
        self.state = state;
        self.position.seq = header.seq;
        self.position.id = header.id.clone();
        self.position.at = header.at;
        Ok(())
    }

    /// Takes what another view of the same incarnation knows more.
    pub(crate) fn merge(&mut self, other: Self) {
        let newest = if other.manifest.manifest.revision > self.manifest.manifest.revision {
            other.manifest.clone()
        } else {
            self.manifest.clone()
        };
        if other.position.seq > self.position.seq {
            *self = other;
        } else if other.position.seq == self.position.seq {
            self.position.validated = self.position.validated.max(other.position.validated);
        }
        self.manifest = newest;
        self.let_go_of_sealed();
    }

    /// The same view, validated by a manifest that says nothing against it.
    pub(crate) fn revalidated(&self, manifest: Option<Versioned>, date: Timestamp) -> Self {
        let mut view = self.clone();
        view.position.validated = view.position.validated.max(date);
        if let Some(manifest) = manifest {
            view.manifest = Arc::new(manifest);
            view.let_go_of_sealed();
        }
        view
    }

    /// Forgets the records whose bytes lie in sealed objects by now.
    fn let_go_of_sealed(&mut self) {
        let sealed = self.manifest.manifest.sealed.end();
        while let Some(span) = self.spans.front().filter(|span| span.end <= sealed) {
            self.spans_from = span.end;
            self.spans.pop_front();
        }
    }

    /// A record whose predecessor is another one is never skipped, and never folded.
    fn follows(&self, header: &Header) -> Result<(), LogError> {
        let expected: (u64, &RecordId) = (self.position.next(), &self.position.id);
        if defects::active(Defect::PredecessorIgnored) {
            return Ok(());
        }
        if (header.seq, &header.prev) != expected || header.at < self.position.at {
            return Err(LogError::Broken(format!("the record in slot {} does not follow the one before", header.seq)));
        }
        Ok(())
    }

    /// The records that hold bytes of `[start, end)`, in order, each with where it starts.
    pub(crate) fn spans(&self, start: Offset, end: Offset) -> impl Iterator<Item = (Offset, &Span)> {
        let first = self.first_span_after(start);
        let before = first.checked_sub(1).and_then(|index| self.spans.get(index));
        let mut from = before.map_or(self.spans_from, |span| span.end);
        (first..self.spans.len())
            .filter_map(|index| self.spans.get(index))
            .map(move |span| (std::mem::replace(&mut from, span.end), span))
            .take_while(move |(from, _)| *from < end)
    }

    /// Where the bytes known by record begin.
    pub(crate) fn spans_from(&self) -> Offset {
        self.spans_from
    }

    /// The end of the record or sealed object that holds the byte at `offset`, or the tail.
    pub(crate) fn holder_end(&self, offset: Offset) -> Offset {
        let sealed = self.manifest.manifest.sealed.objects(offset, offset.saturating_add(1)).next();
        match sealed.filter(|_| offset < self.spans_from) {
            Some(object) => object.range().end,
            None => self.spans(offset, self.state.tail).next().map_or(self.state.tail, |(_, span)| span.end),
        }
    }

    /// Whether a page may hold all of `[start, end)`: it is bounded in objects, too.
    pub(crate) fn fits_one_page(&self, start: Offset, end: Offset) -> bool {
        let sealed = self.manifest.manifest.sealed.objects(start, end.min(self.spans_from)).count();
        sealed + self.spans(start, end).take(PAGE_RECORDS_MAX + 1).count() <= PAGE_RECORDS_MAX
    }

    /// The body objects that its records name.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = &str> {
        self.spans.iter().filter_map(|span| span.body.object.as_deref())
    }

    /// How many records with bytes it knows.
    pub(crate) fn span_count(&self) -> usize {
        self.spans.len()
    }

    fn first_span_after(&self, offset: Offset) -> usize {
        let (mut low, mut high) = (0, self.spans.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            match self.spans.get(middle) {
                Some(span) if span.end <= offset => low = middle + 1,
                _ => high = middle,
            }
        }
        low
    }
}

fn misled(header: &Header) -> LogError {
    LogError::Broken(format!("slot {} does not lead to the state it names", header.seq))
}

#[cfg(test)]
#[path = "view_tests.rs"]
mod tests;
