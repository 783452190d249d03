//! Requests to the store and their answers, as values that travel.

use std::fmt;

use futures::FutureExt;
use wadi_protocol::Timestamp;
use wadi_store::{
    GetOptions, GetOutcome, ListRequest, Listing, MemoryStore, NewObject, ObjectKey, ObjectStore, PutCondition,
    PutOutcome, StoreError,
};

/// A request to the store.
#[derive(Clone, Debug)]
pub(crate) enum Request {
    Get(ObjectKey, GetOptions),
    Put(ObjectKey, NewObject, PutCondition),
    Delete(Vec<ObjectKey>),
    List(ListRequest),
}

/// Requests by what may happen to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RequestKind {
    Reads,
    /// A conditional write.
    Writes,
    Deletes,
}

/// An answer of the store.
#[derive(Clone, Debug)]
pub(crate) enum Reply {
    Got(GetOutcome),
    Put(PutOutcome),
    Deleted(Timestamp),
    Listed(Listing),
    Failed(StoreError),
}

impl Request {
    /// What may happen to it.
    pub(crate) fn kind(&self) -> RequestKind {
        match self {
            Self::Get(..) | Self::List(_) => RequestKind::Reads,
            Self::Put(..) => RequestKind::Writes,
            Self::Delete(_) => RequestKind::Deletes,
        }
    }

    /// Takes effect, at once.
    pub(crate) fn apply(&self, bucket: &MemoryStore) -> Result<Reply, StoreError> {
        let at_once = match self {
            Self::Get(key, options) => {
                bucket.get(key, options.clone()).map(|outcome| outcome.map(Reply::Got)).now_or_never()
            }
            Self::Put(key, object, condition) => {
                bucket.put(key, object.clone(), condition.clone()).map(|outcome| outcome.map(Reply::Put)).now_or_never()
            }
            Self::Delete(keys) => bucket.delete_many(keys).map(|outcome| outcome.map(Reply::Deleted)).now_or_never(),
            Self::List(request) => {
                bucket.list(request.clone()).map(|outcome| outcome.map(Reply::Listed)).now_or_never()
            }
        };
        at_once.unwrap_or_else(|| Err(StoreError::Unavailable { reason: "the memory store waits".to_owned() }))
    }
}

impl Reply {
    /// 409 to a write.
    pub(crate) fn conflict(date: Timestamp) -> Self {
        Self::Put(PutOutcome::Conflict { date })
    }
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Get(key, GetOptions { if_none_match: Some(tag), .. }) => write!(f, "GET {key} unless {}", tag.0),
            Self::Get(key, _) => write!(f, "GET {key}"),
            Self::Put(key, object, condition) => {
                write!(f, "PUT {key} ({} bytes, ", object.body.len())?;
                match condition {
                    PutCondition::IfAbsent => write!(f, "if absent)"),
                    PutCondition::IfMatch(tag) => write!(f, "if {})", tag.0),
                    PutCondition::Always => write!(f, "always)"),
                }
            }
            Self::Delete(keys) => {
                write!(f, "DELETE")?;
                keys.iter().try_for_each(|key| write!(f, " {key}"))
            }
            Self::List(request) => write!(f, "LIST {}", request.prefix),
        }
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Got(GetOutcome::Found(object)) => {
                write!(f, "found {} dated {}", object.tag.0, object.date.as_millis())
            }
            Self::Got(GetOutcome::NotModified { date }) => write!(f, "not modified dated {}", date.as_millis()),
            Self::Got(GetOutcome::OutOfRange { date }) => write!(f, "out of range dated {}", date.as_millis()),
            Self::Got(GetOutcome::Missing { date }) => write!(f, "404 dated {}", date.as_millis()),
            Self::Put(PutOutcome::Stored { tag, date }) => write!(f, "stored {} dated {}", tag.0, date.as_millis()),
            Self::Put(PutOutcome::PreconditionFailed { date }) => write!(f, "412 dated {}", date.as_millis()),
            Self::Put(PutOutcome::Conflict { date }) => write!(f, "409 dated {}", date.as_millis()),
            Self::Deleted(date) => write!(f, "deleted dated {}", date.as_millis()),
            Self::Listed(listing) => write!(f, "{} keys", listing.objects.len()),
            Self::Failed(error) => match error {
                StoreError::NotSent { .. } => write!(f, "not sent"),
                StoreError::Rejected { status, .. } => write!(f, "refused with {status}"),
                StoreError::Unavailable { .. } => write!(f, "unavailable"),
                StoreError::BrokenOff { .. } => write!(f, "broken off"),
            },
        }
    }
}
