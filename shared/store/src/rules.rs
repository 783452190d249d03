//! What the requests of the port mean, written once for the stores that decide it themselves.

use std::ops::Range;

use crate::{
    GetOptions, ListRequest, NewObject, ObjectKey, ObjectTag, PutCondition, StoreError,
    limits::{KEY_BYTES_MAX, LIST_KEYS_MAX, OBJECT_BYTES_MAX},
};

/// Refuses a key that some store would refuse.
pub(crate) fn check_key(key: &ObjectKey) -> Result<(), StoreError> {
    match key.as_str().len() {
        0 => Err(refusal(400, "InvalidKey", "a key has at least one byte".to_owned())),
        1..=KEY_BYTES_MAX => Ok(()),
        bytes => {
            Err(refusal(400, "KeyTooLongError", format!("a key has at most {KEY_BYTES_MAX} bytes, this one {bytes}")))
        }
    }
}

/// Refuses a write that some store would refuse.
pub(crate) fn check_put(key: &ObjectKey, object: &NewObject) -> Result<(), StoreError> {
    check_key(key)?;
    if object.body.len() <= OBJECT_BYTES_MAX {
        return Ok(());
    }
    let message = format!("an object has at most {OBJECT_BYTES_MAX} bytes, this one {}", object.body.len());
    Err(refusal(400, "EntityTooLarge", message))
}

/// Refuses a read that some store would refuse: HTTP cannot ask for a range of no bytes.
pub(crate) fn check_get(key: &ObjectKey, options: &GetOptions) -> Result<(), StoreError> {
    check_key(key)?;
    match &options.range {
        Some(range) if range.is_empty() => {
            Err(refusal(400, "InvalidRange", format!("the range {}..{} holds no byte", range.start, range.end)))
        }
        _ => Ok(()),
    }
}

/// Refuses a listing that some store would refuse.
pub(crate) fn check_list(request: &ListRequest) -> Result<(), StoreError> {
    if (1..=LIST_KEYS_MAX).contains(&request.limit) {
        return Ok(());
    }
    let message = format!("a page has 1 to {LIST_KEYS_MAX} keys, not {}", request.limit);
    Err(refusal(400, "InvalidArgument", message))
}

/// True when a write with `condition` may replace the object whose tag is `current`.
pub(crate) fn condition_holds(condition: &PutCondition, current: Option<&ObjectTag>) -> bool {
    match condition {
        PutCondition::Always => true,
        PutCondition::IfAbsent => current.is_none(),
        PutCondition::IfMatch(tag) => current == Some(tag),
    }
}

/// The part of a body of `size` bytes that `range` asks for; `None` when it starts at or beyond the end.
pub(crate) fn clamp(range: Option<&Range<u64>>, size: usize) -> Option<Range<usize>> {
    let Some(range) = range else { return Some(0..size) };
    let start = usize::try_from(range.start).ok().filter(|start| *start < size)?;
    let end = usize::try_from(range.end).unwrap_or(size).min(size);
    Some(start..end)
}

/// A refusal in the words of S3, with the nearest HTTP status.
pub(crate) fn refusal(status: u16, code: &str, message: String) -> StoreError {
    StoreError::Rejected { status, code: code.to_owned(), message }
}
