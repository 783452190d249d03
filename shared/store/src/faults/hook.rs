//! The decisions that a fault hook takes.

use async_trait::async_trait;

use crate::{GetOptions, ListRequest, NewObject, ObjectKey, ObjectTag, Operation, PutCondition, StoreError, Upload};

/// Decides what happens to each request. Both methods may wait: that delays or holds the request.
#[async_trait]
pub trait FaultHook: Send + Sync {
    /// Called before the request reaches the inner store.
    async fn before(&self, request: &Request<'_>) -> Before;

    /// Called after the inner store answered. `applied` is true when the answer says that a write
    /// took effect; it is false for reads, failed conditions and errors.
    async fn after(&self, request: &Request<'_>, applied: bool) -> After;
}

/// A request on its way to a store.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// Its number, in the order of arrival at the faulty store: the same before and after.
    pub number: u64,
    /// What it asks for.
    pub call: Call<'a>,
}

/// What a request asks for.
#[derive(Clone, Copy, Debug)]
pub enum Call<'a> {
    /// A read.
    Get {
        /// The object's key.
        key: &'a ObjectKey,
        /// What to read.
        options: &'a GetOptions,
    },
    /// A write.
    Put {
        /// The object's key.
        key: &'a ObjectKey,
        /// What to write.
        object: &'a NewObject,
        /// When it may apply.
        condition: &'a PutCondition,
    },
    /// A delete of many keys.
    Delete {
        /// The keys.
        keys: &'a [ObjectKey],
    },
    /// A page of a listing.
    List {
        /// The page.
        page: &'a ListRequest,
    },
    /// The begin of an upload in parts.
    BeginUpload {
        /// The object's key.
        key: &'a ObjectKey,
    },
    /// A part of an upload.
    PutPart {
        /// The upload.
        upload: &'a Upload,
        /// Which part.
        number: u32,
    },
    /// The end of an upload: it makes the object.
    CompleteUpload {
        /// The upload.
        upload: &'a Upload,
        /// The tags of its parts.
        parts: &'a [ObjectTag],
    },
    /// An upload that is given up.
    AbortUpload {
        /// The upload.
        upload: &'a Upload,
    },
}

impl Request<'_> {
    /// Its kind.
    pub const fn operation(&self) -> Operation {
        match self.call {
            Call::Get { .. } => Operation::Get,
            Call::Put { .. } => Operation::Put,
            Call::Delete { .. } => Operation::Delete,
            Call::List { .. } => Operation::List,
            Call::BeginUpload { .. } => Operation::BeginUpload,
            Call::PutPart { .. } => Operation::PutPart,
            Call::CompleteUpload { .. } => Operation::CompleteUpload,
            Call::AbortUpload { .. } => Operation::AbortUpload,
        }
    }

    /// True when it names a key, or for a listing a prefix, that contains `text`.
    pub fn mentions(&self, text: &str) -> bool {
        match self.call {
            Call::Get { key, .. } | Call::Put { key, .. } | Call::BeginUpload { key } => key.as_str().contains(text),
            Call::PutPart { upload, .. } | Call::CompleteUpload { upload, .. } | Call::AbortUpload { upload } => {
                upload.key.as_str().contains(text)
            }
            Call::Delete { keys } => keys.iter().any(|key| key.as_str().contains(text)),
            Call::List { page } => page.prefix.contains(text),
        }
    }
}

/// What to do with a request before it reaches the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Before {
    /// Send it on.
    Proceed,
    /// Answer this error; the store never sees the request.
    Fail(StoreError),
    /// Answer 409: another request was under way and this one did nothing. For a request other than
    /// a PUT this is [`StoreError::Unavailable`]. The date is the inner store's, taken by one GET.
    Conflict,
    /// Answer [`StoreError::Unavailable`] now and keep a write to apply later, at the test's command:
    /// [`crate::FaultyStore::land_postponed`]. A read, and what only prepares an upload in parts, is just lost.
    Postpone,
}

/// What to do with the answer of a request that the store has seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    /// Hand it to the caller.
    Deliver,
    /// Lose it: the caller sees [`StoreError::Unavailable`] though the request took effect.
    LoseAnswer,
}
