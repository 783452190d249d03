//! `GET` and `HEAD` of a chunk: a piece of a stream under a name that never means another.

use axum::response::Response;
use bytes::Bytes;
use http::{HeaderName, HeaderValue, Method, header};
use wadi_protocol::{Answer, End, Immutable, Refusal, name};
use wadi_stream::{ChunkAnswer, ChunkRequest};

use super::call::Call;
use crate::{
    answer::{Caching, content_digest, no_content, respond},
    request::{if_none_match, no_if_match, wants_sha_256},
    shell::examine,
};

pub(crate) async fn chunk(call: &Call, chunk: Immutable) -> Result<Response, Refusal> {
    no_if_match(&call.parts.headers)?;
    let with_body = call.parts.method == Method::GET;
    let if_none_match = if_none_match(&call.parts.headers);
    let request = ChunkRequest { chunk, if_none_match, with_body };
    let answered = call.shell.engine.chunk(call.key()?, &request).await?;
    let caching = if answered.plan.immutable { Caching::Immutable } else { Caching::NoStore };
    let mut answer = describe(&answered);
    if with_body && !answered.not_modified && wants_sha_256(&call.parts.headers) {
        answer = answer.with(name::CONTENT_DIGEST, digest(answered.body.clone()).await?);
    }
    let bytes = answered.plan.next.get() - answered.plan.start.get();
    let mut response = respond(answer, caching, answered.body);
    if !with_body && !answered.not_modified {
        *response.body_mut() = no_content();
        set_length(&mut response, bytes);
    }
    Ok(response)
}

/// Status and headers. The object that holds a marked chunk carries the same, so that the bucket can
/// serve it (wire contract, "Immutable URLs").
fn describe(chunk: &ChunkAnswer) -> Answer {
    Answer::new(if chunk.not_modified { 304 } else { 200 })
        .with(name::CONTENT_TYPE, chunk.stream.content_type.as_stored())
        .with(name::STREAM_INCARNATION, chunk.stream.incarnation)
        .with(name::STREAM_OFFSET, chunk.plan.start)
        .with(name::STREAM_NEXT_OFFSET, chunk.plan.next)
        .with(name::ETAG, chunk.tag)
        .flag(name::STREAM_IMMUTABLE, chunk.plan.immutable)
        .flag(name::STREAM_CLOSED, chunk.plan.end == End::ClosedTail)
}

async fn digest(body: Bytes) -> Result<String, Refusal> {
    examine(body.len(), move || content_digest(&body)).await
}

/// How long the body would be. Told of a body that is not sent, so nothing else tells it.
fn set_length(response: &mut Response, bytes: u64) {
    const LENGTH: HeaderName = header::CONTENT_LENGTH;
    response.headers_mut().insert(LENGTH, HeaderValue::from(bytes));
}
