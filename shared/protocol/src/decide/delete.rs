//! Deleting a stream.

use super::{Decision, Moment, ended, same_incarnation};
use crate::{DeleteReason, DeleteRequest, Operation, Refusal, StreamState};

/// What a delete does to a stream.
pub fn decide_delete(state: &StreamState, request: &DeleteRequest, moment: Moment) -> Decision<()> {
    if let Some(decision) = ended(state, moment) {
        return decision;
    }
    if let Err(refusal) = same_incarnation(state, request.incarnation) {
        return Decision::refuse(refusal);
    }
    if let Some(condition) = &request.if_match
        && !condition.holds(state.incarnation, state.tail, state.closed)
    {
        return Decision::refuse(Refusal::IfMatchFailed { current: state.end_tag() });
    }
    Decision::Commit { operation: Operation::Delete { reason: DeleteReason::Requested }, answer: Ok(()) }
}
