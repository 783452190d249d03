//! Long-poll: a live read that is answered once something arrives, or after a while.

use std::time::Duration;

use axum::response::Response;
use wadi_protocol::{Answer, End, ReadRequest, Refusal, StreamDescription, name};
use wadi_stream::{SharedPage, TailStep};

use super::cursor::cursor;
use crate::{
    answer::{Caching, respond_empty},
    operations::{Call, PageTerms, respond_page},
};

/// Waits for at most `wait` for bytes beyond the offset asked for. The time is absolute: nothing
/// that happens meanwhile starts it anew.
pub(crate) async fn poll(
    call: &Call,
    request: ReadRequest,
    asked: Option<u64>,
    wait: Duration,
) -> Result<Response, Refusal> {
    let _place = call.shell.places.take()?;
    let engine = &call.shell.engine;
    let wait = wait.min(call.shell.settings.long_poll_wait_max);
    let mut tail = engine.tail(call.key()?, &request).await?;
    let step = call.shell.ending.awaited().step(&mut tail, request.bytes_max.max(1), wait).await?;
    let cursor = cursor(engine.now(), asked);
    match step {
        TailStep::Page(page) => {
            let mut page = SharedPage::into_answer(page);
            let tag = page.tag.opaque();
            page.not_modified = request.if_none_match.as_ref().is_some_and(|condition| condition.matches(&tag));
            let cursor = (page.end != End::ClosedTail).then_some(cursor);
            let terms = PageTerms { form: request.form, caching: Caching::LongPoll, cursor, tagged: true };
            respond_page(call, page, terms).await
        }
        TailStep::Closed(stream) => Ok(empty(&stream, None)),
        TailStep::Idle(stream) => Ok(empty(&stream, Some(cursor))),
    }
}

/// The answer without bytes; with a cursor while more may come.
fn empty(stream: &StreamDescription, cursor: Option<u64>) -> Response {
    let answer = Answer::new(204)
        .with(name::STREAM_NEXT_OFFSET, stream.tail)
        .with(name::STREAM_INCARNATION, stream.incarnation)
        .flag(name::STREAM_UP_TO_DATE, true);
    let answer = match cursor {
        Some(cursor) => answer.with(name::STREAM_CURSOR, cursor),
        None => answer.flag(name::STREAM_CLOSED, true),
    };
    respond_empty(answer, Caching::NoStore)
}
