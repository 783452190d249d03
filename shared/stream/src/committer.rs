//! Group commit: everything that waits for a stream goes into one record, one record at a time.

use std::{sync::Arc, time::Duration};

use wadi_protocol::Refusal;
use wadi_store::metered;

use crate::{
    batch::{Batch, Decided},
    body::BodyUpload,
    cell::{Cell, Lookup},
    defects::{self, Defect},
    limits::{RECORD_OPERATIONS_MAX, RECORD_PAYLOAD_BYTES_MAX},
    log::{Commit, Draft, Header, LogError, RecordId},
    view::View,
};

/// The least time that a commit gets, however old the oldest request of its batch is.
const COMMIT_TIME_MIN: Duration = Duration::from_secs(5);

/// The task that commits for one stream while somebody waits.
pub(crate) struct Committing {
    cell: Arc<Cell>,
    body: BodyUpload,
    /// It found nobody waiting. From then on the cell may be another task's to commit for.
    over: bool,
}

/// How a batch stands after one try.
enum Tried {
    /// Every request was answered.
    Answered,
    /// The log moved on; decide anew, on this view if it is known to be current.
    Again(Option<Arc<View>>),
}

impl Committing {
    pub(crate) fn new(cell: Arc<Cell>) -> Self {
        Self { cell, body: BodyUpload::default(), over: false }
    }

    pub(crate) async fn run(mut self) {
        while let Some(batch) = self.next_batch() {
            // What a batch causes is counted once: with its first request.
            let meter = batch.waiting.first().and_then(|first| first.meter.clone());
            metered(meter, self.settle(batch)).await;
        }
    }

    /// As many requests as one record may hold, by count and bytes; what they come to is decided
    /// later. `None`, and the task is over, when nobody waits.
    fn next_batch(&mut self) -> Option<Batch> {
        let mut inner = self.cell.inner();
        let mut batch = Batch::default();
        let mut bytes = 0;
        while let Some(waiting) = inner.writes.front() {
            bytes += waiting.proposal.payload().len();
            if batch.waiting.len() == RECORD_OPERATIONS_MAX || (bytes > RECORD_PAYLOAD_BYTES_MAX && !batch.is_empty()) {
                break;
            }
            batch.waiting.extend(inner.writes.pop_front());
        }
        self.over = batch.is_empty();
        inner.committing = !self.over;
        (!self.over).then_some(batch)
    }

    /// Sees a batch through until each of its requests is answered.
    async fn settle(&mut self, mut batch: Batch) {
        let mut losses = 0;
        let mut current: Option<Arc<View>> = None;
        while !batch.is_empty() {
            let (view, proved) = match current.take() {
                Some(view) => (view, true),
                None => match self.cell.usable().await {
                    Ok(Lookup::Live(view)) => (view, false),
                    Ok(Lookup::Missing) => return batch.refuse(&Refusal::StreamNotFound),
                    Err(refusal) => return batch.refuse(&refusal),
                },
            };
            match self.try_once(&mut batch, view, proved, &mut losses).await {
                Ok(Tried::Answered) => return,
                Ok(Tried::Again(view)) => current = view,
                Err(error) => {
                    losses += 1;
                    self.give_up_on_view(&error);
                }
            }
            if losses > 0 {
                // Each record sent so far was proved void by another in its slot.
                batch.refuse_overdue(self.cell.bucket().monotonic(), &Refusal::StreamBusy);
                self.cell.bucket().back_off().await;
            }
        }
    }

    async fn try_once(
        &mut self,
        batch: &mut Batch,
        view: Arc<View>,
        proved: bool,
        losses: &mut u32,
    ) -> Result<Tried, LogError> {
        let (decided, leftover) = batch.decide(view, self.cell.bucket().moment())?;
        self.put_back(leftover);
        if decided.operations.is_empty() {
            return Ok(self.answer_without_record(batch, proved).await);
        }
        let (id, object, header) = match self.draft(&decided, *losses).await {
            Ok(draft) => draft,
            Err(LogError::Store(error)) => {
                tracing::warn!(stream = self.cell.key.key_text(), %error, "the bytes of a write could not be stored");
                std::mem::take(batch).refuse(&Refusal::StoreUnavailable);
                return Ok(Tried::Answered);
            }
            Err(error) => return Err(error),
        };
        if self.body.took_time(&self.cell) && !self.cell.bucket().is_warm(decided.view.position.validated) {
            // It grew old while the bytes were uploaded. They are not uploaded again.
            return Ok(Tried::Again(None));
        }
        let slots = self.cell.slots(&decided.view);
        let deadline = self.deadline(batch);
        if defects::active(Defect::AcknowledgedBeforePut) {
            std::mem::take(batch).answer();
        }
        match slots.commit(&decided.view.position, &id, object, deadline).await {
            Commit::Landed { date }
                if self.body.vouches_for(&header.payload, date)
                    && batch.vouches_for(date)
                    && (!defects::active(Defect::SealedFromOldState) || decided.view.position.vouches_for(date)) =>
            {
                self.landed(decided, &header, date).await;
                std::mem::take(batch).answer();
                Ok(Tried::Answered)
            }
            outcome @ (Commit::Landed { .. } | Commit::Unknown) => {
                if defects::active(Defect::SealedFromOldState) && matches!(outcome, Commit::Landed { .. }) {
                    self.seal_from(&decided, &header).await;
                }
                self.cell.discard(&decided.view);
                std::mem::take(batch).refuse(&Refusal::OutcomeUnknown);
                Ok(Tried::Answered)
            }
            Commit::Void(error) => {
                tracing::warn!(stream = self.cell.key.key_text(), %error, "the store took no record");
                std::mem::take(batch).refuse(&Refusal::StoreUnavailable);
                Ok(Tried::Answered)
            }
            Commit::Lost(found) => {
                *losses += 1;
                let view = self.cell.extend(&decided.view, std::slice::from_ref(&*found), None)?;
                if view.state.deleted.is_some() {
                    self.cell.bury(&view).await;
                }
                Ok(Tried::Again(None))
            }
        }
    }

    /// Answers that commit nothing: refusals and repeats. They are given once the state they rest
    /// on was proved current by a probe sent after the requests arrived.
    async fn answer_without_record(&self, batch: &mut Batch, proved: bool) -> Tried {
        if proved || !batch.needs_proof() || defects::active(Defect::RefusalWithoutProof) {
            std::mem::take(batch).answer();
            return Tried::Answered;
        }
        match self.cell.current().await {
            Ok(Lookup::Live(view)) => Tried::Again(Some(view)),
            Ok(Lookup::Missing) => {
                std::mem::take(batch).refuse(&Refusal::StreamNotFound);
                Tried::Answered
            }
            Err(refusal) => {
                std::mem::take(batch).refuse(&refusal);
                Tried::Answered
            }
        }
    }

    async fn draft(&mut self, decided: &Decided, losses: u32) -> Result<(RecordId, bytes::Bytes, Header), LogError> {
        let runtime = self.cell.bucket().runtime();
        let id = RecordId::from_random(runtime.random(), runtime.random());
        let object = self.body.place(&self.cell, decided, losses).await?;
        let draft = Draft {
            seq: decided.view.position.next(),
            id: id.clone(),
            prev: decided.view.position.id.clone(),
            at: decided.moment.now,
            content: decided.content()?,
            payload: decided.payload.clone(),
            object,
        };
        let (object, header) = draft.encode()?;
        Ok((id, object, header))
    }

    /// Folds the record that landed. Should the view have been replaced meanwhile, it is opened
    /// anew when it is next needed: the record is in the log either way.
    async fn landed(&self, decided: Decided, header: &Header, date: wadi_protocol::Timestamp) {
        let Decided { view, payload, after, .. } = decided;
        self.cell.keep_payload(&view, header, Some(&payload));
        let calls_for_a_mark = self.cell.calls_for_a_mark(Some(&view.state), &after);
        match self.cell.extend_landed(view, header, after, date) {
            Ok(view) if view.state.deleted.is_some() => self.cell.bury(&view).await,
            Ok(view) => {
                if calls_for_a_mark {
                    self.cell.mark_for_sealing().await;
                }
                self.cell.seal_when_due(&view);
            }
            Err(error) => {
                self.give_up_on_view(&error);
            }
        }
    }

    /// Seals from a state that no answer has validated lately enough, as no sealer does.
    async fn seal_from(&self, decided: &Decided, header: &Header) {
        self.cell.keep_payload(&decided.view, header, Some(&decided.payload));
        let validated = decided.view.position.validated;
        if let Ok(old) = self.cell.extend_landed(decided.view.clone(), header, decided.after.clone(), validated) {
            drop(self.cell.seal(&old).await);
        }
    }

    fn give_up_on_view(&self, error: &LogError) {
        if !matches!(error, LogError::Stale) {
            tracing::error!(stream = self.cell.key.key_text(), %error, "the stream is opened anew");
        }
        if let Some(view) = self.cell.view() {
            self.cell.discard(&view);
        }
    }

    fn put_back(&self, leftover: Vec<crate::proposal::Waiting>) {
        let mut inner = self.cell.inner();
        for waiting in leftover.into_iter().rev() {
            inner.writes.push_front(waiting);
        }
    }

    fn deadline(&self, batch: &Batch) -> Duration {
        let least = self.cell.bucket().monotonic() + COMMIT_TIME_MIN;
        batch.waiting.iter().map(|waiting| waiting.deadline).min().unwrap_or(least).max(least)
    }
}

impl Drop for Committing {
    /// Should the task end before its time, those that wait learn that nobody knows, and the next
    /// write may start a new one.
    fn drop(&mut self) {
        if !self.over {
            let mut inner = self.cell.inner();
            inner.committing = false;
            inner.writes.clear();
        }
    }
}

#[cfg(test)]
#[path = "committer_tests.rs"]
mod tests;
