//! An object as it waits in memory until it is in the database.

use std::{collections::BTreeMap, sync::Arc};

use bytes::Bytes;
use wadi_protocol::Timestamp;

use super::schema::Entry;
use crate::ObjectKey;

/// An object with its body.
#[derive(Debug)]
pub(super) struct Object {
    pub(super) entry: Entry,
    /// Empty where a file has the body.
    pub(super) body: Bytes,
}

/// What a key has: an object, or nothing any more.
pub(super) type Held = Option<Arc<Object>>;

/// What was changed, in byte order of the keys.
pub(super) type Rows = BTreeMap<ObjectKey, Held>;

/// Where the store stands after a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    /// Number of the journal's last entry.
    pub(super) sequence: u64,
    /// Versions given so far.
    pub(super) versions: u64,
    /// Date of the newest write.
    pub(super) newest: Timestamp,
}
