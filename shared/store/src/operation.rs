//! The kinds of requests, for counting them and for breaking them.

use std::fmt;

/// A kind of request to a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Operation {
    /// [`crate::ObjectStore::get`].
    Get,
    /// [`crate::ObjectStore::put`], whatever its condition.
    Put,
    /// [`crate::ObjectStore::delete_many`].
    Delete,
    /// [`crate::ObjectStore::list`].
    List,
    /// [`crate::ObjectStore::begin_upload`].
    BeginUpload,
    /// [`crate::ObjectStore::put_part`].
    PutPart,
    /// [`crate::ObjectStore::complete_upload`].
    CompleteUpload,
    /// [`crate::ObjectStore::abort_upload`].
    AbortUpload,
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Get => "GET",
            Self::Put => "PUT",
            Self::Delete => "DELETE",
            Self::List => "LIST",
            Self::BeginUpload => "BEGIN",
            Self::PutPart => "PART",
            Self::CompleteUpload => "COMPLETE",
            Self::AbortUpload => "ABORT",
        })
    }
}
