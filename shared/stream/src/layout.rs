//! Where things lie in the bucket. The one place that builds keys.
//!
//! | key | holds | written | deleted by |
//! | --- | --- | --- | --- |
//! | `manifest/{account}/{name}` | the manifest of a name | compare-and-set | nobody: a tombstone stays |
//! | `ds/{account}/{name}/incarnation/{token}/log/{seq}.rec` | one record | put if absent, never again | collection |
//! | `ds/{account}/{name}/incarnation/{token}/body/{id}` | a payload or a snapshot that a record names | once | collection |
//! | `ds/{account}/{name}/incarnation/{token}/staged/{part}` | a part of a snapshot that is not published yet | once | commit, discard, collection |
//! | `ds/{account}/{name}/incarnation/{token}/snapshot/{offset}` | a copy of a snapshot that was committed | put if absent | collection |
//! | `ds/{account}/{name}/incarnation/{token}/state/{seq}` | the state at a checkpoint, when it is large | put if absent | collection |
//! | `ds/{account}/{name}/incarnation/{token}/segment/{start}-{end}` | bytes merged from small records | put if absent | collection |
//! | `ds/{account}/{name}/incarnation/{token}/chunk/{offset}` | the bytes of one grid cell | put if absent | collection |
//! | `due/seal/{id}` | the name of a stream that may be due for sealing | once | who seals it |
//! | `due/sweep/{scope}` | where a sweep stopped that had no time to finish | any time | the sweep that finishes |
//!
//! `{name}` is the decoded name with `/`, `%`, `\` and control characters escaped, so no name can
//! lie inside another's prefix.

use wadi_protocol::{Incarnation, Offset, PartId, StreamKey};
use wadi_store::ObjectKey;

use crate::{collect::SweepScope, sealed::SealedObject};

/// The key of a stream's manifest.
pub fn manifest_key(stream: &StreamKey) -> ObjectKey {
    ObjectKey::new(format!("manifest/{}", stream.key_text()))
}

/// What all objects of one incarnation begin with, without a final slash.
pub fn incarnation_prefix(stream: &StreamKey, incarnation: Incarnation) -> String {
    format!("ds/{}/incarnation/{incarnation}", stream.key_text())
}

/// The key of a slot.
pub(crate) fn slot_key(prefix: &str, seq: u64) -> ObjectKey {
    ObjectKey::new(format!("{prefix}/log/{seq:020}.rec"))
}

/// The key of a payload or a snapshot that a record names.
pub(crate) fn body_key(prefix: &str, id: &str) -> ObjectKey {
    ObjectKey::new(format!("{prefix}/body/{id}"))
}

/// What the keys of staged parts begin with.
pub(crate) fn staged_prefix(prefix: &str) -> String {
    format!("{prefix}/staged/")
}

/// The key of a part that was staged under this name. `None` for a name that staging never gives.
pub(crate) fn staged_key(prefix: &str, part: &PartId) -> Option<ObjectKey> {
    let given = part.as_str().bytes().all(|byte| byte.is_ascii_hexdigit());
    given.then(|| ObjectKey::new(format!("{}{part}", staged_prefix(prefix))))
}

/// The key of a state in an object of its own.
pub(crate) fn state_key(prefix: &str, seq: u64) -> ObjectKey {
    ObjectKey::new(format!("{prefix}/state/{seq:020}"))
}

/// The key of a sealed object.
pub(crate) fn sealed_key(prefix: &str, object: &SealedObject) -> ObjectKey {
    match object {
        SealedObject::Chunk { start, .. } => ObjectKey::new(format!("{prefix}/chunk/{start}")),
        SealedObject::Segment { start, end, .. } => ObjectKey::new(format!("{prefix}/segment/{start}-{end}")),
    }
}

/// What the keys of marks begin with that tell a sealer of a stream.
pub(crate) const SEAL_MARKS: &str = "due/seal/";

/// The key of the bookmark of sweeps of a scope.
pub(crate) fn sweep_bookmark_key(scope: SweepScope) -> ObjectKey {
    ObjectKey::from(match scope {
        SweepScope::Recent => "due/sweep/recent",
        SweepScope::Full => "due/sweep/full",
    })
}

/// What follows the last slash of a key.
pub(crate) fn last_part(key: &ObjectKey) -> &str {
    key.as_str().rsplit_once('/').map_or("", |(_, last)| last)
}

/// The range of the segment with this key.
pub(crate) fn segment_range(key: &ObjectKey) -> Option<std::ops::Range<Offset>> {
    let (start, end) = last_part(key).split_once('-')?;
    Some(Offset::parse_padded(start).ok()?..Offset::parse_padded(end).ok()?)
}

/// The key of a snapshot that was committed, below the prefix of its incarnation. It is the path of the
/// snapshot's immutable URL.
pub(crate) fn snapshot_key(prefix: &str, offset: Offset) -> ObjectKey {
    ObjectKey::new(format!("{prefix}/snapshot/{offset}"))
}

/// The stream and the incarnation of an object with a key such as
/// `ds/{account}/{name}/incarnation/{token}/…`
pub(crate) fn incarnation_of(key: &ObjectKey) -> Option<(StreamKey, Incarnation)> {
    let mut parts = key.as_str().strip_prefix("ds/")?.splitn(5, '/');
    let (account, name) = (parts.next()?, parts.next()?);
    let stream = StreamKey::parse_key_text(&format!("{account}/{name}")).ok()?;
    (parts.next()? == "incarnation").then_some(())?;
    Some((stream, Incarnation::parse(parts.next()?).ok()?))
}
