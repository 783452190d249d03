//! Incarnations that ended, and those that never began.

use wadi_protocol::Timestamp;

use crate::{
    cell::Cell,
    defects::{self, Defect},
    log::LogError,
    manifest::{Dropped, Manifest},
    manifests::Versioned,
};

/// The incarnations whose objects may still be there.
pub(super) struct Remaining {
    pub(super) dropped: Vec<Dropped>,
    pub(super) orphans: Vec<Dropped>,
    /// Objects removed.
    pub(super) removed: u64,
}

impl Cell {
    /// Removes the objects of incarnations that ended a grace period ago, and of orphans.
    ///
    /// An orphan needs no grace: its creator needs a manifest that was replaced when the orphan was
    /// listed, so it can never come to life.
    pub(super) async fn collect_dropped(&self, found: &Versioned) -> Result<Remaining, LogError> {
        let Versioned { manifest, published, date, .. } = found;
        let mut remaining = Remaining { dropped: Vec::new(), orphans: Vec::new(), removed: 0 };
        for dropped in manifest.dropped_as_of(*published) {
            let due = defects::active(Defect::DroppedCollectedAtOnce) || self.is_due(dropped.date, *date);
            if !due || !self.remove_incarnation(&dropped, &mut remaining.removed).await? {
                remaining.dropped.push(dropped);
            }
        }
        for orphan in &manifest.orphans {
            if !self.remove_incarnation(orphan, &mut remaining.removed).await? {
                remaining.orphans.push(*orphan);
            }
        }
        Ok(remaining)
    }

    fn is_due(&self, since: Timestamp, now: Timestamp) -> bool {
        since.saturating_add(self.shared.grace) <= now
    }

    /// True once a listing shows that nothing is left of it.
    async fn remove_incarnation(&self, dropped: &Dropped, removed: &mut u64) -> Result<bool, LogError> {
        let prefix = format!("{}/", self.prefix(dropped.incarnation));
        let count = self.remove_listed(&prefix, |_| true).await?;
        *removed += count;
        Ok(count == 0)
    }
}

impl Remaining {
    /// Whether an entry of the manifest has gone.
    pub(super) fn is_less_than(&self, manifest: &Manifest) -> bool {
        self.dropped.len() < manifest.dropped.len() || self.orphans.len() < manifest.orphans.len()
    }
}
