//! A create.

use bytes::Bytes;

use super::TypeMatch;
use crate::{ContentType, Incarnation, Lifetime, StreamSeq};

/// A request to create a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CreateRequest {
    /// `Stream-Incarnation`: the life of the stream that must exist already.
    pub incarnation: Option<Incarnation>,
    /// `If-None-Match: *`: refuse when the stream exists, whatever it is.
    pub only_if_missing: bool,
    /// `Content-Type`, or `application/octet-stream`.
    pub content_type: ContentType,
    /// How the type is compared with that of a stream that exists.
    pub type_match: TypeMatch,
    /// `Stream-TTL` or `Stream-Expires-At`.
    pub lifetime: Lifetime,
    /// `Stream-Closed: true`.
    pub closed: bool,
    /// `Stream-Seq`.
    pub stream_seq: Option<StreamSeq>,
    /// The initial bytes as stored; empty for none.
    pub text: Bytes,
    /// Messages in them.
    pub messages: u64,
}
