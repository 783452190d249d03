//! A record as the ghost sees it, parsed independently of the engine.

use bytes::Bytes;
use serde::Deserialize;
use wadi_protocol::{Digest, Operation, Summary, Timestamp, state::Snapshot};

use super::{When, snapshots::is_body_of};
use crate::violation::Violation;

/// A true record of a log.
#[derive(Clone, Debug)]
pub(crate) struct GhostRecord {
    pub(crate) seq: u64,
    pub(crate) id: String,
    pub(crate) prev: String,
    pub(crate) at: Timestamp,
    pub(crate) operations: Vec<Operation>,
    pub(crate) summary: Summary,
    pub(crate) payload: Bytes,
    /// The body object it names.
    pub(crate) object: Option<String>,
    pub(crate) when: When,
}

#[derive(Deserialize)]
struct Header {
    seq: u64,
    id: String,
    prev: String,
    at: Timestamp,
    payload: Payload,
    content: Content,
}

#[derive(Deserialize)]
struct Payload {
    bytes: u64,
    blake3: Digest,
    object: Option<String>,
}

#[derive(Deserialize)]
struct Content {
    operations: Vec<Operation>,
    state: Summary,
}

impl GhostRecord {
    /// Parses the object of a slot.
    pub(crate) fn parse(
        object: &Bytes,
        seq: u64,
        when: When,
        body: impl Fn(&str) -> Option<Bytes>,
    ) -> Result<Self, Violation> {
        let broken = |what: String| Violation::new("records describe themselves", format!("slot {seq}: {what}"));
        let end = object.iter().position(|byte| *byte == b'\n').ok_or_else(|| broken("no header line".to_owned()))?;
        let header: Header = serde_json::from_slice(&object[..end]).map_err(|error| broken(error.to_string()))?;
        let payload = match &header.payload.object {
            None => object.slice(end + 1..),
            Some(id) => body(id).ok_or_else(|| broken(format!("names the body {id}, which was never stored")))?,
        };
        if payload.len() as u64 != header.payload.bytes || Digest::of(&payload) != header.payload.blake3 {
            return Err(broken("the payload is not the one that the header describes".to_owned()));
        }
        if header.seq != seq {
            return Err(broken(format!("the record says it is number {}", header.seq)));
        }
        Ok(Self {
            seq,
            id: header.id,
            prev: header.prev,
            at: header.at,
            operations: header.content.operations,
            summary: header.content.state,
            payload,
            object: header.payload.object,
            when,
        })
    }

    /// The body objects that it names: that of its payload, and those of its snapshots.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = &str> {
        self.object.as_deref().into_iter().chain(self.snapshots().map(|snapshot| &*snapshot.object))
    }

    /// Whether the bodies of its snapshots are what it says of them.
    pub(crate) fn check_snapshots(&self, body: impl Fn(&str) -> Option<Bytes>) -> Result<(), Violation> {
        let stored = |snapshot: &Snapshot| body(&snapshot.object).is_some_and(|body| is_body_of(snapshot, &body));
        match self.snapshots().find(|snapshot| !stored(snapshot)) {
            Some(snapshot) => {
                let what = format!("slot {}: {} is not the body of its snapshot", self.seq, snapshot.object);
                Err(Violation::new("records describe themselves", what))
            }
            None => Ok(()),
        }
    }

    fn snapshots(&self) -> impl Iterator<Item = &Snapshot> {
        self.operations.iter().filter_map(|operation| match operation {
            Operation::Snapshot(snapshot) => Some(snapshot),
            _ => None,
        })
    }
}
