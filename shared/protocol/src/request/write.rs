//! An append, an append-and-close, or a close.

use super::{ContentFault, Payload, TypeMatch};
use crate::{IfMatch, Incarnation, ProducerKey, StreamSeq};

/// A request to append to a stream, to close it, or both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteRequest {
    /// `Stream-Incarnation`.
    pub incarnation: Option<Incarnation>,
    /// `If-Match`.
    pub if_match: Option<IfMatch>,
    /// The producer headers and `Producer-Digest`.
    pub producer: Option<ProducerKey>,
    /// `Stream-Seq`.
    pub stream_seq: Option<StreamSeq>,
    /// `Stream-Closed: true`.
    pub closes: bool,
    /// The body, or what is wrong with it.
    pub content: Result<Payload, ContentFault>,
    /// How the body's type is compared with the stream's.
    pub type_match: TypeMatch,
}

impl WriteRequest {
    /// The fault for which an unkeyed write is refused before its stream is even looked up.
    pub fn fault_before_lookup(&self) -> Option<ContentFault> {
        match &self.content {
            _ if self.producer.is_some() => None,
            Err(fault) => Some(fault.clone()),
            Ok(Payload::Empty) if !self.closes => Some(ContentFault::EmptyAppend),
            Ok(_) => None,
        }
    }

    /// Bytes it would add.
    pub fn bytes(&self) -> usize {
        match &self.content {
            Ok(Payload::Bytes { text, .. }) => text.len(),
            _ => 0,
        }
    }
}
