//! The create operation, kept in the manifest for the life of the stream.

use serde::{Deserialize, Serialize};

use crate::{ContentType, Incarnation, Lifetime, StreamSeq, Timestamp};

/// How an incarnation of a stream began.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Genesis {
    /// The token of this life of the stream.
    pub incarnation: Incarnation,
    /// The type of its bytes, in normal form.
    pub content_type: ContentType,
    /// When it ends by itself.
    pub lifetime: Lifetime,
    /// Created closed.
    pub closed: bool,
    /// Created with bytes: they are the first record of its log.
    pub has_initial_bytes: bool,
    /// The `Stream-Seq` it was created with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stream_seq: Option<StreamSeq>,
    /// When it was created, by the store's clock.
    pub at: Timestamp,
}
