//! What is in the bucket beside logs and manifests, and whether it is what the log says.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use bytes::Bytes;
use wadi_protocol::{Digest, Incarnation, Offset, StreamState, limits::CHUNK_BYTES};
use wadi_store::NewObject;
use wadi_stream::Manifest;

use super::{Kind, Life, Name, When, snapshots::wrong_of_copy};
use crate::violation::Violation;

/// The objects that are there, and those that were.
#[derive(Default)]
pub(crate) struct Objects {
    there: BTreeSet<String>,
    /// When each key was put first. What is put again later, because a request came late, is no
    /// younger for it: it is as dead as it was.
    first: BTreeMap<String, Duration>,
    /// Every body that was ever put.
    bodies: BTreeMap<String, Bytes>,
    /// Where each chunk ends that was ever put.
    chunks: BTreeMap<String, Offset>,
    /// What each segment and each state holds that was ever put.
    digests: BTreeMap<String, Digest>,
}

impl Objects {
    pub(super) fn put(&mut self, key: &str, when: When) {
        self.there.insert(key.to_owned());
        self.first.entry(key.to_owned()).or_insert(when.time);
    }

    /// When the object was put first that is not there any more; `None` if none was.
    pub(super) fn remove(&mut self, key: &str) -> Option<Duration> {
        self.there.remove(key).then(|| self.first.get(key).copied().unwrap_or_default())
    }

    pub(crate) fn holds(&self, key: &str) -> bool {
        self.there.contains(key)
    }

    pub(crate) fn was_put(&self, key: &str) -> bool {
        self.first.contains_key(key)
    }

    /// A body that was put, and may be gone.
    pub(crate) fn body(&self, key: &str) -> Option<Bytes> {
        self.bodies.get(key).cloned()
    }

    /// Judges an object against the log that it is a function of, and keeps what manifests name.
    pub(super) fn judge(
        &mut self,
        key: &str,
        kind: Kind<'_>,
        life: Option<&Life>,
        object: &NewObject,
    ) -> Result<(), Violation> {
        let broken = |what: &str| Err(Violation::new(SEALED, format!("{key} {what}")));
        if let Kind::Body(_) = kind {
            self.bodies.insert(key.to_owned(), object.body.clone());
            return Ok(());
        }
        let Some((life, state)) = life.and_then(|life| Some((life, life.state()?))) else {
            return broken("is of a stream that never was");
        };
        match kind {
            Kind::Slot(_) | Kind::Body(_) => Ok(()),
            Kind::Segment(start, end) => {
                self.digests.insert(key.to_owned(), Digest::of(&object.body));
                if life.holds(start, end, &object.body) { Ok(()) } else { broken("holds other bytes than the log") }
            }
            Kind::State(seq) => {
                self.digests.insert(key.to_owned(), Digest::of(&object.body));
                let said: Option<StreamState> = serde_json::from_slice(&object.body).ok();
                let fine = said.is_some() && said.as_ref() == life.state_after(seq);
                if fine { Ok(()) } else { broken("is not the fold of the log") }
            }
            Kind::Chunk(start) => {
                let end = start.saturating_add(object.body.len() as u64);
                self.chunks.insert(key.to_owned(), end);
                wrong_of_chunk(life, state, start..end, object).map_or(Ok(()), broken)
            }
            Kind::Snapshot(offset) => match wrong_of_copy(life, offset, object) {
                None => Ok(()),
                Some(what) => Err(Violation::new(SNAPSHOT, format!("{key} {what}"))),
            },
        }
    }

    /// The first object that a manifest names which is not there, or holds something else.
    pub(super) fn wrongly_named(&self, stream: &str, manifest: &Manifest) -> Option<String> {
        named_by(stream, manifest).into_iter().find_map(|named| {
            let same = match named.what {
                What::Chunk(end) => self.chunks.get(&named.key) == Some(&end),
                What::Digest(digest) => self.digests.get(&named.key) == Some(&digest),
            };
            match (self.holds(&named.key), same) {
                (false, _) => Some(format!("{}, which is not there", named.key)),
                (true, false) => Some(format!("{}, which holds something else", named.key)),
                (true, true) => None,
            }
        })
    }
}

const SEALED: &str = "sealed objects are functions of the log";

const SNAPSHOT: &str = "the key of a snapshot holds what was committed";

/// What is wrong with a chunk. It tells whether the stream is closed where it ends, so that must be
/// decided.
fn wrong_of_chunk(
    life: &Life,
    state: &StreamState,
    range: std::ops::Range<Offset>,
    object: &NewObject,
) -> Option<&'static str> {
    let (start, end) = (range.start, range.end);
    let last = state.closed && end == state.tail;
    let whole = object.body.len() as u64 == CHUNK_BYTES;
    if !start.get().is_multiple_of(CHUNK_BYTES) || object.body.is_empty() || !(whole || last) {
        return Some("is no cell of the grid");
    }
    if !life.holds(start, end, &object.body) {
        return Some("holds other bytes than the log");
    }
    if end >= state.tail && !last {
        return Some("ends at the tail of an open stream");
    }
    let mut marks = BTreeMap::from([
        ("blake3", Digest::of(&object.body).to_string()),
        ("stream-immutable", "true".to_owned()),
        ("stream-incarnation", state.incarnation.to_string()),
        ("stream-next-offset", end.to_string()),
        ("stream-offset", start.to_string()),
    ]);
    if last {
        marks.insert("stream-closed", "true".to_owned());
    }
    let said = object.attributes.metadata.iter().map(|(name, value)| (name.as_str(), value.clone()));
    (said.collect::<BTreeMap<_, _>>() != marks).then_some("has marks that are not those of the log")
}

/// An object that a manifest names.
struct Named {
    key: String,
    what: What,
}

enum What {
    Chunk(Offset),
    Digest(Digest),
}

fn named_by(stream: &str, manifest: &Manifest) -> Vec<Named> {
    let prefix = format!("ds/{stream}/incarnation/{}", manifest.incarnation());
    let sealed = &manifest.sealed;
    let mut named = Vec::new();
    let mut start = sealed.chunks_start;
    while start < sealed.chunks_end {
        let end = start.saturating_add(CHUNK_BYTES).min(sealed.chunks_end);
        named.push(Named { key: format!("{prefix}/chunk/{start}"), what: What::Chunk(end) });
        start = end;
    }
    for segment in &sealed.segments {
        let key = format!("{prefix}/segment/{start}-{}", segment.end);
        named.push(Named { key, what: What::Digest(segment.blake3) });
        start = segment.end;
    }
    if let Some(state) = manifest.state_object {
        let key = format!("{prefix}/state/{:020}", manifest.log.checkpoint.seq);
        named.push(Named { key, what: What::Digest(state.blake3) });
    }
    named
}

/// What a manifest and the log above it need: sealed objects and bodies, that of the latest snapshot
/// among them.
pub(crate) fn needed(stream: &str, name: &Name) -> BTreeSet<String> {
    let Some(manifest) = name.manifest.as_ref().filter(|manifest| !manifest.is_tombstone()) else {
        return BTreeSet::new();
    };
    let token: Incarnation = manifest.incarnation();
    let records = name.lives.get(&token).map_or(&[][..], |life| &life.records);
    let open = records.iter().filter(|record| record.seq > manifest.log.checkpoint.seq);
    let latest = name.lives.get(&token).and_then(|life| life.state()?.snapshot.as_ref());
    let bodies = open.filter_map(|record| record.object.as_ref()).chain(latest.map(|snapshot| &snapshot.object));
    let bodies = bodies.map(|id| format!("ds/{stream}/incarnation/{token}/body/{id}"));
    named_by(stream, manifest).into_iter().map(|named| named.key).chain(bodies).collect()
}
