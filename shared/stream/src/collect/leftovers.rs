//! What a living stream leaves behind: segments and states that were superseded, outputs of sealing
//! that were never published, bodies that no record names, parts of snapshots that nobody committed.

use std::collections::HashSet;

use wadi_protocol::Timestamp;
use wadi_store::{ListedObject, ObjectKey};

use crate::{
    cell::Cell,
    defects::{self, Defect},
    layout::{last_part, sealed_key, segment_range, staged_prefix},
    limits::COLLECTED_PER_PASS_MAX,
    log::LogError,
    view::View,
};

impl Cell {
    /// Removes what `view` proves to be dead. Returns how many objects that were.
    pub(crate) async fn collect_leftovers(&self, view: &View) -> Result<u64, LogError> {
        let prefix = self.prefix(view.state.incarnation);
        let needed = Needed::by(view, &prefix, self.shared.grace);
        let bodies = self.remove_listed(&format!("{prefix}/body/"), |object| needed.body_is_dead(object)).await?;
        let segments =
            self.remove_listed(&format!("{prefix}/segment/"), |object| needed.segment_is_dead(object)).await?;
        let states = self.remove_listed(&format!("{prefix}/state/"), |object| needed.state_is_dead(object)).await?;
        // Nobody counts on a part for longer than a grace period.
        let staged = self.remove_listed(&staged_prefix(&prefix), |object| needed.is_old(object)).await?;
        let snapshots = self.collect_snapshots(view, needed.old_before).await?;
        Ok(bodies + segments + states + staged + snapshots)
    }

    /// Removes the objects below `prefix` that are dead, as many as one pass may look at.
    pub(crate) async fn remove_listed(
        &self,
        prefix: &str,
        is_dead: impl Fn(&ListedObject) -> bool,
    ) -> Result<u64, LogError> {
        let (mut removed, mut seen, mut after) = (0, 0, None);
        loop {
            let listing = self.bucket().list(prefix, after.take()).await?;
            let dead: Vec<ObjectKey> =
                listing.objects.iter().filter(|object| is_dead(object)).map(|object| object.key.clone()).collect();
            self.bucket().delete(&dead).await?;
            removed += dead.len() as u64;
            seen += listing.objects.len() as u64;
            after = listing.objects.last().map(|last| last.key.clone());
            if !listing.more || after.is_none() || seen >= COLLECTED_PER_PASS_MAX {
                return Ok(removed);
            }
        }
    }
}

/// What of an incarnation is still needed, and since when what is not must have been there.
struct Needed<'a> {
    view: &'a View,
    /// What was written before this is old: at least a grace period.
    old_before: Timestamp,
    segments: HashSet<ObjectKey>,
    bodies: HashSet<&'a str>,
}

impl<'a> Needed<'a> {
    fn by(view: &'a View, prefix: &str, grace: std::time::Duration) -> Self {
        let old_before = view.position.validated.saturating_sub(grace);
        let segments = view.manifest.manifest.sealed.segments().map(|segment| sealed_key(prefix, &segment)).collect();
        let latest = view.state.snapshot.iter().filter(|_| !defects::active(Defect::SnapshotBodyCollected));
        let snapshot = latest.map(|snapshot| &*snapshot.object);
        Self { view, old_before, segments, bodies: view.bodies().chain(snapshot).collect() }
    }

    fn is_old(&self, object: &ListedObject) -> bool {
        object.last_modified < self.old_before
    }

    /// A record names a body only within the lease of its upload. So of those that are old, all that
    /// a record names are known: the view was proved to reach the tail since.
    fn body_is_dead(&self, object: &ListedObject) -> bool {
        let named = self.bodies.contains(last_part(&object.key)) && !defects::active(Defect::NamedBodyCollected);
        self.is_old(object) && !named
    }

    /// A segment that ends at or below the checkpoint and is not named there is never named again:
    /// segments only merge, and new ones end at later checkpoints.
    fn segment_is_dead(&self, object: &ListedObject) -> bool {
        let sealed = self.view.manifest.manifest.sealed.end();
        let below = segment_range(&object.key).is_some_and(|range| range.end <= sealed);
        below && self.is_old(object) && !self.segments.contains(&object.key)
    }

    /// A state below the checkpoint is never named again.
    fn state_is_dead(&self, object: &ListedObject) -> bool {
        let checkpoint = self.view.manifest.manifest.log.checkpoint.seq;
        let below = last_part(&object.key).parse::<u64>().is_ok_and(|seq| seq < checkpoint);
        below && self.is_old(object)
    }
}
