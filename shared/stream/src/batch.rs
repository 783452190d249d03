//! Requests decided together, to be committed as one record.

use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use serde_json::value::{RawValue, to_raw_value};
use wadi_protocol::{Refusal, StreamState, Timestamp, decide::Moment};

use crate::{
    defects::{self, Defect},
    limits::{RECORD_HEADER_BYTES_MAX, RECORD_HEADER_RESERVE_BYTES, RECORD_OPERATIONS_MAX, RECORD_PAYLOAD_BYTES_MAX},
    log::LogError,
    proposal::Waiting,
    view::{Content, View},
};

/// Requests taken from the queue, in order.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    pub(crate) waiting: Vec<Waiting>,
}

/// What a batch comes to on one view.
#[derive(Debug)]
pub(crate) struct Decided {
    /// The view it was decided on.
    pub(crate) view: Arc<View>,
    /// The date of the record.
    pub(crate) moment: Moment,
    /// The operations to commit, in order, as the record says them.
    pub(crate) operations: Vec<Box<RawValue>>,
    /// Their bytes.
    pub(crate) payload: Bytes,
    /// The state after them.
    pub(crate) after: StreamState,
}

impl Decided {
    /// What the record says.
    pub(crate) fn content(&self) -> Result<Box<RawValue>, LogError> {
        let content = Content { operations: &self.operations, state: self.after.summary() };
        to_raw_value(&content).map_err(|error| LogError::Damaged(error.to_string()))
    }
}

impl Batch {
    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Decides the requests one after the other, each on the state that the one before leaves.
    /// Those that do not fit into the record are taken out of the batch and returned.
    pub(crate) fn decide(&mut self, view: Arc<View>, moment: Moment) -> Result<(Decided, Vec<Waiting>), LogError> {
        let moment = Moment { now: moment.now.max(view.state.last_at).max(view.position.at), ..moment };
        let mut state = view.state.clone();
        let mut room = Room::default();
        let mut operations = Vec::new();
        let mut payload = BytesMut::new();
        let mut taken = 0;
        let mut released = Vec::new();
        for waiting in &mut self.waiting {
            if let Some(operation) = waiting.proposal.decide(&state, moment) {
                let bytes = if operation.span().is_some() { waiting.proposal.payload() } else { Bytes::new() };
                let said = to_raw_value(&operation).map_err(|error| LogError::Damaged(error.to_string()))?;
                if !room.take(said.get().len(), bytes.len()) {
                    break;
                }
                state.apply(&operation, moment.now).map_err(|error| LogError::Broken(error.to_string()))?;
                operations.push(said);
                payload.extend_from_slice(&bytes);
            } else if defects::active(Defect::UncommittedAnswerReleased) && !operations.is_empty() {
                released.push(taken);
            }
            taken += 1;
        }
        let leftover = self.waiting.split_off(taken);
        for index in released.into_iter().rev() {
            self.waiting.remove(index).proposal.answer();
        }
        let decided = Decided { view, moment, operations, payload: payload.freeze(), after: state };
        Ok((decided, leftover))
    }

    /// True when the answers must be proved current before they are given.
    pub(crate) fn needs_proof(&self) -> bool {
        self.waiting.iter().any(|waiting| waiting.proposal.needs_proof())
    }

    /// Whether every body that the requests name was young enough when their record landed at `date`.
    pub(crate) fn vouches_for(&self, date: Timestamp) -> bool {
        self.waiting.iter().all(|waiting| waiting.proposal.vouches_for(date))
    }

    /// Gives every request the answer that was decided.
    pub(crate) fn answer(self) {
        for waiting in self.waiting {
            waiting.proposal.answer();
        }
    }

    /// Refuses every request.
    pub(crate) fn refuse(self, refusal: &Refusal) {
        for waiting in self.waiting {
            waiting.proposal.refuse(refusal.clone());
        }
    }

    /// Refuses the requests whose time is over.
    pub(crate) fn refuse_overdue(&mut self, now: std::time::Duration, refusal: &Refusal) {
        let (overdue, waiting) =
            std::mem::take(&mut self.waiting).into_iter().partition(|waiting| waiting.deadline <= now);
        self.waiting = waiting;
        Self { waiting: overdue }.refuse(refusal);
    }
}

/// Room left in a record. A single operation always fits.
#[derive(Debug, Default)]
struct Room {
    operations: usize,
    header_bytes: usize,
    payload_bytes: usize,
}

impl Room {
    /// Takes room for an operation of `operation_bytes` in the header and `bytes` of payload. False when there
    /// is none.
    fn take(&mut self, operation_bytes: usize, bytes: usize) -> bool {
        // Operations are parted by commas.
        let header_bytes = operation_bytes + 1;
        let fits = self.operations < RECORD_OPERATIONS_MAX
            && self.header_bytes + header_bytes <= RECORD_HEADER_BYTES_MAX - RECORD_HEADER_RESERVE_BYTES
            && self.payload_bytes + bytes <= RECORD_PAYLOAD_BYTES_MAX;
        if !fits && self.operations > 0 {
            return false;
        }
        self.operations += 1;
        self.header_bytes += header_bytes;
        self.payload_bytes += bytes;
        true
    }
}

#[cfg(test)]
#[path = "batch_tests.rs"]
mod tests;
