//! An append or a close: what its head says, and then its body.

use bytes::Bytes;
use http::HeaderMap;
use wadi_protocol::{IfMatch, Incarnation, Payload, ProducerKey, Refusal, StreamSeq, TypeMatch, WriteRequest};

use super::{
    conditions::{if_match, no_if_none_match, no_record_match},
    producer::producer_key,
    read::incarnation,
    rules::{CONTENT_TYPE, STREAM_SEQ, stream_closed},
};

/// Everything of a write but its body.
#[derive(Clone, Debug)]
pub(crate) struct WriteHead {
    incarnation: Option<Incarnation>,
    if_match: Option<IfMatch>,
    producer: Option<ProducerKey>,
    stream_seq: Option<StreamSeq>,
    closes: bool,
    content_type: Option<String>,
}

impl WriteHead {
    /// Checks the headers in the order of their faults: conditions that are not supported, the
    /// incarnation, the producer, `Stream-Seq`, then those that can only be wrong by being sent twice.
    pub(crate) fn parse(headers: &HeaderMap) -> Result<Self, Refusal> {
        no_record_match(headers)?;
        no_if_none_match(headers)?;
        let incarnation = incarnation(headers)?;
        let producer = producer_key(headers)?;
        let stream_seq = STREAM_SEQ.parse(headers, StreamSeq::parse)?.flatten();
        let closes = stream_closed(headers)?;
        // A type that is not even text is kept as what it is: no media type. It is a fault of the
        // content, and a close without a body has none.
        let content_type = CONTENT_TYPE.value(headers)?;
        let content_type = content_type.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
        Ok(Self { incarnation, if_match: if_match(headers), producer, stream_seq, closes, content_type })
    }

    /// The whole write. Examines the body: takes time linear in it.
    pub(crate) fn with_body(self, body: Bytes, type_match: TypeMatch) -> WriteRequest {
        let digest = self.producer.as_ref().and_then(|key| key.digest.as_ref());
        let content = Payload::of_append(self.content_type.as_deref(), digest, body);
        WriteRequest {
            incarnation: self.incarnation,
            if_match: self.if_match,
            producer: self.producer,
            stream_seq: self.stream_seq,
            closes: self.closes,
            content,
            type_match,
        }
    }
}
