//! Retention: how far the beginning of a stream may be let go.

use super::{Decision, Moment, NeedsByte, boundary::at_boundary, ended, same_incarnation};
use crate::{Operation, Retained, RetentionRequest, SnapshotRefusal, StreamState};

/// What letting go of a stream's beginning does to it: it is served from the offset on, which the latest
/// snapshot must reach, so that nothing is lost that the snapshot does not stand for.
///
/// `byte_before`: the byte before the offset, once it was asked for.
pub fn decide_retention(
    state: &StreamState,
    request: &RetentionRequest,
    byte_before: Option<u8>,
    moment: Moment,
) -> Result<Decision<Retained>, NeedsByte> {
    if let Some(decision) = ended(state, moment) {
        return Ok(decision);
    }
    if let Err(refusal) = same_incarnation(state, request.incarnation) {
        return Ok(Decision::refuse(refusal));
    }
    let (incarnation, offset) = (state.incarnation, request.offset);
    if offset <= state.retained {
        return Ok(Decision::Answer(Ok(Retained { incarnation, retained: state.retained })));
    }
    if state.snapshot.as_ref().is_none_or(|snapshot| offset > snapshot.offset) {
        return Ok(Decision::refuse(SnapshotRefusal::BeyondTail { tail: state.tail }.into()));
    }
    at_boundary(state, offset, byte_before, || Decision::Commit {
        operation: Operation::Retention { retained: offset },
        answer: Ok(Retained { incarnation, retained: offset }),
    })
}
