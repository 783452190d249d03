//! `POST`: append, append and close, close.

use axum::response::Response;
use wadi_protocol::{Answer, Refusal};

use super::call::Call;
use crate::{
    answer::{Caching, respond_empty},
    body::Incoming,
    request::WriteHead,
    shell::examine,
};

pub(crate) async fn append(call: &Call, body: Incoming) -> Result<Response, Refusal> {
    body.check_declared(call.shell.settings.request_bytes_max)?;
    let head = WriteHead::parse(&call.parts.headers)?;
    let (bytes, _reservation) = call.shell.read(body).await?;
    let type_match = call.dialect.type_match();
    let request = examine(bytes.len(), move || head.with_body(bytes, type_match)).await?;
    if let Some(fault) = request.fault_before_lookup() {
        return Err(fault.into());
    }
    let outcome = call.shell.engine.write(call.key()?, request).await?;
    Ok(respond_empty(Answer::from(&outcome), Caching::NoStore))
}
