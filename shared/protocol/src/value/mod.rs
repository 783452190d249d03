//! The values of the wire contract, each with one constructor that parses it: whoever holds one
//! holds a valid one. Every value deserialises through the same checks.

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod byte_range;
mod condition;
mod content_type;
mod decimal;
mod digest;
mod etag;
mod header_text;
mod immutable;
mod incarnation;
mod key_text;
mod lifetime;
pub mod limits;
mod malformed;
mod name;
mod offset;
mod part_id;
mod path;
mod percent;
mod producer;
mod rfc3339;
mod snapshot_digest;
mod stream_seq;
mod tag_list;
mod time;

pub use byte_range::ByteRange;
pub use condition::{IfMatch, IfNoneMatch};
pub use content_type::ContentType;
pub use digest::Digest;
pub use etag::{End, EndTag, ReadTag};
pub use immutable::Immutable;
pub use incarnation::Incarnation;
pub use lifetime::{InvalidTtl, Lifetime};
pub use malformed::Malformed;
pub use name::{Account, StreamKey, StreamName};
pub use offset::{Offset, ReadFrom};
pub use part_id::PartId;
pub use path::{
    InvalidName, Resource, Target, encode_hosted, encode_upstream, ends_like_sub_resource, parse_hosted, parse_upstream,
};
pub use producer::{Epoch, ProducerId, ProducerKey, ProducerSeq};
pub use snapshot_digest::SnapshotDigest;
pub use stream_seq::StreamSeq;
pub use time::Timestamp;
