//! Snapshots: which may be published, and what of one a request may have.

use std::ops::Range;

use super::{Decision, Moment, NeedsByte, boundary::at_boundary, ended, same_incarnation};
use crate::{
    Operation, PublishRequest, Published, Refusal, SnapshotRefusal, SnapshotRequest, StreamState, state::Snapshot,
};

/// What publishing a snapshot does to a stream.
///
/// `object`: where its body is. `byte_before`: the byte before its offset, once it was asked for.
pub fn decide_publish(
    state: &StreamState,
    request: &PublishRequest,
    object: &str,
    byte_before: Option<u8>,
    moment: Moment,
) -> Result<Decision<Published>, NeedsByte> {
    if let Some(decision) = ended(state, moment) {
        return Ok(decision);
    }
    let published = Published { incarnation: state.incarnation, snapshot: request.name };
    match place(state, request) {
        Err(refusal) => Ok(Decision::refuse(refusal)),
        Ok(Place::Taken) => Ok(Decision::Answer(Ok(published))),
        Ok(Place::Free) => at_boundary(state, request.name.offset, byte_before, || {
            let operation = Operation::Snapshot(snapshot(request, object));
            Decision::Commit { operation, answer: Ok(published) }
        }),
    }
}

enum Place {
    /// It is the latest snapshot already.
    Taken,
    /// Nothing stands against it.
    Free,
}

/// The incarnation, then the bounds of the stream, then the latest snapshot.
fn place(state: &StreamState, request: &PublishRequest) -> Result<Place, Refusal> {
    same_incarnation(state, request.incarnation)?;
    let offset = request.name.offset;
    if offset < state.retained {
        return Err(SnapshotRefusal::BelowRetained { retained: state.retained }.into());
    }
    if offset > state.tail {
        return Err(SnapshotRefusal::BeyondTail { tail: state.tail }.into());
    }
    match state.snapshot.as_ref().map(Snapshot::name) {
        Some(latest) if latest == request.name => Ok(Place::Taken),
        Some(latest) if offset <= latest.offset => {
            Err(SnapshotRefusal::Conflict { latest, tail: Some(state.tail) }.into())
        }
        _ => Ok(Place::Free),
    }
}

fn snapshot(request: &PublishRequest, object: &str) -> Snapshot {
    Snapshot {
        offset: request.name.offset,
        digest: request.name.digest,
        content_type: request.content_type.clone(),
        bytes: request.bytes,
        object: object.to_owned(),
    }
}

/// What of a snapshot a request gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SnapshotPlan {
    /// The snapshot.
    pub snapshot: Snapshot,
    /// The range of its body asked for; `None` is all of it. Never empty.
    pub part: Option<Range<u64>>,
    /// The client has it already: no body.
    pub not_modified: bool,
    /// Nothing was appended since it was taken.
    pub at_tail: bool,
}

/// What a read of a snapshot gets. The stream's existence has been settled before.
///
/// Order: 404 unless it is the latest snapshot, 416, then the incarnation precondition (412), then 304.
/// A client that has the snapshot has every range of it, so that condition beats the range.
pub fn decide_snapshot(state: &StreamState, request: &SnapshotRequest) -> Result<SnapshotPlan, Refusal> {
    let incarnation = state.incarnation;
    let latest = state.snapshot.as_ref().filter(|snapshot| snapshot.offset == request.offset);
    let snapshot = latest.ok_or(SnapshotRefusal::NotFound { incarnation })?;
    let digest = snapshot.digest.to_string();
    let not_modified = request.if_none_match.as_ref().is_some_and(|condition| condition.matches(&digest));
    let part = match request.range {
        Some(range) if !not_modified => {
            let refusal =
                SnapshotRefusal::RangeNotSatisfiable { snapshot: snapshot.name(), bytes: snapshot.bytes, incarnation };
            Some(range.within(snapshot.bytes).ok_or(refusal)?)
        }
        _ => None,
    };
    same_incarnation(state, request.incarnation)?;
    let part = part.filter(|range| !range.is_empty());
    Ok(SnapshotPlan { snapshot: snapshot.clone(), part, not_modified, at_tail: snapshot.offset == state.tail })
}
