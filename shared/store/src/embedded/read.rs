//! Reads of single objects: each sees all layers as they were at one moment.

use std::{io, ops::Range, sync::Arc};

use bytes::Bytes;
use wadi_protocol::Timestamp;

use super::{
    bodies::Bodies,
    layers::{Found, Layers},
    object::Object,
    schema::Entry,
};
use crate::{GetOptions, GetOutcome, ObjectKey, StoreError, StoredObject, rules};

/// A file of a state read can be gone by the time it is opened, when a write replaced it meanwhile.
/// Reading again sees that write; losing this often in a row takes as many writes to one key.
const READ_ATTEMPTS_MAX: usize = 8;

/// The answer, where memory has it. Touches no disk.
pub(super) fn get_from_memory(
    layers: &Layers,
    key: &ObjectKey,
    options: &GetOptions,
    date: Timestamp,
) -> Option<GetOutcome> {
    match layers.find(key.as_str()) {
        Found::Missing => Some(GetOutcome::Missing { date }),
        Found::Object(object) if object.entry.file.is_none() => {
            let body = |range| Ok::<_, io::Error>(copy(&object, range));
            answer(&object.entry, options, date, body).ok()
        }
        Found::Object(_) | Found::Beneath(_) => None,
    }
}

/// The answer, wherever it is. Blocks; called off the async runtime.
pub(super) fn get(
    layers: &Layers,
    bodies: &Bodies,
    key: &ObjectKey,
    options: &GetOptions,
    date: Timestamp,
) -> Result<GetOutcome, StoreError> {
    for _ in 0..READ_ATTEMPTS_MAX {
        match try_get(layers, bodies, key, options, date) {
            Ok(outcome) => return Ok(outcome),
            Err(redb::Error::Io(error)) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(unreadable(&error)),
        }
    }
    Err(StoreError::Unavailable { reason: format!("the body of {key} was replaced again and again while it was read") })
}

fn try_get(
    layers: &Layers,
    bodies: &Bodies,
    key: &ObjectKey,
    options: &GetOptions,
    date: Timestamp,
) -> Result<GetOutcome, redb::Error> {
    match layers.find(key.as_str()) {
        Found::Missing => Ok(GetOutcome::Missing { date }),
        Found::Object(object) => answer(&object.entry, options, date, |range| match object.entry.file {
            Some(file) => Ok(bodies.read(file, &range)?.into()),
            None => Ok(copy(&object, range)),
        }),
        Found::Beneath(committed) => {
            let Some(entry) = layers.look_beneath(&committed, key.as_str())? else {
                return Ok(GetOutcome::Missing { date });
            };
            answer(&entry, options, date, |range| {
                if let Some(file) = entry.file {
                    return Ok(bodies.read(file, &range)?.into());
                }
                let body = committed.body(entry.version)?;
                body.get(range).map(Bytes::copy_from_slice).ok_or_else(|| damaged(key).into())
            })
        }
    }
}

/// A body of its own: a part of a batch would keep the whole batch in memory for as long as it is held.
fn copy(object: &Arc<Object>, range: Range<usize>) -> Bytes {
    Bytes::copy_from_slice(&object.body[range])
}

/// The answer for an object whose body `body` reads.
fn answer<E: From<io::Error>>(
    entry: &Entry,
    options: &GetOptions,
    date: Timestamp,
    body: impl FnOnce(Range<usize>) -> Result<Bytes, E>,
) -> Result<GetOutcome, E> {
    if options.if_none_match.as_ref() == Some(&entry.tag()) {
        return Ok(GetOutcome::NotModified { date });
    }
    let size = usize::try_from(entry.size).map_err(io::Error::other)?;
    let Some(range) = rules::clamp(options.range.as_ref(), size) else {
        return Ok(GetOutcome::OutOfRange { date });
    };
    Ok(GetOutcome::Found(StoredObject {
        body: body(range)?,
        size: entry.size,
        tag: entry.tag(),
        last_modified: entry.modified,
        attributes: entry.attributes.clone(),
        date,
    }))
}

fn damaged(key: &ObjectKey) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("the body of {key} is shorter than its row says"))
}

pub(super) fn unreadable(error: &redb::Error) -> StoreError {
    tracing::error!(%error, "a read of the embedded store failed");
    StoreError::Unavailable {
        reason: format!("the embedded store could not read: {error}; check its disk, then restart"),
    }
}
