//! The sequential model: what an engine would answer that did one thing at a time.

mod page;
mod snapshots;

use bytes::Bytes;
use wadi_protocol::{
    CreateRequest, Operation, Refusal, StreamDescription, StreamState,
    decide::{
        Decision, Moment, decide_create_missing, decide_create_over, decide_delete, decide_expiry, decide_head,
        decide_write,
    },
};
use wadi_stream::Created;

use crate::{
    ghost::Status,
    history::{Answer, Ask},
};

/// What the model says.
pub(super) enum Verdict {
    /// An answer, and nothing changes.
    Answers(Answer),
    /// An answer that goes with a change.
    Commits(Operation, Answer),
    /// A creation.
    Creates,
}

/// What the model knows of a stream beside its state.
#[derive(Default)]
pub(super) struct Known<'a> {
    /// All bytes up to the tail.
    pub(super) bytes: &'a [u8],
    /// The body of the latest snapshot.
    pub(super) snapshot: Bytes,
}

pub(super) fn judge(status: &Status, known: &Known<'_>, ask: &Ask, moment: Moment) -> Verdict {
    match status {
        Status::Missing => missing(ask, moment),
        Status::Live(state) => live(state, known, ask, moment),
    }
}

/// Whether an operation is the one that the model commits. Where a body is uploaded to, it does not know.
pub(super) fn same(model: &Operation, operation: &Operation) -> bool {
    match (model, operation) {
        (Operation::Snapshot(model), Operation::Snapshot(snapshot)) => {
            *model == wadi_protocol::state::Snapshot { object: model.object.clone(), ..snapshot.clone() }
        }
        _ => model == operation,
    }
}

fn missing(ask: &Ask, moment: Moment) -> Verdict {
    let refusal = Refusal::StreamNotFound;
    Verdict::Answers(match ask {
        Ask::Create(request) => return create(request, moment),
        Ask::Write(_) => Answer::Written(Err(refusal)),
        Ask::Delete(_) => Answer::Deleted(Err(refusal)),
        Ask::Head(_) => Answer::Described(Err(refusal)),
        Ask::Read(_) | Ask::Follow(_) => Answer::Page(Err(refusal)),
        Ask::Publish(..) => Answer::Published(Err(refusal)),
        Ask::Snapshot { .. } => Answer::Snapshot(Err(refusal)),
        Ask::Retain(_) => Answer::Retained(Err(refusal)),
        Ask::Bootstrap(_) => Answer::Bootstrap(Err(refusal)),
    })
}

fn create(request: &CreateRequest, moment: Moment) -> Verdict {
    match decide_create_missing(request, wadi_protocol::Incarnation::from_random(0), moment.now) {
        Ok(_) => Verdict::Creates,
        Err(refusal) => Verdict::Answers(Answer::Created(Err(refusal))),
    }
}

fn live(state: &StreamState, known: &Known<'_>, ask: &Ask, moment: Moment) -> Verdict {
    let (expiry, gone) = (decide_expiry(state, moment), Refusal::StreamNotFound);
    match (ask, expiry) {
        (Ask::Create(request), _) => {
            let stream = || StreamDescription::from(state);
            verdict(
                decide_create_over(state, request, moment).map(|()| Created { existed: true, stream: stream() }),
                Answer::Created,
            )
        }
        (Ask::Write(request), _) => verdict(decide_write(state, request, moment), Answer::Written),
        (Ask::Delete(request), _) => verdict(decide_delete(state, request, moment), Answer::Deleted),
        (Ask::Head(_), Some(operation)) => Verdict::Commits(operation, Answer::Described(Err(gone))),
        (Ask::Read(_) | Ask::Follow(_), Some(operation)) => Verdict::Commits(operation, Answer::Page(Err(gone))),
        (Ask::Head(incarnation), None) => Verdict::Answers(Answer::Described(
            decide_head(state, *incarnation).map(|()| StreamDescription::from(state)),
        )),
        (Ask::Follow(_), None) => Verdict::Answers(Answer::Lost),
        (Ask::Read(request), None) => Verdict::Answers(Answer::Page(page::read(state, known.bytes, request))),
        (Ask::Publish(request, _), _) => verdict(snapshots::publish(state, known, request, moment), Answer::Published),
        (Ask::Retain(request), _) => verdict(snapshots::retain(state, known, request, moment), Answer::Retained),
        (Ask::Snapshot { .. }, Some(operation)) => Verdict::Commits(operation, Answer::Snapshot(Err(gone))),
        (Ask::Bootstrap(_), Some(operation)) => Verdict::Commits(operation, Answer::Bootstrap(Err(gone))),
        (Ask::Snapshot { request, with_body }, None) => {
            Verdict::Answers(Answer::Snapshot(snapshots::read(state, known, request, *with_body)))
        }
        (Ask::Bootstrap(request), None) => {
            Verdict::Answers(Answer::Bootstrap(snapshots::bootstrap(state, known, request).map(Box::new)))
        }
    }
}

fn verdict<T>(decision: Decision<T>, answer: impl FnOnce(Result<T, Refusal>) -> Answer) -> Verdict {
    match decision {
        Decision::Answer(result) => Verdict::Answers(answer(result)),
        Decision::Commit { operation, answer: result } => Verdict::Commits(operation, answer(result)),
    }
}
