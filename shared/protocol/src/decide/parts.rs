//! Snapshots in parts: what can be said before a part is read or copied. The stream's existence has been
//! settled before.

use super::same_incarnation;
use crate::{CommitRequest, Incarnation, PartsRequest, Published, Refusal, SnapshotRefusal, StreamState};

/// Which incarnation parts are staged for, or discarded of.
pub fn decide_parts(state: &StreamState, request: PartsRequest) -> Result<Incarnation, Refusal> {
    same_incarnation(state, request.incarnation)?;
    Ok(state.incarnation)
}

/// What a commit of parts is told by its key alone: it was published before, or cannot be. `None`: nothing
/// stands against it so far.
///
/// The latest snapshot comes before the bounds of the stream, so that a repeat is a repeat for as long as
/// no later snapshot was published; a publish with its body is told of the bounds first.
pub fn decide_commit(state: &StreamState, request: &CommitRequest) -> Result<Option<Published>, Refusal> {
    same_incarnation(state, request.incarnation)?;
    let offset = request.name.offset;
    if let Some(latest) = state.snapshot.as_ref().map(crate::state::Snapshot::name) {
        if latest == request.name {
            return Ok(Some(Published { incarnation: state.incarnation, snapshot: latest }));
        }
        if offset <= latest.offset {
            return Err(SnapshotRefusal::Conflict { latest, tail: None }.into());
        }
    }
    if offset < state.retained {
        return Err(SnapshotRefusal::BelowRetained { retained: state.retained }.into());
    }
    if offset > state.tail {
        return Err(SnapshotRefusal::BeyondTail { tail: state.tail }.into());
    }
    Ok(None)
}
