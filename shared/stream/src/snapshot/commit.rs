//! Publishing a snapshot that is put together from staged parts.

use std::sync::{Arc, atomic::Ordering};

use tokio::sync::Semaphore;
use wadi_protocol::{
    CommitRequest, PartId, PartsRefusal, Published, Refusal, decide::decide_commit, limits::SNAPSHOT_BYTES_MAX,
};

use super::{parts::Parts, publish::Content};
use crate::{cell::Cell, limits::PART_COPIES_MAX};

/// Room for what holds pieces of large snapshots at once in one process.
#[derive(Clone, Debug)]
pub(crate) struct PartCopies {
    /// Snapshots that are put together from parts. Nobody waits.
    assembled: Arc<Semaphore>,
    /// Copies to snapshots' own keys. They wait: nobody waits for them.
    pub(super) copied: Arc<Semaphore>,
}

impl Default for PartCopies {
    fn default() -> Self {
        let room = || Arc::new(Semaphore::new(PART_COPIES_MAX));
        Self { assembled: room(), copied: room() }
    }
}

/// A stream's parts are committed or discarded by one request of a process at a time, until this is dropped.
#[derive(Debug)]
pub(super) struct PartsTurn(Arc<Cell>);

impl Drop for PartsTurn {
    fn drop(&mut self) {
        self.0.staging.in_use.store(false, Ordering::Release);
    }
}

impl Cell {
    pub(super) fn take_parts_turn(self: &Arc<Self>) -> Result<PartsTurn, Refusal> {
        if self.staging.in_use.swap(true, Ordering::AcqRel) {
            return Err(PartsRefusal::InProgress.into());
        }
        Ok(PartsTurn(self.clone()))
    }

    /// What a commit is told before the names of its parts are looked at. `Ok(None)`: go on.
    pub(super) async fn check_commit(self: &Arc<Self>, request: &CommitRequest) -> Result<Option<Published>, Refusal> {
        let view = self.living(self.fresh().await?).await?;
        decide_commit(&view.state, request)
    }

    /// Puts the parts together, and publishes what they come to. They are removed once the answer is one
    /// that a repeat would get again.
    pub(super) async fn commit_parts(
        self: Arc<Self>,
        request: CommitRequest,
        ids: Vec<PartId>,
    ) -> Result<Published, Refusal> {
        self.shared.fitness.check()?;
        let _turn = self.take_parts_turn()?;
        let copies = self.shared.part_copies.assembled.clone();
        let _copy = copies.try_acquire_owned().map_err(|_| PartsRefusal::Busy)?;
        let view = self.living(self.usable().await?).await?;
        let found = self.find_parts(view.state.incarnation, &ids).await;
        let Some(parts) = found.map_err(|error| self.unreadable(&error))? else {
            return self.unknown_part(&request).await;
        };
        if parts.bytes() > SNAPSHOT_BYTES_MAX {
            return Err(PartsRefusal::TooLarge.into());
        }
        let publish = Arc::new(request.publish(parts.bytes()));
        let parts = Arc::new(parts);
        // The order of the contract: what is wrong with the parts is told before what stands against them.
        let ready = match self.make_ready_at_once(parts.incarnation, &publish, &parts).await {
            Err(Refusal::Parts(PartsRefusal::Unknown)) => return self.unknown_part(&request).await,
            Err(refusal) => Err(refusal),
            Ok(ready) => Ok(ready),
        };
        let answer = match ready {
            Ok(ready) => self.clone().publish_content(publish, Content::Parts(parts.clone()), Some(ready)).await,
            Err(refusal) => Err(refusal),
        };
        if answer.as_ref().err().is_none_or(is_final) {
            self.consume(&parts).await;
        }
        answer
    }

    /// A part is not there: it never was, or this very commit was done meanwhile.
    async fn unknown_part(self: &Arc<Self>, request: &CommitRequest) -> Result<Published, Refusal> {
        self.check_commit(request).await?.ok_or(PartsRefusal::Unknown.into())
    }

    /// Removes parts that serve nobody any more. What is left of them goes as all unused parts do.
    async fn consume(&self, parts: &Parts) {
        if let Err(error) = self.bucket().delete(&parts.keys()).await {
            tracing::warn!(stream = self.key.key_text(), %error, "used parts are left for collection");
        }
        self.forget_staged().await;
    }
}

/// Whether a repeat would be refused alike.
fn is_final(refusal: &Refusal) -> bool {
    refusal.code().status() < 500 && *refusal != Refusal::Parts(PartsRefusal::Unknown)
}
