//! The envelope of a record: one line of JSON, LF, then the raw payloads of its operations.

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use wadi_protocol::{Digest, Timestamp};

use super::LogError;

/// The record format of this release.
const FORMAT: u32 = 1;

/// `,"check":"` + 16 hex digits + `"}`: the end of every header line.
const CHECK_BYTES: usize = 28;

/// The random id of a record; the log's root is named by the token of its incarnation.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RecordId(String);

impl RecordId {
    /// An id of 128 random bits.
    pub fn from_random(high: u64, low: u64) -> Self {
        Self(format!("{high:016x}{low:016x}"))
    }

    /// The root of a log: what its first record names as its predecessor.
    pub fn root(name: impl std::fmt::Display) -> Self {
        Self(name.to_string())
    }

    /// The id's text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The header of a record. What `content` means is the upper floor's business.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Header {
    format: u32,
    /// Its slot.
    pub(crate) seq: u64,
    /// Its id.
    pub(crate) id: RecordId,
    /// The id of the record before.
    pub(crate) prev: RecordId,
    /// Its date: at least that of the record before.
    pub(crate) at: Timestamp,
    /// What the payload must be.
    pub(crate) payload: Body,
    /// The operations with their results, and the small state after them.
    pub(crate) content: Box<RawValue>,
    #[serde(default, skip_serializing)]
    #[allow(dead_code, reason = "verified on the raw line before parsing; here so that parsing accepts it")]
    check: Option<String>,
}

/// Where a record's payload is and what it must hash to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Body {
    /// Length in bytes.
    pub(crate) bytes: u64,
    /// BLAKE3-256.
    pub(crate) blake3: Digest,
    /// The body object that holds it; `None` when it follows the header.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) object: Option<String>,
}

impl Body {
    /// Describes a payload.
    pub(crate) fn of(payload: &[u8], object: Option<String>) -> Self {
        Self { bytes: payload.len() as u64, blake3: Digest::of(payload), object }
    }

    /// Whether these bytes are the payload described.
    pub(crate) fn is(&self, payload: &[u8]) -> bool {
        payload.len() as u64 == self.bytes && Digest::of(payload) == self.blake3
    }
}

/// A record to be written.
#[derive(Debug)]
pub(crate) struct Draft {
    pub(crate) seq: u64,
    pub(crate) id: RecordId,
    pub(crate) prev: RecordId,
    pub(crate) at: Timestamp,
    pub(crate) content: Box<RawValue>,
    pub(crate) payload: Bytes,
    /// The body object that already holds the payload.
    pub(crate) object: Option<String>,
}

impl Draft {
    /// The object to write, and the header it starts with.
    pub(crate) fn encode(&self) -> Result<(Bytes, Header), LogError> {
        let header = Header {
            format: FORMAT,
            seq: self.seq,
            id: self.id.clone(),
            prev: self.prev.clone(),
            at: self.at,
            payload: Body::of(&self.payload, self.object.clone()),
            content: self.content.clone(),
            check: None,
        };
        let inline: &[u8] = if self.object.is_none() { &self.payload } else { &[] };
        let mut object = Vec::with_capacity(self.content.get().len() + 512 + inline.len());
        serde_json::to_writer(&mut object, &header).map_err(|error| LogError::Damaged(error.to_string()))?;
        object.pop();
        let check = check_of(&object);
        object.extend_from_slice(format!(",\"check\":\"{check}\"}}\n").as_bytes());
        object.extend_from_slice(inline);
        Ok((object.into(), header))
    }
}

/// A record as read.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    pub(crate) header: Header,
    /// The payload, verified; `None` when it lies elsewhere or was not read whole.
    pub(crate) payload: Option<Bytes>,
}

/// What came of parsing the first bytes of a record.
#[derive(Debug)]
pub(crate) enum Parsed {
    Whole(Box<Record>),
    /// The header does not end within the bytes given.
    Short,
}

impl Record {
    /// Parses the beginning of a record, `object_bytes` long in all. Verifies the header's check,
    /// and the payload's hash when it is there whole.
    pub(crate) fn parse(bytes: &Bytes, object_bytes: u64) -> Result<Parsed, LogError> {
        let whole = bytes.len() as u64 == object_bytes;
        let Some(line_end) = memchr::memchr(b'\n', bytes) else {
            return if whole { Err(LogError::Damaged("no header line".to_owned())) } else { Ok(Parsed::Short) };
        };
        let header = parse_line(&bytes[..line_end])?;
        let rest = bytes.slice(line_end + 1..);
        let payload = match (&header.payload.object, whole) {
            (Some(_), _) | (None, false) => None,
            (None, true) if header.payload.is(&rest) => Some(rest),
            (None, true) => return Err(LogError::Damaged("the payload is not the one its header names".to_owned())),
        };
        Ok(Parsed::Whole(Box::new(Self { header, payload })))
    }
}

fn parse_line(line: &[u8]) -> Result<Header, LogError> {
    #[derive(Deserialize)]
    struct Versioned {
        format: u32,
    }
    let damaged = |error: serde_json::Error| LogError::Damaged(format!("header: {error}"));
    // The version is looked at first: the check, too, is a rule of this version only.
    let Versioned { format } = serde_json::from_slice(line).map_err(damaged)?;
    if format != FORMAT {
        return Err(LogError::UnknownFormat(format));
    }
    let checked = line.len().checked_sub(CHECK_BYTES).map(|at| line.split_at(at));
    match checked {
        Some((text, check)) if check == format!(",\"check\":\"{}\"}}", check_of(text)).as_bytes() => {}
        _ => return Err(LogError::Damaged("the header fails its check".to_owned())),
    }
    serde_json::from_slice(line).map_err(damaged)
}

/// The first 64 bits of the BLAKE3 hash of the line up to its check.
pub(crate) fn check_of(text: &[u8]) -> String {
    let hash = Digest::of(text);
    let first = hash.as_bytes().first_chunk().copied().unwrap_or_default();
    format!("{:016x}", u64::from_be_bytes(first))
}
