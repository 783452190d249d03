//! One incarnation of a stream, from its genesis.

use wadi_protocol::{DeleteReason, Genesis, Incarnation, Offset, Operation, StreamState};

use super::{
    GhostRecord, When,
    snapshots::{self, Committed},
};
use crate::violation::Violation;

/// An incarnation.
#[derive(Default)]
pub(crate) struct Life {
    /// Present once it was created.
    pub(crate) born: Option<Born>,
    pub(crate) records: Vec<GhostRecord>,
    /// Everything ever appended.
    pub(crate) bytes: Vec<u8>,
}

/// A creation.
pub(crate) struct Born {
    pub(crate) genesis: Genesis,
    pub(crate) when: When,
    /// The state after each number of records.
    pub(crate) states: Vec<StreamState>,
    /// Every snapshot that was committed, in order: each supersedes the one before.
    pub(crate) snapshots: Vec<Committed>,
}

/// One operation that took effect.
pub(crate) struct Step {
    pub(crate) operation: Operation,
    pub(crate) after: StreamState,
}

impl Life {
    /// Takes note of the next record. Its order is judged at once, its meaning once the life began.
    pub(crate) fn record(&mut self, token: Incarnation, record: GhostRecord) -> Result<Vec<Step>, Violation> {
        let (seq, id, at) = match self.records.last() {
            Some(last) => (last.seq + 1, last.id.clone(), last.at),
            None => (1, token.to_string(), record.at),
        };
        if (record.seq, &record.prev, record.at >= at) != (seq, &id, true) {
            return Err(Violation::new(
                "one order",
                format!(
                    "record {} of incarnation {token} names {} as the one before; the log's last is {} with id {id}",
                    record.seq,
                    record.prev,
                    seq - 1
                ),
            ));
        }
        if record.at > record.when.date_max {
            let what = format!("record {seq} is dated ahead of the store's clock");
            return Err(Violation::new("dates", what));
        }
        self.bytes.extend_from_slice(&record.payload);
        let steps = match &mut self.born {
            Some(born) => born.fold(&record),
            None => Ok(Vec::new()),
        };
        self.records.push(record);
        steps
    }

    /// The life begins: whatever was put before is part of it.
    pub(crate) fn begin(&mut self, genesis: Genesis, when: When) -> Result<(), Violation> {
        let mut born = Born { states: vec![StreamState::born(&genesis)], genesis, when, snapshots: Vec::new() };
        for record in &self.records {
            born.fold(record)?;
        }
        self.born = Some(born);
        Ok(())
    }

    /// Whether these are the bytes from `start` to `end`.
    pub(crate) fn holds(&self, start: Offset, end: Offset, bytes: &[u8]) -> bool {
        let index = |offset: Offset| usize::try_from(offset.get()).unwrap_or(usize::MAX);
        self.bytes.get(index(start)..index(end)).is_some_and(|known| known == bytes)
    }

    /// The state after the record in a slot, if the life began and got so far.
    pub(crate) fn state_after(&self, seq: u64) -> Option<&StreamState> {
        self.born.as_ref()?.states.get(usize::try_from(seq).ok()?)
    }

    /// Every snapshot that was committed, in order.
    pub(crate) fn snapshots(&self) -> &[Committed] {
        self.born.as_ref().map_or(&[], |born| &born.snapshots)
    }

    /// The state now, if the life began.
    pub(crate) fn state(&self) -> Option<&StreamState> {
        self.born.as_ref()?.states.last()
    }
}

impl Born {
    fn fold(&mut self, record: &GhostRecord) -> Result<Vec<Step>, Violation> {
        let mut state = self.states.last().cloned().unwrap_or_else(|| StreamState::born(&self.genesis));
        let mut steps = Vec::new();
        for operation in &record.operations {
            Self::check_end(&state, operation, record)?;
            snapshots::follows(&state, &self.snapshots, operation)?;
            if state.deleted.is_some() {
                let what = format!("record {} follows the end of incarnation {}", record.seq, state.incarnation);
                return Err(Violation::new("nothing after the end", what));
            }
            let adds = operation.span().is_some_and(|(start, end)| end > start);
            let initial = record.seq == 1 && self.genesis.has_initial_bytes;
            if state.closed && adds && !initial {
                let what = format!("record {} appends to a closed stream", record.seq);
                return Err(Violation::new("nothing after the end", what));
            }
            state.apply(operation, record.at).map_err(|error| {
                Violation::new("one order", format!("record {} cannot follow its log: {error}", record.seq))
            })?;
            if let Operation::Snapshot(snapshot) = operation {
                self.snapshots.push(Committed { snapshot: snapshot.clone(), when: record.when });
            }
            steps.push(Step { operation: operation.clone(), after: state.clone() });
        }
        if state.summary() != record.summary {
            let what = format!("record {} does not lead to the state it names", record.seq);
            return Err(Violation::new("records describe themselves", what));
        }
        self.states.push(state);
        Ok(steps)
    }

    /// A stream never ends by itself before its time.
    fn check_end(state: &StreamState, operation: &Operation, record: &GhostRecord) -> Result<(), Violation> {
        if *operation != (Operation::Delete { reason: DeleteReason::Expired }) {
            return Ok(());
        }
        match state.expires_at() {
            Some(at) if at <= record.at && at <= record.when.date_max => Ok(()),
            _ => Err(Violation::new("never early", format!("record {} ends a stream before its expiry", record.seq))),
        }
    }
}
