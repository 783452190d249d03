//! `DELETE`: end a stream.

use axum::response::Response;
use wadi_protocol::{Answer, Refusal};

use super::{call::Call, create::LIFECYCLE};
use crate::{
    answer::{Caching, respond_empty},
    request::delete_request,
};

pub(crate) async fn delete(call: &Call) -> Result<Response, Refusal> {
    if !call.dialect.creates_and_deletes(call.shell.settings.lifecycle) {
        return Err(LIFECYCLE);
    }
    let request = delete_request(&call.parts.headers)?;
    call.shell.engine.delete(call.key()?, request).await?;
    Ok(respond_empty(Answer::new(204), Caching::NoStore))
}
