//! Reads: each sees one committed state of the whole store. Blocking; called off the async runtime.

use std::{io, ops::Bound};

use redb::{Database, ReadTransaction, ReadableDatabase};
use wadi_protocol::Timestamp;

use super::{
    bodies::Bodies,
    schema::{BODIES, Entry, OBJECTS},
};
use crate::{GetOptions, GetOutcome, ListRequest, Listing, ObjectKey, StoreError, StoredObject, rules};

/// A file of a state read can be gone by the time it is opened, when a write replaced it meanwhile.
/// Reading again sees that write; losing this often in a row takes as many writes to one key.
const READ_ATTEMPTS_MAX: usize = 8;

pub(super) fn get(
    database: &Database,
    bodies: &Bodies,
    key: &ObjectKey,
    options: &GetOptions,
    date: Timestamp,
) -> Result<GetOutcome, StoreError> {
    for _ in 0..READ_ATTEMPTS_MAX {
        match try_get(database, bodies, key, options, date) {
            Ok(outcome) => return Ok(outcome),
            Err(redb::Error::Io(error)) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(unreadable(&error)),
        }
    }
    Err(StoreError::Unavailable { reason: format!("the body of {key} was replaced again and again while it was read") })
}

fn try_get(
    database: &Database,
    bodies: &Bodies,
    key: &ObjectKey,
    options: &GetOptions,
    date: Timestamp,
) -> Result<GetOutcome, redb::Error> {
    let transaction = database.begin_read()?;
    let Some(row) = transaction.open_table(OBJECTS)?.get(key.as_str())? else {
        return Ok(GetOutcome::Missing { date });
    };
    let entry = Entry::from_row(row.value());
    if options.if_none_match.as_ref() == Some(&entry.tag()) {
        return Ok(GetOutcome::NotModified { date });
    }
    let size = usize::try_from(entry.size).map_err(io::Error::other)?;
    let Some(range) = rules::clamp(options.range.as_ref(), size) else {
        return Ok(GetOutcome::OutOfRange { date });
    };
    let body = match entry.file {
        Some(file) => bodies.read(file, &range)?,
        None => inline_body(&transaction, entry.version)?.get(range).map(<[u8]>::to_vec).ok_or_else(|| damaged(key))?,
    };
    Ok(GetOutcome::Found(StoredObject {
        body: body.into(),
        size: entry.size,
        tag: entry.tag(),
        last_modified: entry.modified,
        attributes: entry.attributes,
        date,
    }))
}

fn inline_body(transaction: &ReadTransaction, version: u64) -> Result<Vec<u8>, redb::Error> {
    let found = transaction.open_table(BODIES)?.get(version)?;
    Ok(found.map(|body| body.value().to_vec()).unwrap_or_default())
}

pub(super) fn list(database: &Database, request: &ListRequest, date: Timestamp) -> Result<Listing, StoreError> {
    try_list(database, request, date).map_err(|error| unreadable(&error))
}

fn try_list(database: &Database, request: &ListRequest, date: Timestamp) -> Result<Listing, redb::Error> {
    let objects = database.begin_read()?.open_table(OBJECTS)?;
    let after = request.start_after.as_ref().filter(|key| key.as_str() >= request.prefix.as_str());
    let from = match after {
        Some(key) => Bound::Excluded(key.as_str()),
        None => Bound::Included(request.prefix.as_str()),
    };
    let mut page = Listing { objects: Vec::new(), more: false, date };
    for found in objects.range::<&str>((from, Bound::Unbounded))? {
        let (key, row) = found?;
        if !key.value().starts_with(&request.prefix) {
            break;
        }
        if page.objects.len() == request.limit {
            page.more = true;
            break;
        }
        page.objects.push(Entry::from_row(row.value()).listed(key.value()));
    }
    Ok(page)
}

fn damaged(key: &ObjectKey) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("the body of {key} is shorter than its row says"))
}

fn unreadable(error: &redb::Error) -> StoreError {
    tracing::error!(%error, "a read of the embedded store failed");
    StoreError::Unavailable {
        reason: format!("the embedded store could not read: {error}; check its disk, then restart"),
    }
}
