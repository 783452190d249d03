//! What the requests of the port mean, written once for the stores that decide it themselves.

use std::ops::Range;

use crate::{
    GetOptions, ListRequest, NewObject, ObjectKey, ObjectTag, PutCondition, StoreError,
    limits::{
        KEY_BYTES_MAX, LIST_KEYS_MAX, LOCAL_UPLOADS_MAX, OBJECT_BYTES_MAX, UPLOAD_PART_BYTES_MIN, UPLOAD_PARTS_MAX,
    },
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

/// Refuses a part that some store would not take, whatever its number.
pub(crate) fn check_part_body(body_bytes: usize) -> Result<(), StoreError> {
    if body_bytes <= OBJECT_BYTES_MAX {
        return Ok(());
    }
    let message = format!("a part has at most {OBJECT_BYTES_MAX} bytes, this one {body_bytes}");
    Err(refusal(400, "EntityTooLarge", message))
}

/// Refuses a part that no upload of `received` parts can take next: they come in order, or once more.
pub(crate) fn check_part_number(number: u32, received: usize) -> Result<(), StoreError> {
    let next = received.saturating_add(1);
    if (1..=UPLOAD_PARTS_MAX).contains(&number) && number as usize <= next {
        return Ok(());
    }
    let message = format!("parts count from 1 to at most {UPLOAD_PARTS_MAX}, and after {received} comes {next}");
    Err(refusal(400, "InvalidArgument", message))
}

/// Refuses to make an object of parts that are not those received, or of which one but the last is too small.
pub(crate) fn check_complete(named: &[ObjectTag], received: &[(ObjectTag, u64)]) -> Result<(), StoreError> {
    if named.is_empty() || !named.iter().eq(received.iter().map(|(tag, _)| tag)) {
        return Err(refusal(400, "InvalidPart", "the parts named are not those that were sent".to_owned()));
    }
    let before_last = received.split_last().map_or(&[] as &[_], |(_, before)| before);
    if before_last.iter().any(|(_, bytes)| *bytes < UPLOAD_PART_BYTES_MIN as u64) {
        let message = format!("each part but the last has at least {UPLOAD_PART_BYTES_MIN} bytes");
        return Err(refusal(400, "EntityTooSmall", message));
    }
    Ok(())
}

/// The answer to an upload whose key was taken meanwhile.
pub(crate) fn key_taken() -> StoreError {
    refusal(412, "PreconditionFailed", "an object has the key already".to_owned())
}

/// The answer about an upload that was completed, aborted, or never begun.
pub(crate) fn no_such_upload() -> StoreError {
    refusal(404, "NoSuchUpload", "the upload was completed, aborted, or never begun".to_owned())
}

/// The answer to one upload too many.
pub(crate) fn too_many_uploads() -> StoreError {
    let reason = format!("{LOCAL_UPLOADS_MAX} uploads in parts are open already; complete or abort one");
    StoreError::NotSent { reason }
}
