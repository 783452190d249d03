//! The body of a write, and what can be wrong with it.

use bytes::Bytes;
use thiserror::Error;

use crate::{ContentType, Digest, InvalidJson, json::split_messages};

/// A body as it will be stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Payload {
    /// No bytes were sent.
    Empty,
    /// Bytes were sent.
    Bytes {
        /// The type they were sent with.
        content_type: ContentType,
        /// As stored: JSON in message text, anything else as sent. Empty only for a create with
        /// an empty JSON array.
        text: Bytes,
        /// JSON messages, or 1.
        messages: u64,
    },
}

/// What is wrong with a body. An unkeyed write is refused for it before anything else is looked
/// at; a keyed one only where it would apply, so that a repeat is answered whatever its body.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ContentFault {
    /// `Producer-Digest` is of another body.
    #[error("Producer-Digest is not the BLAKE3-256 hash of the body received; send the body it was computed from")]
    DigestMismatch,
    /// A body without a type.
    #[error("a request with a body needs a Content-Type header; send the stream's own content type")]
    MissingContentType,
    /// A type that is no media type.
    #[error("Content-Type is not a media type of the form type/subtype")]
    InvalidContentType,
    /// Not JSON, or no messages.
    #[error("the body is not one valid JSON value: {0}")]
    InvalidJson(InvalidJson),
    /// An array without elements.
    #[error("an empty JSON array appends nothing; send at least one message")]
    NoMessages,
    /// No bytes and no close.
    #[error("an append needs a body; send Stream-Closed: true to close the stream without one")]
    EmptyAppend,
}

impl Payload {
    /// Prepares a raw body for an append, by its own `Content-Type` (never the stream's).
    ///
    /// `digest`: the `Producer-Digest` sent with it, compared with the raw body.
    pub fn of_append(content_type: Option<&str>, digest: Option<&Digest>, body: Bytes) -> Result<Self, ContentFault> {
        if digest.is_some_and(|sent| *sent != Digest::of(&body)) {
            return Err(ContentFault::DigestMismatch);
        }
        if body.is_empty() {
            return Ok(Self::Empty);
        }
        let content_type =
            content_type.filter(|text| !text.trim().is_empty()).ok_or(ContentFault::MissingContentType)?;
        let content_type = ContentType::parse(content_type).map_err(|_| ContentFault::InvalidContentType)?;
        match Self::of_typed(content_type, body)? {
            Self::Bytes { messages: 0, .. } => Err(ContentFault::NoMessages),
            payload => Ok(payload),
        }
    }

    /// Prepares a raw body whose type is known: the initial bytes of a create, where an empty JSON
    /// array is an empty stream.
    pub fn of_typed(content_type: ContentType, body: Bytes) -> Result<Self, ContentFault> {
        if body.is_empty() {
            return Ok(Self::Empty);
        }
        if !content_type.is_json() {
            return Ok(Self::Bytes { content_type, text: body, messages: 1 });
        }
        let messages = split_messages(&body).map_err(ContentFault::InvalidJson)?;
        Ok(Self::Bytes { content_type, text: messages.text, messages: messages.count })
    }
}

/// How the content type of a request is compared with the stream's: a matter of the dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeMatch {
    /// Normal forms are equal, parameters included.
    Exact,
    /// Media types are equal; parameters are ignored.
    MediaType,
}

impl TypeMatch {
    /// Compares the stream's type with a request's.
    pub fn same(self, stream: &ContentType, request: &ContentType) -> bool {
        match self {
            Self::Exact => stream.matches_exactly(request),
            Self::MediaType => stream.matches_media_type(request),
        }
    }
}
