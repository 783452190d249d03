//! A pass of collection over the whole bucket.

use std::{collections::BTreeMap, ops::Add, sync::Arc};

use wadi_protocol::{Incarnation, StreamKey};
use wadi_store::{ObjectKey, PutCondition};

use crate::{
    cell::{Cell, Shared},
    defects::{self, Defect},
    layout::{incarnation_of, manifest_key},
    limits::{GRACE, SWEEP_LOOKS_BACK},
    log::LogError,
    manifest::{Dropped, Manifest},
    manifests::{Loaded, Swap},
    names::names,
};

/// Which names a sweep looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SweepScope {
    /// Those whose manifest changed in the last days: elsewhere no slot and no incarnation can be due. One listing
    /// for a thousand names. What leaves no trace in a manifest is left to a full sweep where nothing else changes
    /// it: snapshots that were superseded, parts that nobody used, chunks that a last retention left behind.
    Recent,
    /// All, and what belongs to no name.
    Full,
}

/// What a sweep did so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Swept {
    /// Names whose manifest was seen.
    pub names: u64,
    /// Names that were looked at.
    pub looked_at: u64,
    /// Objects removed.
    pub removed: u64,
    /// Incarnations found that no manifest names. The next sweep removes their objects.
    pub orphans: u64,
    /// Names that could not be looked at.
    pub failed: u64,
}

impl Add for Swept {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            names: self.names + other.names,
            looked_at: self.looked_at + other.looked_at,
            removed: self.removed + other.removed,
            orphans: self.orphans + other.orphans,
            failed: self.failed + other.failed,
        }
    }
}

/// What the keys of all objects of streams begin with.
const OBJECTS: &str = "ds/";

pub(crate) struct Sweep<'a> {
    pub(crate) shared: &'a Arc<Shared>,
    pub(crate) swept: Swept,
    /// Told what was done, and the key behind which a sweep may go on from then on.
    pub(crate) progress: &'a (dyn Fn(&Swept, &ObjectKey) + Send + Sync),
}

impl Sweep<'_> {
    /// Sweeps what lies behind `from`: names, whose keys come first, then objects.
    pub(crate) async fn run(&mut self, scope: SweepScope, from: Option<ObjectKey>) -> Result<(), LogError> {
        let (names, objects) = match from {
            Some(key) if key.as_str().starts_with(OBJECTS) => (None, Some(key)),
            from => (Some(from), None),
        };
        if let Some(after) = names {
            self.names(scope, after).await?;
        }
        if scope == SweepScope::Full { self.orphans(objects).await } else { Ok(()) }
    }

    async fn names(&mut self, scope: SweepScope, mut after: Option<ObjectKey>) -> Result<(), LogError> {
        loop {
            let page = names(&self.shared.bucket, after).await?;
            let since = page.date.saturating_sub(SWEEP_LOOKS_BACK);
            for name in page.found {
                self.swept.names += 1;
                let at = manifest_key(&name.key);
                if scope == SweepScope::Full || name.changed >= since {
                    self.look_at(name.key).await;
                }
                (self.progress)(&self.swept, &at);
            }
            if page.after.is_none() {
                return Ok(());
            }
            after = page.after;
        }
    }

    async fn look_at(&mut self, key: StreamKey) {
        self.swept.looked_at += 1;
        // A cell of its own, so that idle streams do not fill the cache.
        let cell = Arc::new(Cell::new(key, self.shared.clone()));
        match cell.collect().await {
            Ok(removed) => self.swept.removed += removed,
            Err(error) => {
                tracing::warn!(stream = cell.key.key_text(), %error, "a stream could not be swept");
                self.swept.failed += 1;
            }
        }
    }

    /// Looks at one object of each incarnation, and lists those that no manifest names.
    async fn orphans(&mut self, mut after: Option<ObjectKey>) -> Result<(), LogError> {
        let mut found: BTreeMap<StreamKey, Vec<Incarnation>> = BTreeMap::new();
        loop {
            let listing = self.shared.bucket.list_one(OBJECTS, after.take()).await?;
            let Some(object) = listing.objects.first() else { break };
            match incarnation_of(&object.key) {
                Some((key, incarnation)) => {
                    // Behind all objects of this incarnation.
                    after = Some(ObjectKey::new(format!("{}/~", crate::incarnation_prefix(&key, incarnation))));
                    if object.last_modified.saturating_add(self.shared.grace) <= listing.date {
                        found.entry(key).or_default().push(incarnation);
                    }
                }
                None => after = Some(object.key.clone()),
            }
            if !listing.more {
                break;
            }
            if found.len() > 1 {
                self.fence_all(&mut found).await;
            }
            if let Some(at) = after.as_ref().filter(|_| found.is_empty()) {
                (self.progress)(&self.swept, at);
            }
        }
        self.fence_all(&mut found).await;
        Ok(())
    }

    async fn fence_all(&mut self, found: &mut BTreeMap<StreamKey, Vec<Incarnation>>) {
        for (key, incarnations) in std::mem::take(found) {
            let cell = Arc::new(Cell::new(key, self.shared.clone()));
            match cell.list_orphans(&incarnations).await {
                Ok(listed) => self.swept.orphans += listed,
                Err(error) => {
                    tracing::warn!(stream = cell.key.key_text(), %error, "orphans could not be listed");
                    self.swept.failed += 1;
                }
            }
        }
    }
}

impl Cell {
    /// Lists in the manifest those of `incarnations` that it does not name. That changes it, so that
    /// whoever is just creating one of them fails and starts again; only then may it be collected.
    /// Returns how many were listed.
    async fn list_orphans(self: &Arc<Self>, incarnations: &[Incarnation]) -> Result<u64, LogError> {
        let known = match self.manifest.load(None).await? {
            Loaded::Found(found) => Some(found),
            Loaded::Missing | Loaded::Unchanged { .. } => None,
        };
        let named = |incarnation| known.as_ref().is_some_and(|known| known.manifest.names(incarnation));
        let date = self.bucket().now().unwrap_or_default();
        let orphans: Vec<Dropped> = incarnations
            .iter()
            .filter(|incarnation| !named(**incarnation))
            .map(|incarnation| Dropped { incarnation: *incarnation, date })
            .collect();
        let Some(first) = orphans.first() else { return Ok(0) };
        if defects::active(Defect::OrphanCollectedWithoutFence) {
            for orphan in &orphans {
                self.remove_listed(&format!("{}/", self.prefix(orphan.incarnation)), |_| true).await?;
            }
            return Ok(orphans.len() as u64);
        }
        let count = orphans.len() as u64;
        let (next, condition) = if let Some(found) = &known {
            let next = found.manifest.with_orphans(orphans, found.published, self.writer_mark());
            (next, PutCondition::IfMatch(found.tag.clone()))
        } else {
            let first = first.incarnation;
            (Manifest::of_orphans(first, orphans, date, self.writer_mark()), PutCondition::IfAbsent)
        };
        match self.manifest.swap(&next, condition).await {
            Swap::Done(_) => Ok(count),
            Swap::Void(error) => Err(error.into()),
            // The next sweep finds them again.
            Swap::Lost(_) | Swap::Superseded | Swap::Unknown => Ok(0),
        }
    }
}

const _: () = assert!(SWEEP_LOOKS_BACK.as_secs() > 2 * GRACE.as_secs(), "what a sweep leaves the next one finds");
