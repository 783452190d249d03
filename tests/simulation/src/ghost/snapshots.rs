//! What is true of snapshots and retention, whatever the engine decides: at most one body an offset, the
//! copy at an offset's own key is that body, nothing that was let go of comes back.

use std::time::Duration;

use wadi_protocol::{Digest, Offset, Operation, SnapshotDigest, StreamState, state::Snapshot};
use wadi_store::NewObject;

use super::{Life, When};
use crate::violation::Violation;

/// A snapshot that a record of the log committed.
#[derive(Clone, Debug)]
pub(crate) struct Committed {
    pub(crate) snapshot: Snapshot,
    pub(crate) when: When,
}

/// Whether an operation may follow what was committed before it.
pub(super) fn follows(state: &StreamState, before: &[Committed], operation: &Operation) -> Result<(), Violation> {
    match operation {
        Operation::Snapshot(snapshot) => match before.last() {
            Some(last) if last.snapshot.offset >= snapshot.offset => {
                let what = format!("a snapshot at {} follows one at {}", snapshot.offset, last.snapshot.offset);
                Err(Violation::new("one snapshot an offset", what))
            }
            _ => Ok(()),
        },
        Operation::Retention { retained } if *retained < state.retained => {
            let what = format!("what is kept begins at {retained} after {}", state.retained);
            Err(Violation::new("what was let go stays gone", what))
        }
        Operation::Retention { retained } if before.last().is_none_or(|last| last.snapshot.offset < *retained) => {
            let what = format!("no snapshot stands for the bytes before {retained}");
            Err(Violation::new("a snapshot stands for what is let go", what))
        }
        _ => Ok(()),
    }
}

/// Whether this is the body that a snapshot names.
pub(super) fn is_body_of(snapshot: &Snapshot, body: &[u8]) -> bool {
    let digest: Digest = SnapshotDigest::of(&snapshot.content_type, body);
    digest == snapshot.digest && body.len() as u64 == snapshot.bytes
}

/// What is wrong with an object at the key of the snapshot at `offset`.
pub(super) fn wrong_of_copy(life: &Life, offset: Offset, object: &NewObject) -> Option<&'static str> {
    let committed = life.snapshots().iter().find(|committed| committed.snapshot.offset == offset);
    let Some(Committed { snapshot, .. }) = committed else { return Some("is of a snapshot that was not committed") };
    let token = life.state().map(|state| state.incarnation.to_string()).unwrap_or_default();
    let marks = [
        ("stream-snapshot-offset", offset.to_string()),
        ("stream-snapshot-digest", snapshot.digest.to_string()),
        ("stream-next-offset", offset.to_string()),
        ("stream-incarnation", token),
        ("stream-immutable", "true".to_owned()),
    ];
    let said = &object.attributes.metadata;
    let marked = marks.iter().all(|(name, value)| said.get(*name) == Some(value)) && said.len() == marks.len();
    let typed = object.attributes.content_type.as_deref() == Some(snapshot.content_type.as_str());
    if !is_body_of(snapshot, &object.body) {
        Some("is another body than the one that was committed")
    } else if !marked || !typed {
        Some("has marks that are not those of the log")
    } else {
        None
    }
}

impl Life {
    /// Whether a later snapshot superseded the one at `offset` this long ago.
    pub(super) fn was_superseded(&self, offset: Offset, ago: Duration, now: Duration) -> bool {
        let later = self.snapshots().iter().find(|committed| committed.snapshot.offset > offset);
        later.is_some_and(|later| later.when.time + ago <= now)
    }
}
