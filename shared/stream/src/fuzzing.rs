//! The codec of records, for fuzz targets and benchmarks. Not part of the interface.

use bytes::Bytes;
use serde_json::value::RawValue;
use wadi_protocol::Timestamp;

use crate::log::{Draft, Parsed, Record, RecordId, check_of};

/// What came of reading the beginning of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Read {
    /// The header was read; the payload only where all of the object was there and it is not elsewhere.
    Whole {
        /// What the header says of slot, predecessor, date and payload, and its content.
        header: String,
        /// The payload.
        payload: Option<Bytes>,
        /// The object that this record is written as; `None` where its payload was not read.
        again: Option<Bytes>,
    },
    /// The header does not end within the bytes given.
    Short,
    /// It is no record.
    Refused,
}

/// Reads the beginning of a record, of an object that is `object_bytes` long in all.
pub fn read_record(bytes: &Bytes, object_bytes: u64) -> Read {
    match Record::parse(bytes, object_bytes) {
        Err(_) => Read::Refused,
        Ok(Parsed::Short) => Read::Short,
        Ok(Parsed::Whole(record)) => {
            let Record { header, payload } = *record;
            let again = again(&header, payload.as_ref());
            let header =
                format!("{:?}", (header.seq, header.id, header.prev, header.at, header.payload, header.content));
            Read::Whole { header, payload, again }
        }
    }
}

/// The object of a first record with this content, as JSON, and this payload; `None` if it is no JSON.
pub fn write_record(content: &str, payload: Bytes) -> Option<Bytes> {
    let draft = Draft {
        seq: 1,
        id: RecordId::from_random(1, 2),
        prev: RecordId::root("root"),
        at: Timestamp::EPOCH,
        content: RawValue::from_string(content.to_owned()).ok()?,
        payload,
        object: None,
    };
    draft.encode().ok().map(|(object, _)| object)
}

/// Whether a whole object is a record: its check and its payload's hash are verified.
pub fn is_record(object: &Bytes) -> bool {
    matches!(Record::parse(object, object.len() as u64), Ok(Parsed::Whole(_)))
}

fn again(header: &crate::log::Header, payload: Option<&Bytes>) -> Option<Bytes> {
    let draft = Draft {
        seq: header.seq,
        id: header.id.clone(),
        prev: header.prev.clone(),
        at: header.at,
        content: header.content.clone(),
        payload: payload?.clone(),
        object: None,
    };
    draft.encode().ok().map(|(object, _)| object)
}

/// The object with the line of its header made to pass its check: what follows `,"check":` is replaced.
pub fn with_check(object: &[u8]) -> Vec<u8> {
    let end = memchr::memchr(b'\n', object).unwrap_or(object.len());
    let (line, rest) = object.split_at(end);
    let at = memchr::memmem::rfind(line, b",\"check\":").unwrap_or(line.len());
    let text = &line[..at];
    [text, format!(",\"check\":\"{}\"}}", check_of(text)).as_bytes(), rest].concat()
}
