//! Requests about snapshots, as clients draw them.

use bytes::Bytes;
use wadi_protocol::{
    ByteRange, ContentType, IfNoneMatch, Incarnation, Offset, PublishRequest, SnapshotRequest,
    limits::BOOTSTRAP_BYTES_MAX, state::SnapshotName,
};

use super::requests::filler;
use crate::{
    history::{Ask, BootstrapRequest},
    random::Rng,
    world::World,
};

/// A snapshot at `offset` of a body that nobody else sends, unless it is empty.
pub(crate) fn publish_request(world: &World, rng: &mut Rng, incarnation: Option<Incarnation>, offset: Offset) -> Ask {
    let number = world.body_number();
    let body = match rng.below(20) {
        0 => Bytes::new(),
        _ => Bytes::from(format!("[{number}:{}]", "s".repeat(filler(world, rng)))),
    };
    let typed = if rng.percent(80) { "application/octet-stream" } else { "text/plain" };
    let content_type = ContentType::parse(typed).unwrap_or_else(|_| ContentType::octet_stream());
    Ask::Publish(PublishRequest::of(incarnation, offset, content_type, &body), body)
}

/// A read of the snapshot at `offset`: all of it or a part, unless the client has `known`.
pub(crate) fn snapshot_request(rng: &mut Rng, offset: Offset, known: Option<SnapshotName>) -> Ask {
    let range = match rng.below(20) {
        0 => Some(ByteRange::From { first: rng.below(120), last: None }),
        1 => Some(ByteRange::From { first: 0, last: Some(rng.below(40)) }),
        2 => Some(ByteRange::Suffix { bytes: rng.below(40) }),
        _ => None,
    };
    let tag = known.filter(|_| rng.percent(20)).map(|known| IfNoneMatch::Tags(vec![known.digest.to_string()]));
    let request = SnapshotRequest { offset, incarnation: None, range, if_none_match: tag };
    Ask::Snapshot { request, with_body: rng.percent(90) }
}

/// A bootstrap; now and then one that is cut short, or of which only the head is wanted.
pub(crate) fn bootstrap_request(rng: &mut Rng) -> Ask {
    let bytes_max = if rng.percent(30) { rng.below(2_000) } else { BOOTSTRAP_BYTES_MAX };
    Ask::Bootstrap(BootstrapRequest { incarnation: None, bytes_max, with_body: rng.percent(95) })
}
