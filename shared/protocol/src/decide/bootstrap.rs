//! Bootstrap: the snapshot of a stream and everything after it, in one answer.

use super::same_incarnation;
use crate::{Incarnation, Offset, Refusal, StreamState, state::Snapshot};

/// What a bootstrap gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BootstrapPlan {
    /// The latest snapshot.
    pub snapshot: Option<Snapshot>,
    /// Where what follows begins: at the snapshot, else at the earliest offset.
    pub start: Offset,
    /// Where it ends at the latest: the tail, or the size limit.
    pub limit: Offset,
}

/// What a bootstrap of a stream gets. The stream's existence has been settled before.
///
/// `bytes_max` is for the snapshot and the stream's bytes together. The snapshot comes whole in any case.
pub fn decide_bootstrap(
    state: &StreamState,
    incarnation: Option<Incarnation>,
    bytes_max: u64,
) -> Result<BootstrapPlan, Refusal> {
    same_incarnation(state, incarnation)?;
    let snapshot = state.snapshot.clone();
    let (start, taken) = snapshot.as_ref().map_or((state.retained, 0), |snapshot| (snapshot.offset, snapshot.bytes));
    let limit = start.saturating_add(bytes_max.saturating_sub(taken)).min(state.tail);
    Ok(BootstrapPlan { snapshot, start, limit })
}

#[cfg(test)]
mod tests {
    use super::{
        super::fixtures::{offset, other_token, stream, token},
        *,
    };

    #[test]
    fn what_a_bootstrap_gets() {
        let state = || stream().holding(10).retaining(2);
        for (name, state, bytes_max, start, limit) in [
            ("all that is kept", state(), 100, 2, 10),
            ("all after the snapshot", state().keeping(7, "state"), 100, 7, 10),
            ("a snapshot at the tail", state().keeping(10, "state"), 100, 10, 10),
            ("up to the limit", state(), 3, 2, 5),
            ("the snapshot counts", state().keeping(7, "state"), 7, 7, 9),
            ("exactly all", state().keeping(7, "state"), 8, 7, 10),
            ("a snapshot over the limit", state().keeping(7, "state"), 4, 7, 7),
            ("an empty stream", stream(), 100, 0, 0),
        ] {
            let snapshot = state.snapshot.clone();
            let plan = BootstrapPlan { snapshot, start: offset(start), limit: offset(limit) };
            assert_eq!(decide_bootstrap(&state, None, bytes_max), Ok(plan.clone()), "{name}");
            assert_eq!(decide_bootstrap(&state, Some(token()), bytes_max), Ok(plan), "{name}, tokened");
            let mistaken = Err(Refusal::IncarnationMismatch { current: Some(token()) });
            assert_eq!(decide_bootstrap(&state, Some(other_token()), bytes_max), mistaken, "{name}, mistaken");
        }
    }
}
