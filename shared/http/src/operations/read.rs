//! `GET`: read what is there.

use axum::response::Response;
use bytes::Bytes;
use wadi_protocol::{Answer, End, ReadForm, ReadFrom, Refusal, array_of, name};
use wadi_stream::ReadAnswer;

use super::{call::Call, live};
use crate::{
    answer::{Caching, respond},
    request::Read,
};

const LINES: &str = "application/x-ndjson";
const ARRAY: &str = "application/json";

pub(crate) async fn read(call: &Call) -> Result<Response, Refusal> {
    let Read { request, live } = Read::parse(&call.parts, call.dialect)?;
    if let Some(live) = live {
        return live::read(call, request, live).await;
    }
    let (from, form) = (request.from, request.form);
    let page = call.shell.engine.read(call.key()?, request).await?;
    let caching = if from == ReadFrom::Now { Caching::NoStore } else { Caching::of_page(page.end) };
    Ok(respond_tagged(page, form, caching, None, from != ReadFrom::Now))
}

/// The answer to a live read that found bytes: a page, with the cursor to come back with.
pub(crate) fn respond_page(page: ReadAnswer, form: ReadForm, caching: Caching, cursor: Option<u64>) -> Response {
    respond_tagged(page, form, caching, cursor, true)
}

fn respond_tagged(page: ReadAnswer, form: ReadForm, caching: Caching, cursor: Option<u64>, tagged: bool) -> Response {
    let mut answer = answer_of(&page, form);
    if let Some(cursor) = cursor {
        answer = answer.with(name::STREAM_CURSOR, cursor);
    }
    // The tail of now is another place tomorrow: it has no tag.
    if tagged {
        answer = answer.with(name::ETAG, page.tag);
    }
    let body = if page.not_modified { Bytes::new() } else { body_of(page, form) };
    respond(answer, caching, body)
}

/// Status and headers of a page. A 304 has every header of the 200 it stands for.
fn answer_of(page: &ReadAnswer, form: ReadForm) -> Answer {
    let json = page.stream.content_type.is_json();
    let content_type = match form {
        _ if !json => page.stream.content_type.as_str(),
        ReadForm::Stored => LINES,
        ReadForm::Array => ARRAY,
    };
    let answer = Answer::new(if page.not_modified { 304 } else { 200 })
        .with(name::CONTENT_TYPE, content_type)
        .with(name::STREAM_NEXT_OFFSET, page.next)
        .with(name::STREAM_INCARNATION, page.stream.incarnation)
        .flag(name::STREAM_UP_TO_DATE, page.end != End::BelowTail)
        .flag(name::STREAM_CLOSED, page.end == End::ClosedTail);
    if json { answer.with(name::VARY, "accept") } else { answer }
}

fn body_of(page: ReadAnswer, form: ReadForm) -> Bytes {
    let as_array = form == ReadForm::Array && page.stream.content_type.is_json();
    if as_array { array_of(&page.body) } else { page.body }
}
