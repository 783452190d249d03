//! A create: what its head says, and then its body.

use bytes::Bytes;
use http::HeaderMap;
use wadi_protocol::{
    Code, ContentType, CreateRequest, Incarnation, InvalidTtl, Lifetime, Payload, Refusal, StreamSeq, TypeMatch,
};

use super::{
    conditions::only_if_missing,
    producer::no_producer_key,
    read::incarnation,
    rules::{CONTENT_TYPE, STREAM_EXPIRES_AT, STREAM_SEQ, STREAM_TTL, stream_closed},
};

const TWO_LIFETIMES: Refusal =
    Refusal::invalid(Code::InvalidHeader, "Stream-TTL and Stream-Expires-At exclude each other; send one of them.");
const TTL_TOO_LONG: Refusal =
    Refusal::invalid(Code::InvalidRetention, "Stream-TTL is too long; a stream without it lives until it is deleted.");

/// Everything of a create but its body.
#[derive(Clone, Debug)]
pub(crate) struct CreateHead {
    only_if_missing: bool,
    lifetime: Result<Lifetime, Refusal>,
    incarnation: Option<Incarnation>,
    stream_seq: Option<StreamSeq>,
    closed: bool,
    content_type: ContentType,
}

/// A whole create.
#[derive(Clone, Debug)]
pub(crate) struct Creation {
    /// The request; its lifetime is the default one where the one asked for is refused.
    pub(crate) request: CreateRequest,
    /// What is wrong with the lifetime. Told only to who names the right incarnation.
    pub(crate) late_fault: Option<Refusal>,
}

impl CreateHead {
    /// Checks the headers in the order of their faults: conditions that are not supported, the
    /// lifetime, the incarnation, `Stream-Seq`, producer headers, which a create does not take, and
    /// the content type.
    pub(crate) fn parse(headers: &HeaderMap) -> Result<Self, Refusal> {
        let only_if_missing = only_if_missing(headers)?;
        let lifetime = lifetime(headers)?;
        let incarnation = incarnation(headers)?;
        let stream_seq = STREAM_SEQ.parse(headers, StreamSeq::parse)?.flatten();
        no_producer_key(headers)?;
        let closed = stream_closed(headers)?;
        let content_type = content_type(headers)?;
        Ok(Self { only_if_missing, lifetime, incarnation, stream_seq, closed, content_type })
    }

    /// The whole create. Examines the body: takes time linear in it.
    pub(crate) fn with_body(self, body: Bytes, type_match: TypeMatch) -> Result<Creation, Refusal> {
        let (text, messages) = match Payload::of_typed(self.content_type.clone(), body)? {
            Payload::Empty => (Bytes::new(), 0),
            Payload::Bytes { text, messages, .. } => (text, messages),
        };
        let late_fault = self.lifetime.as_ref().err().cloned();
        let request = CreateRequest {
            incarnation: self.incarnation,
            only_if_missing: self.only_if_missing,
            content_type: self.content_type,
            type_match,
            lifetime: self.lifetime.unwrap_or_default(),
            closed: self.closed,
            stream_seq: self.stream_seq,
            text,
            messages,
        };
        Ok(Creation { request, late_fault })
    }
}

/// `Stream-TTL` or `Stream-Expires-At`. A time-to-live too long to be counted in milliseconds is a
/// fault of its own, told late.
fn lifetime(headers: &HeaderMap) -> Result<Result<Lifetime, Refusal>, Refusal> {
    let ttl = STREAM_TTL.parse(headers, |text| match Lifetime::ttl(text) {
        Err(InvalidTtl::Overflow) => Ok(Err(TTL_TOO_LONG)),
        Err(InvalidTtl::Malformed(fault)) => Err(fault),
        Ok(lifetime) => Ok(Ok(lifetime)),
    })?;
    let until = STREAM_EXPIRES_AT.parse(headers, Lifetime::until)?;
    match (ttl, until) {
        (Some(_), Some(_)) => Err(TWO_LIFETIMES),
        (Some(ttl), None) => Ok(ttl),
        (None, Some(until)) => Ok(Ok(until)),
        (None, None) => Ok(Ok(Lifetime::Forever)),
    }
}

/// A missing or blank type is that of plain bytes.
pub(super) fn content_type(headers: &HeaderMap) -> Result<ContentType, Refusal> {
    let parse = |text: &str| match text {
        "" => Ok(ContentType::octet_stream()),
        text => ContentType::parse(text),
    };
    Ok(CONTENT_TYPE.parse(headers, parse)?.unwrap_or_else(ContentType::octet_stream))
}
