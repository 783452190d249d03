//! Reading and replacing manifests: the one compare-and-set loop.

use std::sync::Arc;

use bytes::Bytes;
use wadi_protocol::{StreamKey, Timestamp};
use wadi_store::{GetOptions, GetOutcome, NewObject, ObjectKey, ObjectTag, PutCondition, PutOutcome, StoreError};

use crate::{
    defects::{self, Defect},
    layout::manifest_key,
    limits::{LEASE, MANIFEST_ATTEMPTS_MAX, UNSENT_ATTEMPTS_MAX},
    log::{Bucket, LogError},
    manifest::{Manifest, ManifestError},
};

/// The manifest of one name.
#[derive(Clone, Debug)]
pub(crate) struct ManifestObject {
    bucket: Arc<Bucket>,
    key: ObjectKey,
}

/// A manifest as read or written, with its version.
#[derive(Clone, Debug)]
pub(crate) struct Versioned {
    pub(crate) manifest: Manifest,
    pub(crate) tag: ObjectTag,
    /// The store's date of the answer that told.
    pub(crate) date: Timestamp,
    /// When this version was put in place, by the store's clock.
    pub(crate) published: Timestamp,
}

/// What a read of a manifest found.
#[derive(Clone, Debug)]
pub(crate) enum Loaded {
    Missing,
    Unchanged { date: Timestamp },
    Found(Box<Versioned>),
}

/// What became of a replacement.
#[derive(Debug)]
pub(crate) enum Swap {
    /// It is in place.
    Done(Box<Versioned>),
    /// Another change came first, so this one is void; what is there now.
    Lost(Box<Versioned>),
    /// It was in place, and has been replaced since. Known only of a new incarnation and of the end
    /// of one; of any other change it is not proved.
    Superseded,
    /// It is void: the store refused it, or was never reached.
    Void(StoreError),
    /// It may be in place, or may still get there.
    Unknown,
}

impl ManifestObject {
    pub(crate) fn new(bucket: Arc<Bucket>, stream: &StreamKey) -> Self {
        Self { bucket, key: manifest_key(stream) }
    }

    /// Reads the manifest, unless it still is the version `known`.
    pub(crate) async fn load(&self, known: Option<&ObjectTag>) -> Result<Loaded, LogError> {
        let options = GetOptions { range: None, if_none_match: known.cloned() };
        match self.bucket.get(&self.key, options).await? {
            GetOutcome::Missing { .. } => Ok(Loaded::Missing),
            GetOutcome::NotModified { date } => Ok(Loaded::Unchanged { date }),
            GetOutcome::OutOfRange { .. } => Err(LogError::Damaged(format!("{} is empty", self.key))),
            GetOutcome::Found(object) => {
                let manifest = Manifest::from_json(&object.body).map_err(|error| self.unreadable(error))?;
                let published = object.last_modified;
                Ok(Loaded::Found(Box::new(Versioned { manifest, tag: object.tag, date: object.date, published })))
            }
        }
    }

    /// Writes a manifest in place of the version named by `condition`.
    ///
    /// A change knows itself again by its `writer` and `revision`, so a lost answer is no loss. One
    /// that was replaced since is known by its incarnation, which the manifests that follow name for
    /// a grace period at least: found missing there after more than a lease, nobody can tell.
    pub(crate) async fn swap(&self, manifest: &Manifest, condition: PutCondition) -> Swap {
        let Ok(bytes) = manifest.to_json().map(Bytes::from) else { return Swap::Unknown };
        let started = self.bucket.now().unwrap_or_default();
        let mut open = false;
        let mut last = StoreError::Unavailable { reason: "no attempt was made".to_owned() };
        for attempt in 1..=MANIFEST_ATTEMPTS_MAX {
            match self.bucket.put(&self.key, NewObject::from(bytes.clone()), condition.clone()).await {
                Ok(PutOutcome::Stored { tag, date }) => {
                    let manifest = manifest.clone();
                    return Swap::Done(Box::new(Versioned { manifest, tag, date, published: date }));
                }
                // Another change is there, or this one: something on the way may have sent it twice.
                Ok(PutOutcome::PreconditionFailed { .. }) => open = true,
                Ok(PutOutcome::Conflict { .. }) => {}
                Err(error) => {
                    let given_up = match &error {
                        StoreError::Rejected { .. } => true,
                        StoreError::NotSent { .. } => attempt >= UNSENT_ATTEMPTS_MAX,
                        StoreError::Unavailable { .. } | StoreError::BrokenOff { .. } => false,
                    };
                    open |= !error.proves_nothing_written();
                    if given_up && !open {
                        return Swap::Void(error);
                    }
                    last = error;
                }
            }
            match self.find_out(manifest, &condition).await {
                // By now what it made may have ended and been forgotten.
                Ok(Some(Swap::Lost(found))) if open && found.date.since(started) > LEASE => return Swap::Unknown,
                Ok(Some(outcome)) => return outcome,
                Ok(None) => {}
                Err(error) => tracing::debug!(%error, "what became of a manifest cannot be told yet"),
            }
            self.bucket.back_off().await;
        }
        let open = open && !defects::active(Defect::OpenManifestCalledVoid);
        if open { Swap::Unknown } else { Swap::Void(last) }
    }

    /// What became of a change whose PUT was not acknowledged; `None` while it is open.
    async fn find_out(&self, mine: &Manifest, condition: &PutCondition) -> Result<Option<Swap>, LogError> {
        Ok(match self.load(None).await? {
            Loaded::Missing | Loaded::Unchanged { .. } => None,
            Loaded::Found(found)
                if found.manifest.writer == mine.writer
                    && found.manifest.revision == mine.revision
                    && !defects::active(Defect::OwnManifestNotRecognised) =>
            {
                Some(Swap::Done(found))
            }
            // The version that the change was to replace is still there: it can still land.
            Loaded::Found(found) if *condition == PutCondition::IfMatch(found.tag.clone()) => None,
            // Versions never come back, so from here on the change cannot land any more.
            Loaded::Found(found) if was_in_place(&found.manifest, mine) => Some(Swap::Superseded),
            Loaded::Found(found) => Some(Swap::Lost(found)),
        })
    }

    fn unreadable(&self, error: ManifestError) -> LogError {
        match error {
            ManifestError::Damaged(why) => LogError::Damaged(format!("{}: {why}", self.key)),
            ManifestError::UnknownFormat(format) => LogError::UnknownFormat(format),
        }
    }
}

/// Whether `mine` was in place before `now` replaced it: a new incarnation is known by its token,
/// the end of one by being among the dropped. A change that keeps the incarnation leaves no such
/// trace, so it must not be looked up here.
fn was_in_place(now: &Manifest, mine: &Manifest) -> bool {
    if mine.is_tombstone() {
        now.dropped.iter().any(|dropped| dropped.incarnation == mine.incarnation())
    } else {
        now.revision > mine.revision && now.knows(mine.incarnation())
    }
}
