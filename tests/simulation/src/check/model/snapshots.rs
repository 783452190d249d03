//! Snapshots, retention and bootstraps, as the model has them.

use bytes::Bytes;
use wadi_protocol::{
    Offset, PublishRequest, Published, Refusal, Retained, RetentionRequest, SnapshotRequest, StreamDescription,
    StreamState,
    decide::{Decision, Moment, NeedsByte, decide_bootstrap, decide_publish, decide_retention, decide_snapshot},
    last_boundary,
    limits::MESSAGE_BYTES_MAX,
};

use super::Known;
use crate::history::{BootstrapRead, BootstrapRequest, SnapshotRead};

pub(super) fn publish(
    state: &StreamState,
    known: &Known<'_>,
    request: &PublishRequest,
    moment: Moment,
) -> Decision<Published> {
    known.decide(|byte| decide_publish(state, request, "", byte, moment))
}

pub(super) fn retain(
    state: &StreamState,
    known: &Known<'_>,
    request: &RetentionRequest,
    moment: Moment,
) -> Decision<Retained> {
    known.decide(|byte| decide_retention(state, request, byte, moment))
}

pub(super) fn read(
    state: &StreamState,
    known: &Known<'_>,
    request: &SnapshotRequest,
    with_body: bool,
) -> Result<SnapshotRead, Refusal> {
    let plan = decide_snapshot(state, request)?;
    let range = plan.part.clone().unwrap_or(0..plan.snapshot.bytes);
    let range = index(range.start)..index(range.end);
    let body = (with_body && !plan.not_modified).then(|| known.snapshot.get(range).unwrap_or_default());
    Ok(SnapshotRead { incarnation: state.incarnation, plan, body: body.map(Bytes::copy_from_slice) })
}

/// The snapshot, and all that follows it.
pub(super) fn bootstrap(
    state: &StreamState,
    known: &Known<'_>,
    request: &BootstrapRequest,
) -> Result<BootstrapRead, Refusal> {
    let plan = decide_bootstrap(state, request.incarnation, request.bytes_max)?;
    let mut next = plan.limit;
    if plan.limit < state.tail && plan.limit > plan.start && state.content_type.is_json() {
        let from = Offset::new(plan.limit.get().saturating_sub(MESSAGE_BYTES_MAX)).max(plan.start);
        next = from.saturating_add(last_boundary(known.slice(from, plan.limit)) as u64);
    }
    let bytes = match (&plan.snapshot, request.with_body) {
        (_, false) => (Bytes::new(), Bytes::new()),
        (None, true) => (Bytes::new(), Bytes::copy_from_slice(known.slice(plan.start, next))),
        (Some(_), true) => (known.snapshot.clone(), Bytes::copy_from_slice(known.slice(plan.start, next))),
    };
    Ok(BootstrapRead { stream: StreamDescription::from(state), snapshot: plan.snapshot, next, bytes })
}

impl Known<'_> {
    fn slice(&self, from: Offset, to: Offset) -> &[u8] {
        self.bytes.get(index(from.get())..index(to.get())).unwrap_or_default()
    }

    fn decide<T>(&self, decide: impl Fn(Option<u8>) -> Result<Decision<T>, NeedsByte>) -> Decision<T> {
        let byte = |at: Offset| self.bytes.get(index(at.get())).copied();
        // A byte below the tail is always known.
        let unknown = |_| Decision::Answer(Err(Refusal::StoreUnavailable));
        decide(None).or_else(|NeedsByte(at)| decide(byte(at))).unwrap_or_else(unknown)
    }
}

fn index(offset: u64) -> usize {
    usize::try_from(offset).unwrap_or(usize::MAX)
}
