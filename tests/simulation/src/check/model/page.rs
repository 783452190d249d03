//! Pages, as the model reads them.

use bytes::Bytes;
use wadi_protocol::{
    ReadForm, ReadFrom, ReadRequest, ReadTag, Refusal, StreamDescription, StreamState,
    decide::{ReadPlan, decide_read},
    last_boundary,
};
use wadi_stream::{PageBytes, ReadAnswer};

pub(super) fn read(state: &StreamState, bytes: &[u8], request: &ReadRequest) -> Result<ReadAnswer, Refusal> {
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
    Ok(if is_known(&page, request) {
        ReadAnswer { not_modified: true, body: PageBytes::default(), ..page }
    } else {
        page
    })
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
        body: body.into(),
    }
}

/// Whether the client has this page already.
fn is_known(page: &ReadAnswer, request: &ReadRequest) -> bool {
    request.from != ReadFrom::Now
        && request.if_none_match.as_ref().is_some_and(|condition| condition.matches(&page.tag.opaque()))
}
