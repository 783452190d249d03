//! Staging parts, and discarding them.
//!
//! Any process may commit what another staged, so how much is staged and not used stands in no process but
//! in the bucket's listing. Each process lists once a minute at most and adds what it staged itself since: a
//! listing costs as much as a PUT, and one for each part would double the price. So one process holds the
//! limits exactly; what several stage within the same minute can go over them by as much, until each lists
//! again. It refuses only by a listing that is a few seconds old. Who lists removes what is too old to be used.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use bytes::Bytes;
use wadi_protocol::{
    Discarded, Incarnation, PartId, PartsRefusal, PartsRequest, Refusal, Staged,
    decide::decide_parts,
    limits::{STAGED_BYTES_MAX, STAGED_PARTS_MAX},
};
use wadi_store::{ListedObject, Listing, NewObject, ObjectKey, PutCondition, PutOutcome};

use crate::{
    cell::Cell,
    layout::{staged_key, staged_prefix},
    limits::{STAGED_BELIEVED_MAX, STAGED_FULL_BELIEVED_MAX, WRITE_DEADLINE},
    log::LogError,
};

/// What a process knows of the parts that are staged for one stream.
#[derive(Debug, Default)]
pub(crate) struct Staging {
    tally: futures::lock::Mutex<Option<Tally>>,
    /// Admitted and not stored yet.
    coming_parts: AtomicU64,
    coming_bytes: AtomicU64,
    /// A commit or discard of what is staged runs.
    pub(super) in_use: AtomicBool,
}

/// What was listed, and staged by this process since.
#[derive(Clone, Copy, Debug)]
struct Tally {
    incarnation: Incarnation,
    parts: u64,
    bytes: u64,
    /// When the listing began, in local monotonic time.
    listed: Duration,
}

/// A part that may be staged, before its bytes are there. Its share of the room is given back when dropped.
#[derive(Debug)]
pub struct Admission {
    cell: Arc<Cell>,
    incarnation: Incarnation,
    bytes: u64,
}

impl Cell {
    /// Admits a part of at most `bytes`, if the stream and the room for parts allow it.
    pub(super) async fn admit_part(self: Arc<Self>, request: PartsRequest, bytes: u64) -> Result<Admission, Refusal> {
        self.shared.fitness.check()?;
        let view = self.living(self.fresh().await?).await?;
        let incarnation = decide_parts(&view.state, request)?;
        let deadline = self.bucket().monotonic() + WRITE_DEADLINE;
        let mut tally = self.staging.tally.lock().await;
        // Nothing was sent of it yet. Else those behind a listing that hangs would hang in turn.
        if self.bucket().monotonic() >= deadline {
            return Err(Refusal::StreamBusy);
        }
        let age_of = |known: &Tally| self.bucket().monotonic().saturating_sub(known.listed);
        let known = tally.filter(|known| known.incarnation == incarnation && age_of(known) <= STAGED_BELIEVED_MAX);
        let mut room = known.map(|known| self.room_for(known, bytes));
        let listed_just_now = known.is_some_and(|known| age_of(&known) <= STAGED_FULL_BELIEVED_MAX);
        if !matches!(room, Some(Ok(()))) && !listed_just_now {
            let listed = self.list_staged(incarnation).await.map_err(|error| self.unreadable(&error))?;
            *tally = Some(listed);
            room = Some(self.room_for(listed, bytes));
        }
        room.unwrap_or(Ok(()))?;
        self.staging.coming_parts.fetch_add(1, Ordering::Relaxed);
        self.staging.coming_bytes.fetch_add(bytes, Ordering::Relaxed);
        drop(tally);
        Ok(Admission { cell: self, incarnation, bytes })
    }

    fn room_for(&self, known: Tally, bytes: u64) -> Result<(), Refusal> {
        let incarnation = known.incarnation;
        if known.parts + self.staging.coming_parts.load(Ordering::Relaxed) >= STAGED_PARTS_MAX {
            return Err(PartsRefusal::TooMany { incarnation }.into());
        }
        let coming = self.staging.coming_bytes.load(Ordering::Relaxed);
        if known.bytes.saturating_add(coming).saturating_add(bytes) > STAGED_BYTES_MAX {
            return Err(PartsRefusal::TooManyBytes { incarnation }.into());
        }
        Ok(())
    }

    async fn list_staged(&self, incarnation: Incarnation) -> Result<Tally, LogError> {
        let prefix = staged_prefix(&self.prefix(incarnation));
        let mut tally = Tally { incarnation, parts: 0, bytes: 0, listed: self.bucket().monotonic() };
        let mut after = None;
        // More than may be is not counted to its end.
        while tally.parts <= STAGED_PARTS_MAX {
            let page = self.bucket().list(&prefix, after.take()).await?;
            after = page.objects.last().map(|last| last.key.clone()).filter(|_| page.more);
            let counted = self.without_old_parts(page).await;
            tally.parts += counted.len() as u64;
            tally.bytes += counted.iter().map(|object| object.size).sum::<u64>();
            if after.is_none() {
                break;
            }
        }
        Ok(tally)
    }

    /// Removes the parts that nobody used for a grace period, and returns the others: a sweep may come to this
    /// stream days later, and until then they would take the room of new ones.
    async fn without_old_parts(&self, page: Listing) -> Vec<ListedObject> {
        let old_before = page.date.saturating_sub(self.shared.grace);
        let is_old = |object: &&ListedObject| object.last_modified < old_before;
        let old: Vec<ObjectKey> = page.objects.iter().filter(is_old).map(|object| object.key.clone()).collect();
        match self.bucket().delete(&old).await {
            Ok(()) => page.objects.into_iter().filter(|object| !is_old(&object)).collect(),
            Err(error) => {
                tracing::warn!(stream = self.key.key_text(), %error, "old parts are left for collection");
                page.objects
            }
        }
    }

    /// Removes all parts that are staged.
    pub(super) async fn discard_parts(self: Arc<Self>, request: PartsRequest) -> Result<Discarded, Refusal> {
        let view = self.living(self.fresh().await?).await?;
        let incarnation = decide_parts(&view.state, request)?;
        let _turn = self.take_parts_turn()?;
        let prefix = staged_prefix(&self.prefix(incarnation));
        let removed = self.remove_listed(&prefix, |_| true).await;
        self.forget_staged().await;
        match removed {
            Ok(_) => Ok(Discarded { incarnation }),
            Err(error) => {
                tracing::warn!(stream = self.key.key_text(), %error, "staged parts could not be removed");
                Err(PartsRefusal::NotDiscarded.into())
            }
        }
    }

    /// What is staged is listed again before the next part is admitted.
    pub(super) async fn forget_staged(&self) {
        *self.staging.tally.lock().await = None;
    }
}

impl Admission {
    /// Most bytes that the part may have.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Stores the part, no longer than it was admitted for.
    pub(super) async fn stage(self, body: Bytes) -> Result<Staged, Refusal> {
        let (cell, bytes) = (&self.cell, body.len() as u64);
        let part = PartId::parse(&cell.writer_mark()).map_err(|_| Refusal::StoreUnavailable)?;
        let key = staged_key(&cell.prefix(self.incarnation), &part).ok_or(Refusal::StoreUnavailable)?;
        match cell.bucket().put(&key, NewObject::from(body), PutCondition::IfAbsent).await {
            Ok(PutOutcome::Stored { .. }) => {}
            // The name is drawn at random, so this is a fault of the store.
            Ok(other) => {
                tracing::warn!(%key, ?other, "a part could not be staged");
                return Err(Refusal::StoreUnavailable);
            }
            Err(error) => {
                tracing::warn!(%key, %error, "a part could not be staged");
                return Err(Refusal::StoreUnavailable);
            }
        }
        if let Some(tally) = &mut *cell.staging.tally.lock().await
            && tally.incarnation == self.incarnation
        {
            tally.parts += 1;
            tally.bytes += bytes;
        }
        Ok(Staged { part })
    }
}

impl Drop for Admission {
    fn drop(&mut self) {
        self.cell.staging.coming_parts.fetch_sub(1, Ordering::Relaxed);
        self.cell.staging.coming_bytes.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}
