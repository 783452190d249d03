//! Listings: each page shows all layers as they were at one moment. Blocking; called off the async runtime.

use std::{ops::Bound, sync::Arc};

use wadi_protocol::Timestamp;

use super::{
    layers::{Cut, Layers},
    merge::{Line, Merged},
    object::{Held, Rows},
    read::unreadable,
    schema::Entry,
};
use crate::{ListRequest, ListedObject, Listing, ObjectKey, StoreError};

/// A page of a listing.
pub(super) fn list(layers: &Layers, request: &ListRequest, date: Timestamp) -> Result<Listing, StoreError> {
    try_list(layers, request, date).map_err(|error| unreadable(&error))
}

fn try_list(layers: &Layers, request: &ListRequest, date: Timestamp) -> Result<Listing, redb::Error> {
    let after = request.start_after.as_ref().filter(|key| key.as_str() >= request.prefix.as_str());
    let from = match after {
        Some(key) => Bound::Excluded(key.as_str()),
        None => Bound::Included(request.prefix.as_str()),
    };
    // One more than the page: it tells whether more follow.
    let Cut { newest, older, committed } = layers.cut(from, &request.prefix, request.limit + 1);
    let newest = newest.into_iter().map(|(key, held)| line(key, &held));
    let older = older.unwrap_or_default();
    let committed = committed.range(from)?.map(|found| {
        let (key, row) = found?;
        let entry = Entry::from_row(row.value());
        Ok((ObjectKey::from(key.value()), Some((entry.size, entry.modified))))
    });
    page(Merged::new(newest, Merged::new(older_lines(&older, from), committed)), request, date)
}

fn older_lines(rows: &Arc<Rows>, from: Bound<&str>) -> impl Iterator<Item = Line> {
    rows.range::<str, _>((from, Bound::Unbounded)).map(|(key, held)| line(key.clone(), held))
}

fn line(key: ObjectKey, held: &Held) -> Line {
    (key, held.as_ref().map(|object| (object.entry.size, object.entry.modified)))
}

fn page(
    lines: impl Iterator<Item = Result<Line, redb::Error>>,
    request: &ListRequest,
    date: Timestamp,
) -> Result<Listing, redb::Error> {
    let mut page = Listing { objects: Vec::new(), more: false, date };
    for line in lines {
        let (key, object) = line?;
        if !key.as_str().starts_with(&request.prefix) {
            break;
        }
        let Some((size, last_modified)) = object else { continue };
        if page.objects.len() == request.limit {
            page.more = true;
            break;
        }
        page.objects.push(ListedObject { key, size, last_modified });
    }
    Ok(page)
}
