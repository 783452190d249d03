//! Snapshots: a publish by its head, and a read.

use http::{HeaderMap, Uri, header};
use wadi_protocol::{
    ByteRange, Code, CommitRequest, ContentType, Digest, Immutable, Incarnation, Offset, PartsRequest, PublishRequest,
    Refusal, RetentionRequest, SnapshotRequest, limits::SNAPSHOT_TYPE_BYTES_MAX, name, state::SnapshotName,
};

use super::{
    conditions::{if_none_match, no_if_match, no_snapshot_condition},
    create::content_type,
    query::ReadQuery,
    read::incarnation,
    rules::{RANGE, SNAPSHOT_DIGEST, SNAPSHOT_PARTS},
};

const INVALID_OFFSET: Refusal =
    Refusal::invalid(Code::InvalidOffset, "The offset in the path must be digits only, at most 18446744073709551615.");
const LONG_TYPE: Refusal = Refusal::invalid(
    Code::InvalidHeader,
    "The Content-Type of a snapshot has at most 1,024 bytes; send a shorter one.",
);
const PINNED_BY_QUERY: Refusal = Refusal::invalid(
    Code::Unsupported,
    "The parameter incarnation is not supported; to pin a life of the stream send the header Stream-Incarnation.",
);

/// What a publish is by its head.
#[derive(Clone, Debug)]
pub(crate) enum Publish {
    /// Its body is the snapshot.
    Whole(PublishHead),
    /// Its body names parts that are staged.
    Parts(CommitRequest),
}

/// Everything of a publish but its body.
#[derive(Clone, Debug)]
pub(crate) struct PublishHead {
    incarnation: Option<Incarnation>,
    offset: Offset,
    content_type: ContentType,
}

impl PublishHead {
    /// Checks in the order of the faults: conditions that are not supported, the offset in the path, the
    /// incarnation, the headers of parts, the content type.
    pub(crate) fn parse(headers: &HeaderMap, offset: &str) -> Result<Publish, Refusal> {
        no_snapshot_condition(headers)?;
        let offset = path_offset(offset)?;
        let incarnation = incarnation(headers)?;
        let of_parts = count_and_digest(headers)?;
        let content_type = content_type(headers)?;
        if content_type.as_str().len() > SNAPSHOT_TYPE_BYTES_MAX {
            return Err(LONG_TYPE);
        }
        Ok(match of_parts {
            None => Publish::Whole(Self { incarnation, offset, content_type }),
            Some((parts, digest)) => {
                let name = SnapshotName { offset, digest };
                Publish::Parts(CommitRequest { incarnation, name, content_type, parts })
            }
        })
    }

    /// The whole publish. Takes time linear in the body.
    pub(crate) fn with_body(self, body: &[u8]) -> PublishRequest {
        PublishRequest::of(self.incarnation, self.offset, self.content_type, body)
    }
}

/// A read of a snapshot. Checks in the order of the faults: the query, conditions that are not supported,
/// the offset in the path, the incarnation, the range.
pub(crate) fn snapshot_request(uri: &Uri, headers: &HeaderMap, offset: &str) -> Result<SnapshotRequest, Refusal> {
    let query = uri.query().unwrap_or_default();
    ReadQuery::parse(query)?;
    if form_urlencoded::parse(query.as_bytes()).any(|(key, _)| key == "incarnation") {
        return Err(PINNED_BY_QUERY);
    }
    no_if_match(headers)?;
    let offset = path_offset(offset)?;
    let incarnation = incarnation(headers)?;
    Ok(SnapshotRequest { offset, incarnation, range: range(headers)?, if_none_match: if_none_match(headers) })
}

/// A read of a snapshot by its immutable URL: its token is the incarnation.
pub(crate) fn immutable_snapshot_request(headers: &HeaderMap, named: Immutable) -> Result<SnapshotRequest, Refusal> {
    no_if_match(headers)?;
    let Immutable { incarnation, offset } = named;
    let range = range(headers)?;
    Ok(SnapshotRequest { offset, incarnation: Some(incarnation), range, if_none_match: if_none_match(headers) })
}

/// Retention. Checks in the order of the faults: conditions that are not supported, the offset in the path,
/// the incarnation.
pub(crate) fn retention_request(headers: &HeaderMap, offset: &str) -> Result<RetentionRequest, Refusal> {
    no_snapshot_condition(headers)?;
    let offset = path_offset(offset)?;
    Ok(RetentionRequest { incarnation: incarnation(headers)?, offset })
}

/// Staging of a part. Checks in the order of the faults, as [`retention_request`] does.
pub(crate) fn stage_request(headers: &HeaderMap, offset: &str) -> Result<PartsRequest, Refusal> {
    let RetentionRequest { incarnation, .. } = retention_request(headers, offset)?;
    Ok(PartsRequest { incarnation })
}

/// Discarding of what is staged.
pub(crate) fn discard_request(headers: &HeaderMap) -> Result<PartsRequest, Refusal> {
    no_snapshot_condition(headers)?;
    Ok(PartsRequest { incarnation: incarnation(headers)? })
}

/// The headers that make a publish one of parts: how many, and the digest of the whole. A digest alone says
/// nothing.
fn count_and_digest(headers: &HeaderMap) -> Result<Option<(u64, Digest)>, Refusal> {
    if !headers.contains_key(name::STREAM_SNAPSHOT_PARTS) {
        return Ok(None);
    }
    // Sent twice is as malformed as any other value.
    let count = SNAPSHOT_PARTS.parse(headers, |text| CommitRequest::parse_count(text).ok_or(()));
    let count = count.ok().flatten().ok_or(SNAPSHOT_PARTS.malformed())?;
    let digest = SNAPSHOT_DIGEST.parse(headers, Digest::parse);
    let digest = digest.ok().flatten().ok_or(SNAPSHOT_DIGEST.malformed())?;
    Ok(Some((count, digest)))
}

/// The offset in a path: digits only, padded or not.
fn path_offset(text: &str) -> Result<Offset, Refusal> {
    Offset::parse_decimal(text).map_err(|_| INVALID_OFFSET)
}

/// `Range`, unless it is to be ignored. `If-Range` makes it so: no range is ever partial to a version.
fn range(headers: &HeaderMap) -> Result<Option<ByteRange>, Refusal> {
    let value = RANGE.value(headers)?.filter(|_| !headers.contains_key(header::IF_RANGE));
    Ok(value.and_then(|value| ByteRange::parse(value.to_str().ok()?)))
}
