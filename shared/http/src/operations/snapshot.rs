//! `PUT`, `GET` and `HEAD` of a snapshot.

use axum::{body::Body, response::Response};
use futures::stream;
use http::Method;
use wadi_protocol::{Answer, Refusal, SnapshotRequest, describe_snapshot};
use wadi_stream::SnapshotBody;

use super::{call::Call, parts};
use crate::{
    answer::{Caching, no_content, respond_empty, respond_streaming},
    body::Incoming,
    request::{Publish, PublishHead},
    shell::examine,
};

/// Publishes a snapshot: the body of the request, or what the parts come to that it names.
pub(crate) async fn publish(call: &Call, body: Incoming, offset: &str) -> Result<Response, Refusal> {
    body.check_declared(call.shell.settings.request_bytes_max)?;
    let head = match PublishHead::parse(&call.parts.headers, offset)? {
        Publish::Whole(head) => head,
        Publish::Parts(request) => return parts::commit(call, body, request).await,
    };
    let (bytes, _reservation) = call.shell.read(body).await?;
    let examined = bytes.clone();
    let request = examine(bytes.len(), move || head.with_body(&examined)).await?;
    let published = call.shell.engine.publish(call.key()?, request, bytes).await?;
    Ok(respond_empty(Answer::from(&published), Caching::NoStore))
}

/// Reads the latest snapshot, or a range of it. `immutable`: by the URL that never means another.
pub(crate) async fn read(call: &Call, request: &SnapshotRequest, immutable: bool) -> Result<Response, Refusal> {
    let (key, engine) = (call.key()?, &call.shell.engine);
    let caching = if immutable { Caching::Immutable } else { Caching::NoStore };
    let head = call.parts.method == Method::HEAD;
    let answered = if head { engine.head_snapshot(key, request).await? } else { engine.snapshot(key, request).await? };
    let answer = describe_snapshot(&answered.plan, answered.incarnation, immutable);
    Ok(respond_streaming(answer, caching, answered.body.map_or_else(no_content, streamed)))
}

/// A body that is fetched as it is sent. One that cannot be had to its end breaks off, so that it is never
/// taken for whole.
fn streamed(body: SnapshotBody) -> Body {
    Body::from_stream(stream::unfold(body, |mut body| async move {
        let piece = body.next().await?;
        Some((piece.map_err(|refusal| std::io::Error::other(refusal.code().as_str())), body))
    }))
}
