//! Snapshots in parts: staging one, committing them, discarding them.

use axum::response::Response;
use wadi_protocol::{
    Answer, Code, CommitRequest, PartsRequest, Published, Refusal, limits::PARTS_LIST_BYTES_MAX, parse_parts,
};

use super::call::Call;
use crate::{
    answer::{Caching, respond_empty},
    body::Incoming,
};

const INVALID_LIST: Refusal = Refusal::invalid(
    Code::InvalidPartsCommit,
    "The body must be as many names of parts as Stream-Snapshot-Parts says, all different, each with one LF behind it.",
);

/// Stages the body of the request as a part. Whether it may be is found out before its body is read.
pub(crate) async fn stage(call: &Call, body: Incoming, request: PartsRequest) -> Result<Response, Refusal> {
    let (engine, bytes_max) = (&call.shell.engine, call.shell.settings.request_bytes_max);
    let admission = engine.admit_part(call.key()?, request, body.bytes_at_most(bytes_max)).await?;
    body.check_declared(bytes_max)?;
    let (bytes, _reservation) = call.shell.read(body).await?;
    let staged = engine.stage(admission, bytes).await?;
    Ok(respond_empty(Answer::from(&staged), Caching::NoStore))
}

/// Publishes what the parts come to that the body names. What its key alone decides is told before the body
/// is read.
pub(super) async fn commit(call: &Call, body: Incoming, request: CommitRequest) -> Result<Response, Refusal> {
    let (key, engine) = (call.key()?, &call.shell.engine);
    if let Some(published) = engine.check_commit(key, &request).await? {
        return Ok(told(&published));
    }
    let read = call.shell.read_at_most(body, PARTS_LIST_BYTES_MAX).await;
    let (list, _reservation) = read.map_err(|refusal| match refusal {
        Refusal::TooLarge { .. } => INVALID_LIST,
        refusal => refusal,
    })?;
    let parts = parse_parts(&list, request.parts).ok_or(INVALID_LIST)?;
    Ok(told(&engine.commit(key, request, parts).await?))
}

/// Removes all parts that are staged.
pub(crate) async fn discard(call: &Call, request: PartsRequest) -> Result<Response, Refusal> {
    let discarded = call.shell.engine.discard_parts(call.key()?, request).await?;
    Ok(respond_empty(Answer::from(&discarded), Caching::NoStore))
}

fn told(published: &Published) -> Response {
    respond_empty(Answer::from(published), Caching::NoStore)
}
