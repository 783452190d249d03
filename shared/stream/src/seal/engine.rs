//! Sealing as the engine offers it: by name, and by the marks in the bucket.

use std::time::Duration;

use wadi_protocol::{Refusal, StreamKey};
use wadi_store::ObjectKey;

use super::read_mark;
use crate::{Engine, layout::SEAL_MARKS, limits::SEAL_ATTEMPTS_MAX};

impl Engine {
    /// Seals a stream if it is due as it is now. True when a checkpoint was published.
    pub async fn seal(&self, key: &StreamKey) -> Result<bool, Refusal> {
        self.shared.fitness.check()?;
        let cell = self.cell(key);
        // What others wrote since this process last looked is what there is to seal.
        let lookup = cell.current().await?;
        cell.seal_if_due(lookup).await
    }

    /// Seals a stream for as long as it is due, against others who change it meanwhile. True when anything was
    /// sealed; false when nothing was due.
    ///
    /// [`Refusal::StreamBusy`] when others were faster each time: it may still be due.
    pub async fn seal_what_is_due(&self, key: &StreamKey) -> Result<bool, Refusal> {
        self.shared.fitness.check()?;
        let cell = self.cell(key);
        for _ in 0..SEAL_ATTEMPTS_MAX {
            let lookup = cell.current().await?;
            if !cell.is_due_for_sealing(&lookup) {
                return Ok(false);
            }
            if cell.seal_if_due(lookup).await? {
                return Ok(true);
            }
            self.shared.bucket.back_off().await;
        }
        Err(Refusal::StreamBusy)
    }

    /// The stream that a mark names. `None`: the mark is gone, or it is none.
    ///
    /// [`Refusal::StoreUnavailable`] when the bucket does not answer.
    pub async fn stream_of_seal_mark(&self, mark: &ObjectKey) -> Result<Option<StreamKey>, Refusal> {
        read_mark(&self.shared.bucket, mark).await.map_err(|error| {
            tracing::warn!(key = %mark, %error, "a mark cannot be read");
            Refusal::StoreUnavailable
        })
    }

    /// Removes marks whose streams were sealed. Marks that are gone are no error.
    ///
    /// [`Refusal::StoreUnavailable`] when the bucket does not answer.
    pub async fn remove_seal_marks(&self, marks: &[ObjectKey]) -> Result<(), Refusal> {
        self.shared.bucket.delete(marks).await.map_err(|error| {
            tracing::warn!(%error, "marks cannot be removed");
            Refusal::StoreUnavailable
        })
    }

    /// Marks that are at least this old, at most a thousand: their events were lost, or are late.
    ///
    /// [`Refusal::StoreUnavailable`] when the bucket cannot be listed.
    pub async fn seal_marks(&self, age_min: Duration) -> Result<Vec<ObjectKey>, Refusal> {
        let listing = self.shared.bucket.list(SEAL_MARKS, None).await.map_err(|error| {
            tracing::warn!(%error, "the marks cannot be listed");
            Refusal::StoreUnavailable
        })?;
        let old = |written| listing.date.since(written) >= age_min;
        let marks = listing.objects.into_iter().filter(|object| old(object.last_modified));
        Ok(marks.map(|object| object.key).collect())
    }
}
