//! Where a sweep stopped whose time was over.
//!
//! Without it each sweep of a large bucket would look at the same first names, and nobody at the last ones. Sweeps
//! that run at once overwrite each other's bookmark; that costs them time, and nothing else hangs on it.

use bytes::Bytes;
use wadi_store::{GetOptions, GetOutcome, NewObject, ObjectKey, PutCondition};

use super::SweepScope;
use crate::{
    layout::sweep_bookmark_key,
    limits::BOOKMARK_BYTES_MAX,
    log::{Bucket, LogError},
};

pub(super) async fn read(bucket: &Bucket, scope: SweepScope) -> Result<Option<ObjectKey>, LogError> {
    let options = GetOptions { range: Some(0..BOOKMARK_BYTES_MAX), if_none_match: None };
    let GetOutcome::Found(found) = bucket.get(&sweep_bookmark_key(scope), options).await? else { return Ok(None) };
    Ok(std::str::from_utf8(&found.body).ok().map(|at| ObjectKey::new(at.to_owned())))
}

pub(super) async fn set(bucket: &Bucket, scope: SweepScope, at: Option<&ObjectKey>) -> Result<(), LogError> {
    let key = sweep_bookmark_key(scope);
    match at {
        None => bucket.delete(&[key]).await?,
        Some(at) => {
            let object = NewObject::from(Bytes::copy_from_slice(at.as_str().as_bytes()));
            bucket.put(&key, object, PutCondition::Always).await?;
        }
    }
    Ok(())
}
