//! The sequential model: what an engine would answer that did one thing at a time.

use bytes::Bytes;
use wadi_protocol::{
    CreateRequest, Operation, ReadForm, ReadFrom, ReadRequest, ReadTag, Refusal, StreamDescription, StreamState,
    decide::{
        Decision, Moment, ReadPlan, decide_create_missing, decide_create_over, decide_delete, decide_expiry,
        decide_head, decide_read, decide_write,
    },
    last_boundary,
};
use wadi_stream::{Created, ReadAnswer};

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

pub(super) fn judge(status: &Status, bytes: &[u8], ask: &Ask, moment: Moment) -> Verdict {
    match status {
        Status::Missing => missing(ask, moment),
        Status::Live(state) => live(state, bytes, ask, moment),
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
    })
}

fn create(request: &CreateRequest, moment: Moment) -> Verdict {
    match decide_create_missing(request, wadi_protocol::Incarnation::from_random(0), moment.now) {
        Ok(_) => Verdict::Creates,
        Err(refusal) => Verdict::Answers(Answer::Created(Err(refusal))),
    }
}

fn live(state: &StreamState, bytes: &[u8], ask: &Ask, moment: Moment) -> Verdict {
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
        (Ask::Read(request), None) => Verdict::Answers(Answer::Page(read(state, bytes, request))),
    }
}

fn verdict<T>(decision: Decision<T>, answer: impl FnOnce(Result<T, Refusal>) -> Answer) -> Verdict {
    match decision {
        Decision::Answer(result) => Verdict::Answers(answer(result)),
        Decision::Commit { operation, answer: result } => Verdict::Commits(operation, answer(result)),
    }
}

fn read(state: &StreamState, bytes: &[u8], request: &ReadRequest) -> Result<ReadAnswer, Refusal> {
    let plan = decide_read(state, request)?;
    let index = |offset: wadi_protocol::Offset| usize::try_from(offset.get()).unwrap_or(usize::MAX);
    let (start, limit) = (index(plan.start), index(plan.limit));
    let array = request.form == ReadForm::Array && state.content_type.is_json();
    let mut end = limit;
    // Where the end is known without the bytes, a page that the client has is not looked at again.
    let known_end =
        (!array || plan.limit == state.tail) && is_known(&answer(state, &plan, array, limit, Bytes::new()), request);
    if array && start < limit && !known_end {
        if start > 0 && bytes.get(start - 1) != Some(&b'\n') {
            return Err(Refusal::NotJsonBoundary { tail: state.tail });
        }
        let page = bytes.get(start..limit).unwrap_or_default();
        end = start + last_boundary(page);
        if end == start {
            let rest = bytes.get(start..index(state.tail)).unwrap_or_default();
            end = start + rest.iter().position(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        }
    }
    let page = Bytes::copy_from_slice(bytes.get(start..end).unwrap_or_default());
    let page = answer(state, &plan, array, end, page);
    Ok(if is_known(&page, request) { ReadAnswer { not_modified: true, body: Bytes::new(), ..page } } else { page })
}

fn answer(state: &StreamState, plan: &ReadPlan, array: bool, end: usize, body: Bytes) -> ReadAnswer {
    let next = wadi_protocol::Offset::new(end as u64);
    let at = ReadPlan::end_at(state, next);
    ReadAnswer {
        stream: StreamDescription::from(state),
        start: plan.start,
        next,
        end: at,
        tag: ReadTag { incarnation: state.incarnation, start: plan.start, next, array, end: at },
        not_modified: false,
        body,
    }
}

/// Whether the client has this page already.
fn is_known(page: &ReadAnswer, request: &ReadRequest) -> bool {
    request.from != ReadFrom::Now
        && request.if_none_match.as_ref().is_some_and(|condition| condition.matches(&page.tag.opaque()))
}
