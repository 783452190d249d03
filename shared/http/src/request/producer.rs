//! The producer headers: all three or none, and a digest only with them.

use http::HeaderMap;
use wadi_protocol::{Code, Digest, Epoch, ProducerId, ProducerKey, ProducerSeq, Refusal};

use super::rules::{PRODUCER_DIGEST, PRODUCER_EPOCH, PRODUCER_ID, PRODUCER_SEQ};

const INCOMPLETE: Refusal = Refusal::invalid(
    Code::InvalidProducer,
    "Producer-Id, Producer-Epoch and Producer-Seq belong together: send all three, or none of them and no Producer-Digest.",
);
const NOT_HERE: Refusal =
    Refusal::invalid(Code::InvalidProducer, "A create takes no producer headers; send them with an append.");

/// The key of a write, if it has one.
pub(crate) fn producer_key(headers: &HeaderMap) -> Result<Option<ProducerKey>, Refusal> {
    let id = PRODUCER_ID.parse(headers, ProducerId::parse)?;
    let epoch = PRODUCER_EPOCH.parse(headers, Epoch::parse)?;
    let seq = PRODUCER_SEQ.parse(headers, ProducerSeq::parse)?;
    let digest = PRODUCER_DIGEST.parse(headers, Digest::parse)?;
    match (id, epoch, seq, digest) {
        (Some(id), Some(epoch), Some(seq), digest) => Ok(Some(ProducerKey { id, epoch, seq, digest })),
        (None, None, None, None) => Ok(None),
        _ => Err(INCOMPLETE),
    }
}

/// Refuses a request that is made safe to repeat in another way and would not honour a key.
pub(crate) fn no_producer_key(headers: &HeaderMap) -> Result<(), Refusal> {
    match producer_key(headers)? {
        Some(_) => Err(NOT_HERE),
        None => Ok(()),
    }
}
