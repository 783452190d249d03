//! Opening a stream, and bringing what is known of it up to date.

use std::sync::Arc;

use wadi_protocol::Refusal;

use crate::{
    cell::{Cell, Fresh, Lookup},
    defects::{self, Defect},
    limits::OPEN_ATTEMPTS_MAX,
    log::{LogError, Reach},
    manifests::{Loaded, Versioned},
    view::View,
};

impl Cell {
    /// The stream as it is now: proved by an answer to a request sent after this call.
    pub(crate) async fn current(self: &Arc<Self>) -> Fresh {
        self.attempt(async |cell: &Arc<Self>| match cell.view() {
            // An open reads to the tail: it proves itself.
            None => cell.open().await.map(Some),
            Some(view) => match cell.warm(view).await? {
                Lookup::Missing => Ok(Some(Lookup::Missing)),
                Lookup::Live(view) => cell.catch_up(&view, Reach::Next).await,
            },
        })
        .await
    }

    /// The stream as this process knows it, validated lately enough to start requests on. Proves
    /// nothing about now, unless nothing was known before.
    pub(crate) async fn usable(self: &Arc<Self>) -> Fresh {
        self.attempt(async |cell: &Arc<Self>| match cell.view() {
            None => cell.open().await.map(Some),
            Some(view) => cell.warm(view).await.map(Some),
        })
        .await
    }

    /// Continues from a manifest just read.
    pub(crate) async fn open_from(self: &Arc<Self>, found: &Versioned) -> Fresh {
        match self.catch_up_from(found.clone()).await {
            Err(LogError::Stale | LogError::Broken(_)) => self.current().await,
            opened => opened.map_err(|error| self.unreadable(&error)),
        }
    }

    /// Tries anew while the log moves on under the reader or looks broken; then gives up loudly.
    async fn attempt(
        self: &Arc<Self>,
        try_once: impl AsyncFn(&Arc<Self>) -> Result<Option<Lookup>, LogError>,
    ) -> Fresh {
        let mut last = LogError::Stale;
        for _ in 0..OPEN_ATTEMPTS_MAX {
            match try_once(self).await {
                Ok(Some(lookup)) => return Ok(lookup),
                Ok(None) => last = LogError::Stale,
                Err(error @ (LogError::Stale | LogError::Broken(_))) => {
                    tracing::debug!(stream = self.key.key_text(), %error, "opening the stream anew");
                    if let Some(view) = self.view() {
                        self.discard(&view);
                    }
                    last = error;
                }
                Err(error) => return Err(self.unreadable(&error)),
            }
        }
        Err(self.unreadable(&last))
    }

    /// The view, validated lately enough to start requests on.
    async fn warm(self: &Arc<Self>, view: Arc<View>) -> Result<Lookup, LogError> {
        if self.bucket().is_warm(view.position.validated) {
            return Ok(Lookup::Live(view));
        }
        self.revalidate(&view).await
    }

    async fn open(self: &Arc<Self>) -> Result<Lookup, LogError> {
        match self.manifest.load(None).await? {
            Loaded::Found(found) => self.catch_up_from(*found).await,
            Loaded::Missing => Ok(Lookup::Missing),
            Loaded::Unchanged { .. } => Err(LogError::Stale),
        }
    }

    /// Reads the log from a manifest's checkpoint to the tail.
    async fn catch_up_from(self: &Arc<Self>, found: Versioned) -> Result<Lookup, LogError> {
        if found.manifest.is_tombstone() {
            return Ok(Lookup::Missing);
        }
        let state = self.state_at(&found.manifest).await?;
        match self.catch_up(&View::at_checkpoint(found, state), Reach::Far).await? {
            Some(Lookup::Live(view)) => self.warm(view).await,
            // Its log has ended and its tombstone is not there yet. No other life of the stream
            // can have begun before the manifest was read, so at that moment there was none.
            Some(Lookup::Missing) | None => Ok(Lookup::Missing),
        }
    }

    /// Asks the manifest whether a view that has not been validated for a while still stands.
    async fn revalidate(self: &Arc<Self>, view: &Arc<View>) -> Result<Lookup, LogError> {
        match self.manifest.load(Some(&view.manifest.tag)).await? {
            Loaded::Missing => {
                self.discard(view);
                Ok(Lookup::Missing)
            }
            Loaded::Unchanged { date } => Ok(Lookup::Live(self.install(view.revalidated(None, date)))),
            Loaded::Found(found) if stands(view, &found) => {
                let date = found.date;
                Ok(Lookup::Live(self.install(view.revalidated(Some(*found), date))))
            }
            // Overtaken by a checkpoint, or of an incarnation that ended: opened anew.
            Loaded::Found(_) => {
                self.discard(view);
                Err(LogError::Stale)
            }
        }
    }

    /// Reads on to the tail. `None`: the log ended, and what lives under the name must be looked
    /// up again.
    async fn catch_up(self: &Arc<Self>, base: &View, reach: Reach) -> Result<Option<Lookup>, LogError> {
        let mut scan = self.slots(base).scan(&base.position, reach).await?;
        if base.position.seq == 0 && scan.records.is_empty() && base.manifest.manifest.genesis.has_initial_bytes {
            // It was put before the manifest.
            return Err(LogError::Broken("the record of the initial bytes is missing".to_owned()));
        }
        let mut view = self.extend(base, &scan.records, scan.tail_seen)?;
        // A long log is read in parts, so that neither memory nor the lease runs out on the way.
        while scan.tail_seen.is_none() && view.state.deleted.is_none() {
            let Lookup::Live(warm) = self.warm(view).await? else { return Ok(Some(Lookup::Missing)) };
            scan = self.slots(&warm).scan(&warm.position, Reach::Beyond).await?;
            view = self.extend(&warm, &scan.records, scan.tail_seen)?;
        }
        if view.state.deleted.is_some() {
            self.bury(&view).await;
            return Ok(None);
        }
        self.seal_when_overdue(&view);
        Ok(Some(Lookup::Live(view)))
    }

    /// What a client is told when the log cannot be read; the log of the process is told why.
    pub(crate) fn unreadable(&self, error: &LogError) -> Refusal {
        match error {
            LogError::Store(error) => {
                tracing::warn!(stream = self.key.key_text(), %error, "the store does not answer");
            }
            error => tracing::error!(stream = self.key.key_text(), %error, "the stream cannot be read"),
        }
        Refusal::StoreUnavailable
    }
}

/// A view stands when its incarnation lives and no checkpoint has overtaken it.
pub(crate) fn stands(view: &View, found: &Versioned) -> bool {
    let manifest = &found.manifest;
    let lives = !manifest.is_tombstone() && manifest.incarnation() == view.state.incarnation;
    (lives || defects::active(Defect::EndedIncarnationKept))
        && (manifest.log.checkpoint.seq <= view.position.seq || defects::active(Defect::OvertakenStateKept))
}
