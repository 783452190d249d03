//! Time-to-live: renewal by reads, and the end.

use super::{Moment, expired};
use crate::{Operation, StreamState};

/// The operation that renews a sliding time-to-live, when a read should commit one: a quarter of
/// it has passed since the last renewal.
pub fn decide_touch(state: &StreamState, moment: Moment) -> Option<Operation> {
    let alive = state.deleted.is_none() && !state.is_expired(moment.now, moment.resolution);
    (alive && state.lifetime.renewal_due(state.renewed_at, moment.now)).then_some(Operation::Touch)
}

/// The operation that ends a stream past its expiry. Expiry is an operation like any other, so
/// that no two processes disagree about whether a stream lives.
pub fn decide_expiry(state: &StreamState, moment: Moment) -> Option<Operation> {
    (state.deleted.is_none() && state.is_expired(moment.now, moment.resolution)).then(expired)
}
