//! Committing one record: one conditional PUT, and finding out what became of it.

use std::time::Duration;

use bytes::Bytes;
use wadi_protocol::Timestamp;
use wadi_store::{NewObject, PutCondition, PutOutcome, StoreError};

use super::{Found, LogError, Position, RecordId, Slot, Slots};
use crate::{
    defects::{self, Defect},
    limits::UNSENT_ATTEMPTS_MAX,
};

/// What became of a record.
#[derive(Debug)]
pub(crate) enum Commit {
    /// It is the next record of the log.
    Landed {
        /// When it landed.
        date: Timestamp,
    },
    /// Another record is in its slot: this one is void.
    Lost(Box<Found>),
    /// It is not in the log and never will be.
    Void(StoreError),
    /// It may be in the log, or may still get there.
    Unknown,
}

impl Slots {
    /// Writes `object`, the record `id`, to the slot after `position`.
    ///
    /// Success of the conditional PUT is the moment of the commit. After any other answer the
    /// slot is read: it holds this record (it landed, and the answer was lost), another (lost),
    /// or none (the same bytes are sent again), until `deadline` in local monotonic time.
    pub(crate) async fn commit(&self, position: &Position, id: &RecordId, object: Bytes, deadline: Duration) -> Commit {
        let mut attempt = Attempts::default();
        for failures in 0.. {
            match self.put(position, object.clone()).await {
                Ok(PutOutcome::Stored { date, .. })
                    if position.vouches_for(date) || defects::active(Defect::SealedFromOldState) =>
                {
                    return Commit::Landed { date };
                }
                // Landed, but maybe in a slot that was filled, covered and collected meanwhile:
                // nobody can tell, and it must be neither deleted nor repeated.
                Ok(PutOutcome::Stored { .. }) => return Commit::Unknown,
                // Another record is there, or this one: something on the way may have sent it twice.
                Ok(PutOutcome::PreconditionFailed { .. }) => attempt.open = true,
                Ok(PutOutcome::Conflict { .. }) => {}
                Err(error) => {
                    if let Some(outcome) = attempt.failed(error) {
                        return outcome;
                    }
                }
            }
            match self.find_out(position, id).await {
                Ok(Some(outcome)) => return outcome,
                Ok(None) => {}
                Err(LogError::Store(error)) => tracing::debug!(%error, "could not read the slot of a record"),
                Err(error) => {
                    tracing::warn!(%error, "what became of a record cannot be told");
                    return Commit::Unknown;
                }
            }
            if self.bucket.monotonic() >= deadline {
                break;
            }
            self.bucket.back_off_from_failure(failures).await;
        }
        attempt.given_up()
    }

    async fn put(&self, position: &Position, object: Bytes) -> Result<PutOutcome, StoreError> {
        let careless = defects::active(Defect::CommitWithoutCondition);
        let condition = if careless { PutCondition::Always } else { PutCondition::IfAbsent };
        self.bucket.put(&self.key(position.next()), NewObject::from(object), condition).await
    }

    async fn find_out(&self, position: &Position, id: &RecordId) -> Result<Option<Commit>, LogError> {
        Ok(match self.read(position, position.next()).await? {
            Slot::Missing { .. } => None,
            Slot::Found(found) if found.record.header.id == *id && !defects::active(Defect::OwnRecordNotRecognised) => {
                Some(Commit::Landed { date: found.landed })
            }
            Slot::Found(found) => Some(Commit::Lost(found)),
        })
    }
}

/// What the attempts so far prove.
#[derive(Debug, Default)]
struct Attempts {
    /// A PUT was sent whose fate is open: it may have landed, or may land yet.
    open: bool,
    unsent: u32,
    last: Option<StoreError>,
}

impl Attempts {
    /// Takes note of a failed PUT. An outcome, when trying on is pointless.
    fn failed(&mut self, error: StoreError) -> Option<Commit> {
        tracing::debug!(%error, "a record was not acknowledged by the store");
        let pointless = match &error {
            StoreError::Rejected { .. } => true,
            StoreError::NotSent { .. } => {
                self.unsent += 1;
                self.unsent >= UNSENT_ATTEMPTS_MAX
            }
            StoreError::Unavailable { .. } | StoreError::BrokenOff { .. } => {
                self.open = true;
                false
            }
        };
        let outcome = (pointless && !self.open).then(|| Commit::Void(error.clone()));
        self.last = Some(error);
        outcome
    }

    /// The outcome at the deadline, with the slot still empty as far as anybody knows.
    fn given_up(mut self) -> Commit {
        self.open &= !defects::active(Defect::OpenRecordCalledVoid);
        match self.last {
            Some(error) if !self.open => Commit::Void(error),
            _ if !self.open => {
                Commit::Void(StoreError::Unavailable { reason: "only conflicts until the deadline".to_owned() })
            }
            _ => Commit::Unknown,
        }
    }
}
