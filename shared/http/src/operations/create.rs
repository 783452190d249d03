//! `PUT`: create a stream, or make sure that it exists as described.

use axum::response::Response;
use wadi_protocol::{Code, Incarnation, Refusal, StreamKey, describe, ends_like_sub_resource, name};

use super::{call::Call, dispatch::ENDS_LIKE_RESOURCE};
use crate::{
    answer::{Caching, location, respond_empty},
    body::Incoming,
    dialect::Dialect,
    request::{CreateHead, Creation, no_fork},
    shell::examine,
};

/// Told where streams are not created or deleted at their URL.
pub(crate) const LIFECYCLE: Refusal = Refusal::invalid(
    Code::StreamLifecycle,
    "Streams are not created or deleted at this URL. Use /v1/stream, or start the service with the lifecycle open.",
);

pub(crate) async fn create(call: &Call, body: Incoming) -> Result<Response, Refusal> {
    if !call.dialect.creates_and_deletes(call.shell.settings.lifecycle) {
        return Err(LIFECYCLE);
    }
    body.check_declared(call.shell.settings.request_bytes_max)?;
    if call.dialect == Dialect::Upstream {
        no_fork(&call.parts.headers)?;
    }
    let head = CreateHead::parse(&call.parts.headers)?;
    let (bytes, _reservation) = call.shell.read(body).await?;
    let type_match = call.dialect.type_match();
    let creation = examine(bytes.len(), move || head.with_body(bytes, type_match)).await??;
    let key = creatable(call)?;
    let Creation { request, late_fault } = creation;
    if let Some(fault) = late_fault {
        return Err(before_lifetime(call, key, request.incarnation, fault).await);
    }
    let created = call.shell.engine.create(key, request).await?;
    let status = if created.existed { 200 } else { 201 };
    let base = call.shell.settings.public_base.as_ref();
    let location = location(base, &call.parts.uri, &call.parts.headers, call.dialect, key);
    Ok(respond_empty(describe(status, &created.stream).with(name::LOCATION, location), Caching::NoStore))
}

/// A name that ends like a resource could not be reached with its slashes as they are.
fn creatable(call: &Call) -> Result<&StreamKey, Refusal> {
    let key = call.key()?;
    if call.dialect == Dialect::Upstream && ends_like_sub_resource(&key.name) {
        Err(ENDS_LIKE_RESOURCE)
    } else {
        Ok(key)
    }
}

/// The fault of a create whose lifetime cannot be had. One that names a life of the stream which is
/// not the present one is told of that first.
async fn before_lifetime(call: &Call, key: &StreamKey, incarnation: Option<Incarnation>, fault: Refusal) -> Refusal {
    if incarnation.is_none() {
        return fault;
    }
    match call.shell.engine.head(key, incarnation).await {
        Ok(_) => fault,
        Err(Refusal::StreamNotFound) => Refusal::IncarnationMismatch { current: None },
        Err(refusal) => refusal,
    }
}
