//! `GET`: read what is there.

use axum::response::Response;
use wadi_protocol::{ReadFrom, Refusal};

use super::{
    call::Call,
    live,
    page::{PageTerms, respond_page},
};
use crate::{answer::Caching, request::Read};

pub(crate) async fn read(call: &Call) -> Result<Response, Refusal> {
    let Read { request, live } = Read::parse(&call.parts, call.dialect)?;
    if let Some(live) = live {
        return live::read(call, request, live).await;
    }
    let (from, form) = (request.from, request.form);
    let page = call.shell.engine.read(call.key()?, request).await?;
    let caching = if from == ReadFrom::Now { Caching::NoStore } else { Caching::of_page(page.end) };
    // The tail of now is another place tomorrow: it has no tag.
    let tagged = from != ReadFrom::Now;
    respond_page(call, page, PageTerms { form, caching, cursor: None, tagged }).await
}
