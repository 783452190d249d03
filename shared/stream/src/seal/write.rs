//! Writing a sealed object: put if absent, and compared where something is.

use std::collections::BTreeMap;

use bytes::Bytes;
use wadi_protocol::{Digest, Offset, name};
use wadi_store::{Attributes, GetOptions, GetOutcome, NewObject, ObjectKey, PutCondition, PutOutcome, StoreError};

use crate::{
    cell::Cell,
    defects::{self, Defect},
    limits::SEALED_OBJECT_ATTEMPTS_MAX,
    log::LogError,
    objects::{CACHE_FOR_EVER, CHUNK_DIGEST},
    view::View,
};

impl Cell {
    /// Writes an object that is a function of the log. One that is there already must be the same;
    /// another one is an alarm, and nothing is published that rests on it.
    pub(crate) async fn put_sealed(&self, key: &ObjectKey, object: NewObject) -> Result<(), LogError> {
        let mut last = StoreError::Unavailable { reason: "no attempt was made".to_owned() };
        for failures in 0..SEALED_OBJECT_ATTEMPTS_MAX {
            match self.bucket().put(key, object.clone(), PutCondition::IfAbsent).await {
                Ok(PutOutcome::Stored { .. }) => return Ok(()),
                Ok(PutOutcome::PreconditionFailed { .. }) if defects::active(Defect::SealedObjectNotCompared) => {
                    return Ok(());
                }
                Ok(PutOutcome::PreconditionFailed { .. }) => return self.compare(key, &object).await,
                Ok(PutOutcome::Conflict { .. }) => {}
                Err(_) if defects::active(Defect::SealedObjectUnconfirmed) => return Ok(()),
                Err(error @ StoreError::Rejected { .. }) => return Err(error.into()),
                // If it was written all the same, the next attempt finds it.
                Err(error) => last = error,
            }
            self.bucket().back_off_from_failure(failures).await;
        }
        Err(last.into())
    }

    async fn compare(&self, key: &ObjectKey, object: &NewObject) -> Result<(), LogError> {
        let range = GetOptions { range: Some(0..object.body.len() as u64), if_none_match: None };
        match self.bucket().get(key, range).await? {
            GetOutcome::Found(there)
                if there.size == object.body.len() as u64
                    && there.body == object.body
                    && there.attributes.metadata == object.attributes.metadata =>
            {
                Ok(())
            }
            GetOutcome::Missing { .. } => Err(LogError::Stale),
            _ => Err(LogError::Broken(format!("{key} is not what the log says it must be"))),
        }
    }
}

/// A chunk, with the headers that it is served with. Nothing of them depends on settings: they, too,
/// are a function of the log. Contract: immutable reads.
pub(super) fn chunk_object(view: &View, start: Offset, bytes: Bytes) -> NewObject {
    let next = start.saturating_add(bytes.len() as u64);
    let mut metadata = BTreeMap::from([
        (name::STREAM_OFFSET.to_owned(), start.to_string()),
        (name::STREAM_NEXT_OFFSET.to_owned(), next.to_string()),
        (name::STREAM_INCARNATION.to_owned(), view.state.incarnation.to_string()),
        (name::STREAM_IMMUTABLE.to_owned(), "true".to_owned()),
        (CHUNK_DIGEST.to_owned(), Digest::of(&bytes).to_string()),
    ]);
    if view.state.closed && next == view.state.tail {
        metadata.insert(name::STREAM_CLOSED.to_owned(), "true".to_owned());
    }
    let attributes = Attributes {
        content_type: Some(view.state.content_type.as_stored().to_owned()),
        cache_control: Some(CACHE_FOR_EVER.to_owned()),
        metadata,
    };
    NewObject { body: bytes, attributes }
}
