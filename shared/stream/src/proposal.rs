//! Requests that may commit an operation, waiting for their turn.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use futures::{
    FutureExt,
    channel::oneshot,
    future::{Either, select},
};
use wadi_protocol::{
    Operation, Refusal, StreamState, Timestamp,
    decide::{Decision, Moment},
};
use wadi_store::{Meter, current_meter};

use crate::{
    cell::Cell,
    committer::Committing,
    limits::{ANSWER_DEADLINE, LEASE, WAITING_WRITES_MAX, WRITE_DEADLINE},
};

/// A request that is decided against the state, maybe several times, and answered once.
pub(crate) trait Proposal: Send {
    /// Decides. Remembers the answer; returns the operation to commit, if there is one.
    fn decide(&mut self, state: &StreamState, moment: Moment) -> Option<Operation>;

    /// The bytes that go with an append.
    fn payload(&self) -> Bytes;

    /// Whether an answer without an operation needs proof that its state is current.
    fn needs_proof(&self) -> bool;

    /// Whether an operation of it, landed at `date`, names no body that had been uploaded too long ago.
    fn vouches_for(&self, _date: Timestamp) -> bool {
        true
    }

    /// Gives the answer remembered.
    fn answer(self: Box<Self>);

    /// Refuses.
    fn refuse(self: Box<Self>, refusal: Refusal);
}

/// A proposal in the queue.
pub(crate) struct Waiting {
    pub(crate) proposal: Box<dyn Proposal>,
    /// When it is given up, in local monotonic time.
    pub(crate) deadline: Duration,
    /// Where the requests to the store that it causes are counted, if anywhere.
    pub(crate) meter: Option<Meter>,
}

impl std::fmt::Debug for Waiting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Waiting").field("deadline", &self.deadline).finish_non_exhaustive()
    }
}

struct Deciding<T, F> {
    decide: F,
    payload: Bytes,
    needs_proof: bool,
    /// When the body that its operation names was uploaded.
    names_body_of: Option<Timestamp>,
    decided: Option<Result<T, Refusal>>,
    /// What was decided commits an operation.
    commits: bool,
    reply: oneshot::Sender<Result<T, Refusal>>,
}

impl<T, F> Proposal for Deciding<T, F>
where
    T: Send,
    F: FnMut(&StreamState, Moment) -> Decision<T> + Send,
{
    fn decide(&mut self, state: &StreamState, moment: Moment) -> Option<Operation> {
        match (self.decide)(state, moment) {
            Decision::Answer(answer) => {
                self.decided = Some(answer);
                self.commits = false;
                None
            }
            Decision::Commit { operation, answer } => {
                self.decided = Some(answer);
                self.commits = true;
                Some(operation)
            }
        }
    }

    fn payload(&self) -> Bytes {
        self.payload.clone()
    }

    fn needs_proof(&self) -> bool {
        self.needs_proof
    }

    fn vouches_for(&self, date: Timestamp) -> bool {
        !self.commits || self.names_body_of.is_none_or(|uploaded| date.since(uploaded) <= LEASE)
    }

    fn answer(self: Box<Self>) {
        // Whoever asked may have gone away: what was decided stands all the same.
        let _ = self.reply.send(self.decided.unwrap_or(Err(Refusal::OutcomeUnknown)));
    }

    fn refuse(self: Box<Self>, refusal: Refusal) {
        let _ = self.reply.send(Err(refusal));
    }
}

/// How a proposal is to be treated.
pub(crate) struct Terms {
    /// The bytes that go with it.
    pub(crate) payload: Bytes,
    /// Whether an answer without an operation must be proved current.
    pub(crate) needs_proof: bool,
}

impl Cell {
    /// Decides a request at the tail of the log and commits what comes of it, together with what
    /// else waits for this stream. Dropping the future does not take the request back.
    pub(crate) async fn propose<T, F>(self: &Arc<Self>, terms: Terms, decide: F) -> Result<T, Refusal>
    where
        T: Send + 'static,
        F: FnMut(&StreamState, Moment) -> Decision<T> + Send + 'static,
    {
        self.propose_naming(terms, None, decide).await
    }

    /// The same for an operation that names a body, uploaded at `uploaded`. Where it lands too late for
    /// the body to be counted on, its outcome is unknown.
    pub(crate) async fn propose_naming<T, F>(
        self: &Arc<Self>,
        terms: Terms,
        uploaded: Option<Timestamp>,
        decide: F,
    ) -> Result<T, Refusal>
    where
        T: Send + 'static,
        F: FnMut(&StreamState, Moment) -> Decision<T> + Send + 'static,
    {
        self.shared.fitness.check()?;
        let (reply, answer) = oneshot::channel();
        let Terms { payload, needs_proof } = terms;
        let proposal = Box::new(Deciding {
            decide,
            payload,
            needs_proof,
            names_body_of: uploaded,
            decided: None,
            commits: false,
            reply,
        });
        self.enqueue(proposal)?;
        // The committer answers by itself; this bound is for a store that hangs through all of its
        // own bounds.
        match select(answer, self.bucket().runtime().sleep(ANSWER_DEADLINE)).await {
            Either::Left((answer, _)) => answer.unwrap_or(Err(Refusal::OutcomeUnknown)),
            Either::Right(_) => Err(Refusal::OutcomeUnknown),
        }
    }

    fn enqueue(self: &Arc<Self>, proposal: Box<dyn Proposal>) -> Result<(), Refusal> {
        let start = {
            let mut inner = self.inner();
            if inner.writes.len() >= WAITING_WRITES_MAX {
                return Err(Refusal::StreamBusy);
            }
            let deadline = self.bucket().monotonic() + WRITE_DEADLINE;
            inner.writes.push_back(Waiting { proposal, deadline, meter: current_meter() });
            !std::mem::replace(&mut inner.committing, true)
        };
        if start {
            let committing = Committing::new(self.clone());
            self.bucket().runtime().spawn(committing.run().boxed());
        }
        Ok(())
    }
}
