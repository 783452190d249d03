//! One pass of collection over one name.

use std::sync::Arc;

use wadi_store::PutCondition;

use super::dropped::Remaining;
use crate::{
    cell::{Cell, Lookup},
    limits::COLLECT_ROUNDS_MAX,
    log::LogError,
    manifests::{Loaded, Swap, Versioned},
};

impl Cell {
    /// Collects what may be collected under this name by now. Returns how many objects that were.
    pub(crate) async fn collect(self: &Arc<Self>) -> Result<u64, LogError> {
        let mut removed = 0;
        for _ in 0..COLLECT_ROUNDS_MAX {
            let Loaded::Found(found) = self.manifest.load(None).await? else { return Ok(removed) };
            let changed = self.collect_by(&found, &mut removed).await?;
            if !changed {
                removed += self.collect_chunks(&found.manifest).await?;
                return Ok(removed + self.collect_living().await?);
            }
        }
        Ok(removed)
    }

    /// Collects what a manifest allows, and publishes what it allows next. False when that is nothing.
    async fn collect_by(&self, found: &Versioned, removed: &mut u64) -> Result<bool, LogError> {
        let Versioned { manifest, published, date, .. } = found;
        let mut log = manifest.log.clone();
        if !manifest.is_tombstone() {
            log = self.collect_slots(manifest.incarnation(), &log).await?;
            *removed += log.collected - manifest.log.collected;
            let checkpoint = log.checkpoint.clone();
            let own = manifest.cover(*published);
            let raised = log.followed_by(checkpoint, own).with_floor_raised(own, *date, self.shared.grace);
            // A manifest that would list one more cover and nothing else is not worth a request.
            if raised.floor > log.floor || log != manifest.log {
                log = raised;
            }
        }
        let remaining = self.collect_dropped(found).await?;
        *removed += remaining.removed;
        if log == manifest.log && !remaining.is_less_than(manifest) {
            return Ok(remaining.removed > 0);
        }
        self.publish_collected(found, log, remaining).await
    }

    async fn publish_collected(
        &self,
        found: &Versioned,
        log: crate::LogPart,
        remaining: Remaining,
    ) -> Result<bool, LogError> {
        let Remaining { dropped, orphans, .. } = remaining;
        let next = found.manifest.tidied(log, dropped, orphans, self.writer_mark());
        match self.manifest.swap(&next, PutCondition::IfMatch(found.tag.clone())).await {
            Swap::Void(error) => Err(error.into()),
            Swap::Done(_) | Swap::Lost(_) | Swap::Superseded | Swap::Unknown => Ok(true),
        }
    }

    async fn collect_living(self: &Arc<Self>) -> Result<u64, LogError> {
        match self.current().await {
            Ok(Lookup::Live(view)) => {
                let removed = self.collect_leftovers(&view).await?;
                self.let_go_of_chunks(&view).await?;
                Ok(removed)
            }
            // Nothing lives, or its log cannot be read just now.
            Ok(Lookup::Missing) | Err(_) => Ok(0),
        }
    }
}
