//! `HEAD`: what a stream is and where it ends. The query is ignored.

use axum::response::Response;
use wadi_protocol::{EndTag, Refusal, StreamDescription, describe, limits::SNAPSHOT_BYTES_MAX, name};

use super::call::Call;
use crate::{
    answer::{Caching, ReadOrigin, no_content, respond_empty},
    request::{if_none_match, incarnation, no_if_match},
};

pub(crate) async fn head(call: &Call) -> Result<Response, Refusal> {
    no_if_match(&call.parts.headers)?;
    let incarnation = incarnation(&call.parts.headers)?;
    let key = call.key()?;
    let stream = call.shell.engine.head(key, incarnation).await?;
    let condition = if_none_match(&call.parts.headers);
    let known = condition.is_some_and(|condition| condition.matches(&end_tag(&stream).opaque()));
    let answer = describe(if known { 304 } else { 200 }, &stream)
        .with(name::STREAM_RETAINED_OFFSET, stream.retained)
        .latest_snapshot(stream.snapshot)
        .flag(name::STREAM_UP_TO_DATE, true)
        .with(name::MAX_REQUEST_BYTES, call.shell.settings.request_bytes_max)
        .with(name::MAX_SNAPSHOT_BYTES, SNAPSHOT_BYTES_MAX);
    let read_origin = call.shell.settings.read_origin.as_ref().filter(|_| ReadOrigin::serves(key, stream.lifetime));
    let answer = match read_origin {
        Some(origin) => answer.with(name::STREAM_READ_ORIGIN, origin),
        None => answer,
    };
    let mut response = respond_empty(answer, Caching::NoStore);
    // How long the answer to a GET would be is not promised.
    *response.body_mut() = no_content();
    Ok(response)
}

fn end_tag(stream: &StreamDescription) -> EndTag {
    EndTag { incarnation: stream.incarnation, end: stream.tail, closed: stream.closed }
}
