//! The slots of one log: reading them, and the payloads of their records.

use std::sync::Arc;

use bytes::Bytes;
use wadi_protocol::Timestamp;
use wadi_store::{GetOptions, GetOutcome, NewObject, ObjectKey, PutCondition, PutOutcome, StoreError, StoredObject};

use super::{
    Bucket, LogError, Position, Record,
    record::{Body, Parsed},
};
use crate::{
    layout::{body_key, slot_key},
    limits::{RECORD_BYTES_MAX, SLOT_FIRST_BYTES},
};

/// The slots below one prefix of the bucket.
#[derive(Clone, Debug)]
pub(crate) struct Slots {
    pub(super) bucket: Arc<Bucket>,
    prefix: Arc<str>,
}

/// A record found in a slot.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) record: Record,
    /// When it landed.
    pub(crate) landed: Timestamp,
}

/// What a slot holds.
#[derive(Clone, Debug)]
pub(crate) enum Slot {
    Missing { date: Timestamp },
    Found(Box<Found>),
}

impl Slots {
    /// The slots of the log at `prefix`: `{prefix}/log/{seq}.rec`, bodies at `{prefix}/body/{id}`.
    pub(crate) fn new(bucket: Arc<Bucket>, prefix: &str) -> Self {
        Self { bucket, prefix: prefix.into() }
    }

    /// The key of a slot.
    pub(super) fn key(&self, seq: u64) -> ObjectKey {
        slot_key(&self.prefix, seq)
    }

    /// Reads a slot on behalf of a state that stands at `position`. An answer that the state
    /// cannot vouch for is [`LogError::Stale`].
    pub(crate) async fn read(&self, position: &Position, seq: u64) -> Result<Slot, LogError> {
        let key = self.key(seq);
        let first = GetOptions { range: Some(0..SLOT_FIRST_BYTES), if_none_match: None };
        let (mut object, mut date) = match self.bucket.get(&key, first).await? {
            GetOutcome::Found(object) => (object.clone(), object.date),
            GetOutcome::Missing { date } => return believed(position, date).map(|()| Slot::Missing { date }),
            other => return Err(LogError::Damaged(format!("{key}: unexpected answer {other:?}"))),
        };
        believed(position, date)?;
        let record = loop {
            match Record::parse(&object.body, object.size).map_err(|error| at_key(&key, error))? {
                Parsed::Whole(record) => break *record,
                Parsed::Short => {
                    object = self.read_whole(&key).await?;
                    date = object.date;
                }
            }
        };
        believed(position, date)?;
        if record.header.seq != seq {
            return Err(LogError::Damaged(format!("{key} holds the record of slot {}", record.header.seq)));
        }
        Ok(Slot::Found(Box::new(Found { record, landed: object.last_modified })))
    }

    /// The payload of a record, verified. `Ok(None)`: it is gone, so what named it is out of date.
    pub(crate) async fn payload(&self, seq: u64, body: &Body) -> Result<Option<Bytes>, LogError> {
        let (key, inline) = match &body.object {
            Some(id) => (body_key(&self.prefix, id), false),
            None => (self.key(seq), true),
        };
        let Some(object) = self.read_if_there(&key).await? else { return Ok(None) };
        let payload =
            if inline { inline_payload(&object, body)? } else { Some(object.body).filter(|bytes| body.is(bytes)) };
        payload.map(Some).ok_or_else(|| LogError::Damaged(format!("{key} does not hold the payload that was named")))
    }

    /// Stores a payload as an object of its own, for a record to name. Returns the store's date.
    pub(crate) async fn put_body(&self, id: &str, payload: Bytes) -> Result<Timestamp, StoreError> {
        match self.bucket.put(&body_key(&self.prefix, id), NewObject::from(payload), PutCondition::IfAbsent).await? {
            PutOutcome::Stored { date, .. } => Ok(date),
            PutOutcome::PreconditionFailed { .. } | PutOutcome::Conflict { .. } => {
                Err(StoreError::Unavailable { reason: "the key of a body was taken".to_owned() })
            }
        }
    }

    async fn read_whole(&self, key: &ObjectKey) -> Result<StoredObject, LogError> {
        self.read_if_there(key).await?.ok_or_else(|| LogError::Broken(format!("{key} vanished while it was read")))
    }

    async fn read_if_there(&self, key: &ObjectKey) -> Result<Option<StoredObject>, LogError> {
        // A range, so that an object larger than any record costs bounded memory.
        let range = GetOptions { range: Some(0..RECORD_BYTES_MAX), if_none_match: None };
        match self.bucket.get(key, range).await? {
            GetOutcome::Found(object) if object.size == object.body.len() as u64 => Ok(Some(object)),
            GetOutcome::Missing { .. } => Ok(None),
            _ => Err(LogError::Damaged(format!("{key} does not have the size of a record"))),
        }
    }
}

/// The payload that a record carries, if it is the one described.
fn inline_payload(object: &StoredObject, body: &Body) -> Result<Option<Bytes>, LogError> {
    match Record::parse(&object.body, object.size)? {
        // Parsing has compared the payload with its header.
        Parsed::Whole(record) if record.header.payload == *body => Ok(record.payload),
        Parsed::Whole(_) | Parsed::Short => Ok(None),
    }
}

fn believed(position: &Position, date: Timestamp) -> Result<(), LogError> {
    if position.vouches_for(date) { Ok(()) } else { Err(LogError::Stale) }
}

fn at_key(key: &ObjectKey, error: LogError) -> LogError {
    match error {
        LogError::Damaged(why) => LogError::Damaged(format!("{key}: {why}")),
        error => error,
    }
}
