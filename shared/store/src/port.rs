//! The port through which everything durable goes: a small subset of S3.

use std::{collections::BTreeMap, fmt, ops::Range, sync::Arc, time::Duration};

use async_trait::async_trait;
use bytes::Bytes;
use wadi_protocol::Timestamp;

use crate::{ObjectKey, StoreError};

/// A store shared by everything in a process.
pub type SharedStore = Arc<dyn ObjectStore>;

/// An object store: S3, the embedded store, or memory.
///
/// Every implementation passes one contract-test suite. Reads are linearizable: a read that
/// starts after a write was answered sees it. Every answer carries the store's own `date`,
/// the only time that decisions about the log may rest on.
#[async_trait]
pub trait ObjectStore: fmt::Debug + Send + Sync {
    /// Reads an object, or a range of it.
    async fn get(&self, key: &ObjectKey, options: GetOptions) -> Result<GetOutcome, StoreError>;

    /// Writes an object whole, if `condition` holds at the moment of writing.
    ///
    /// Durable before it answers. Never repeated by the implementation: an answer that is lost
    /// is [`StoreError::Unavailable`], and the caller finds out.
    async fn put(&self, key: &ObjectKey, object: NewObject, condition: PutCondition) -> Result<PutOutcome, StoreError>;

    /// Deletes objects; a key that holds none is no error. Returns the store's date.
    async fn delete_many(&self, keys: &[ObjectKey]) -> Result<Timestamp, StoreError>;

    /// Lists keys in the order the store keeps them, a page at a time.
    async fn list(&self, request: ListRequest) -> Result<Listing, StoreError>;

    /// Begins an object that is written in parts, for one larger than a single request carries.
    ///
    /// Nothing has the key until [`Self::complete_upload`]. Whoever begins an upload completes or aborts it:
    /// what was sent of it takes space until then. The object may later be dated from its beginning, as S3
    /// does it, or from its end.
    async fn begin_upload(&self, key: &ObjectKey, attributes: Attributes) -> Result<Upload, StoreError>;

    /// Sends part `number` of an upload and returns its tag. Parts count from 1 and are sent in order, one
    /// after another; a part that was sent already is replaced, and those after it are to be sent again.
    /// Each but the last has at least [`crate::limits::UPLOAD_PART_BYTES_MIN`].
    async fn put_part(&self, upload: &Upload, number: u32, body: Bytes) -> Result<ObjectTag, StoreError>;

    /// Makes the object of all its parts, whose tags are given in order, where no object has the key.
    /// Durable before it answers. Returns the store's date.
    ///
    /// [`StoreError::Rejected`] with status 412 when the key is taken. Nothing may rely on that: there are servers
    /// that let several win that run at once. It is asked for because a bucket's policy can refuse whatever does
    /// not.
    async fn complete_upload(&self, upload: &Upload, parts: &[ObjectTag]) -> Result<Timestamp, StoreError>;

    /// Drops an upload and its parts; one that is gone is no error.
    async fn abort_upload(&self, upload: &Upload) -> Result<(), StoreError>;

    /// A URL that reads the object without credentials for a while; `None` where the store
    /// has no address of its own.
    async fn presign_get(&self, key: &ObjectKey, valid_for: Duration) -> Result<Option<String>, StoreError>;

    /// How coarse the dates of this store are: an answer's true instant lies in
    /// `[date, date + resolution)`.
    fn date_resolution(&self) -> Duration;
}

/// What to read of an object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GetOptions {
    /// Bytes to read, clamped to the object's end; `None` reads it whole.
    pub range: Option<Range<u64>>,
    /// Answer [`GetOutcome::NotModified`] when the object still has this tag.
    pub if_none_match: Option<ObjectTag>,
}

/// An opaque version tag (S3: the `ETag`): compared for equality, never computed.
///
/// Where a store makes it from the bytes, as S3 does, equal bytes have equal tags: an object that is
/// updated by [`PutCondition::IfMatch`] must never hold the same bytes twice.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ObjectTag(pub String);

/// The answer to a read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GetOutcome {
    /// The object, or the range asked for.
    Found(StoredObject),
    /// The object still has the tag given.
    NotModified {
        /// The store's date of this answer.
        date: Timestamp,
    },
    /// The range starts at or beyond the object's end.
    OutOfRange {
        /// The store's date of this answer.
        date: Timestamp,
    },
    /// No object has this key.
    Missing {
        /// The store's date of this answer.
        date: Timestamp,
    },
}

/// An object as read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredObject {
    /// The bytes asked for.
    pub body: Bytes,
    /// Size of the whole object in bytes.
    pub size: u64,
    /// Its version.
    pub tag: ObjectTag,
    /// The headers it was stored with.
    pub attributes: Attributes,
    /// When it was written, by the store's clock.
    pub last_modified: Timestamp,
    /// The store's date of this answer.
    pub date: Timestamp,
}

/// An object to write.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewObject {
    /// Its bytes.
    pub body: Bytes,
    /// Headers stored with it.
    pub attributes: Attributes,
}

impl From<Bytes> for NewObject {
    fn from(body: Bytes) -> Self {
        Self { body, attributes: Attributes::default() }
    }
}

/// Headers stored with an object and served with it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attributes {
    /// `Content-Type`.
    pub content_type: Option<String>,
    /// `Cache-Control`.
    pub cache_control: Option<String>,
    /// User metadata (`x-amz-meta-*`), by lower-case name without that prefix.
    pub metadata: BTreeMap<String, String>,
}

/// An object that is being written in parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Upload {
    /// The key it will have.
    pub key: ObjectKey,
    /// The store's own name for it.
    pub id: String,
    /// The store's date of the answer that began it.
    pub date: Timestamp,
}

/// When a write may apply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PutCondition {
    /// Only if no object has this key.
    IfAbsent,
    /// Only if the object's current tag is this one.
    IfMatch(ObjectTag),
    /// Always. Never for keys of a log.
    Always,
}

/// The answer to a write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PutOutcome {
    /// Written, durably.
    Stored {
        /// The new version's tag.
        tag: ObjectTag,
        /// The store's date of this answer.
        date: Timestamp,
    },
    /// The condition did not hold (412; also 404 for [`PutCondition::IfMatch`]): nothing changed.
    PreconditionFailed {
        /// The store's date of this answer.
        date: Timestamp,
    },
    /// Another request on this key was under way (409): this one changed nothing.
    Conflict {
        /// The store's date of this answer.
        date: Timestamp,
    },
}

/// A page of a listing to ask for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListRequest {
    /// Only keys that begin with this text.
    pub prefix: String,
    /// Only keys after this one, in the store's order: the last key of the page before.
    pub start_after: Option<ObjectKey>,
    /// Most keys in the page, 1 to 1000.
    pub limit: usize,
}

/// A page of a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    /// The keys.
    pub objects: Vec<ListedObject>,
    /// True when more may follow the last of them.
    pub more: bool,
    /// The store's date of this answer.
    pub date: Timestamp,
}

/// One line of a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedObject {
    /// Its key.
    pub key: ObjectKey,
    /// Its size in bytes.
    pub size: u64,
    /// When it was written, by the store's clock.
    pub last_modified: Timestamp,
}
