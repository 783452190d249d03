//! Which producers a keyed write makes the stream forget: idle ones, and those that make room.

use crate::{
    Epoch, ProducerId, ProducerRefusal, StreamState, Timestamp,
    limits::{
        IDLE_FORGOTTEN_PER_WRITE_MAX, PRODUCER_CAP_IDLE_MS, PRODUCER_EVICTIONS_MAX, PRODUCER_IDLE_MS, PRODUCERS_MAX,
    },
    state::ProducerRecord,
};

/// The producers that leave the table with a write, and the floor that results.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Forgotten {
    pub(super) ids: Vec<ProducerId>,
    pub(super) floor: Option<Epoch>,
}

/// A producer as its own next write sees it: forgotten when it was idle for too long, with the
/// floor raised as if it had been removed.
pub(super) fn own_record<'a>(
    state: &'a StreamState,
    id: &ProducerId,
    now: Timestamp,
) -> (Option<&'a ProducerRecord>, Option<Epoch>) {
    let floor = state.producers.floor();
    match state.producers.get(id) {
        Some(record) if is_idle(record.last_seen, now, PRODUCER_IDLE_MS) => (None, floor.max(Some(record.epoch))),
        record => (record, floor),
    }
}

/// What a keyed write that applies makes the stream forget.
///
/// `joins`: the writer is not in the table (or was idle and is as good as absent), so that room
/// for one more is needed.
pub(super) fn forget(
    state: &StreamState,
    id: &ProducerId,
    joins: bool,
    now: Timestamp,
) -> Result<Forgotten, ProducerRefusal> {
    let mut leaving = idle_others(state, id, now);
    if joins {
        let kept = state.producers.len() - leaving.len() - usize::from(state.producers.get(id).is_some());
        let excess = (kept + 1).saturating_sub(PRODUCERS_MAX);
        let evicted = evictable(state, id, &leaving, excess, now);
        if evicted.len() < excess {
            return Err(ProducerRefusal::TooMany);
        }
        leaving.extend(evicted.into_iter().take(PRODUCER_EVICTIONS_MAX));
        // Its own record, idle for too long, leaves before the new one is made.
        leaving.extend(state.producers.get(id).map(|_| id.clone()));
    }
    let floor = leaving.iter().filter_map(|id| state.producers.get(id)).map(|record| record.epoch).max();
    let raised = floor.filter(|epoch| state.producers.floor().is_none_or(|floor| *epoch > floor));
    Ok(Forgotten { ids: leaving, floor: raised })
}

fn idle_others(state: &StreamState, own: &ProducerId, now: Timestamp) -> Vec<ProducerId> {
    state
        .producers
        .least_recent()
        .take_while(|(seen, _)| is_idle(*seen, now, PRODUCER_IDLE_MS))
        .map(|(_, id)| id)
        .filter(|id| *id != own)
        .take(IDLE_FORGOTTEN_PER_WRITE_MAX)
        .cloned()
        .collect()
}

fn evictable(
    state: &StreamState,
    own: &ProducerId,
    leaving: &[ProducerId],
    excess: usize,
    now: Timestamp,
) -> Vec<ProducerId> {
    state
        .producers
        .least_recent()
        .take_while(|(seen, _)| is_idle(*seen, now, PRODUCER_CAP_IDLE_MS))
        .map(|(_, id)| id)
        .filter(|id| *id != own && !leaving.contains(id))
        .take(excess)
        .cloned()
        .collect()
}

fn is_idle(last_seen: Timestamp, now: Timestamp, limit_ms: u64) -> bool {
    now.as_millis().saturating_sub(last_seen.as_millis()) >= limit_ms
}
