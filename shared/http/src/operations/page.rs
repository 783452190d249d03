//! A page of a stream as an answer: its form, its tag, its coding, its digest.

use axum::response::Response;
use wadi_protocol::{Answer, End, ReadForm, Refusal, array_of_pieces, name};
use wadi_stream::{PageBytes, ReadAnswer};

use super::call::Call;
use crate::{
    answer::{Caching, Coding, compressed, content_digest, in_pieces, respond_streaming},
    limits::COMPRESSED_BYTES_MIN,
    request::{accepted_coding, wants_sha_256},
    shell::examine,
};

const LINES: &str = "application/x-ndjson";
const ARRAY: &str = "application/json";

/// What an answer with a page is like, besides the page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PageTerms {
    /// The form that JSON is asked for in.
    pub(crate) form: ReadForm,
    /// Who may keep it.
    pub(crate) caching: Caching,
    /// What a live reader comes back with.
    pub(crate) cursor: Option<u64>,
    /// Whether it has an entity tag.
    pub(crate) tagged: bool,
}

/// The answer with a page: 200, or 304 with every header of the 200 that does not depend on its bytes.
pub(crate) async fn respond_page(call: &Call, mut page: ReadAnswer, terms: PageTerms) -> Result<Response, Refusal> {
    let as_array = terms.form == ReadForm::Array && page.stream.content_type.is_json();
    let compressible = call.shell.settings.compression && is_compressible(&page, as_array);
    let coding = if compressible { accepted_coding(&call.parts.headers) } else { None };
    let content = if page.not_modified {
        Content { coding, digest: None, body: PageBytes::default() }
    } else {
        let wants_digest = wants_sha_256(&call.parts.headers);
        content(std::mem::take(&mut page.body), as_array, coding, wants_digest).await?
    };
    let mut answer = describe(&page, as_array);
    if let Some(vary) = vary(page.stream.content_type.is_json(), compressible) {
        answer = answer.with(name::VARY, vary);
    }
    if let Some(coding) = content.coding.filter(|_| !page.not_modified) {
        answer = answer.with(name::CONTENT_ENCODING, coding.name());
    }
    if let Some(digest) = content.digest {
        answer = answer.with(name::CONTENT_DIGEST, digest);
    }
    if let Some(cursor) = terms.cursor {
        answer = answer.with(name::STREAM_CURSOR, cursor);
    }
    if terms.tagged {
        // Compressed bytes are not the same for ever: another release may compress otherwise.
        let weak = if content.coding.is_some() { "W/" } else { "" };
        answer = answer.with(name::ETAG, format!("{weak}{}", page.tag));
    }
    Ok(respond_streaming(answer, terms.caching, in_pieces(content.body)))
}

/// Status and those headers that depend on the stream and the range only.
fn describe(page: &ReadAnswer, as_array: bool) -> Answer {
    let content_type = match page.stream.content_type.is_json() {
        false => page.stream.content_type.as_str(),
        true if as_array => ARRAY,
        true => LINES,
    };
    Answer::new(if page.not_modified { 304 } else { 200 })
        .with(name::CONTENT_TYPE, content_type)
        .with(name::STREAM_NEXT_OFFSET, page.next)
        .with(name::STREAM_INCARNATION, page.stream.incarnation)
        .flag(name::STREAM_UP_TO_DATE, page.end != End::BelowTail)
        .flag(name::STREAM_CLOSED, page.end == End::ClosedTail)
}

/// What other headers of a request would have changed the answer.
fn vary(json: bool, compressible: bool) -> Option<&'static str> {
    match (json, compressible) {
        (true, true) => Some("accept, accept-encoding"),
        (true, false) => Some("accept"),
        (false, true) => Some("accept-encoding"),
        (false, false) => None,
    }
}

/// Whether a page is worth compressing. The range says how long it is, so that a 304, which reads no
/// bytes, says the same.
fn is_compressible(page: &ReadAnswer, as_array: bool) -> bool {
    let content_type = &page.stream.content_type;
    // Of an array, brackets and commas stand for the ends of lines.
    let bytes = page.next.get().saturating_sub(page.start.get()) + u64::from(as_array);
    bytes >= COMPRESSED_BYTES_MIN && (content_type.is_text() || content_type.is_json())
}

/// The bytes of an answer, and what is said of them.
struct Content {
    coding: Option<Coding>,
    digest: Option<String>,
    body: PageBytes,
}

/// Puts the bytes of a page into the form in which they are sent. Takes time linear in them.
async fn content(
    stored: PageBytes,
    as_array: bool,
    coding: Option<Coding>,
    wants_digest: bool,
) -> Result<Content, Refusal> {
    if !as_array && coding.is_none() && !wants_digest {
        return Ok(Content { coding, digest: None, body: stored });
    }
    examine(stored.len(), move || {
        let plain = if as_array { array_of_pieces(&stored.into_pieces()) } else { stored.joined() };
        let (coding, body) = match coding.map(|coding| (coding, compressed(coding, &plain))) {
            Some((coding, Ok(encoded))) => (Some(coding), encoded),
            Some((coding, Err(error))) => {
                tracing::error!(coding = coding.name(), %error, "a page could not be compressed");
                (None, plain)
            }
            None => (None, plain),
        };
        let digest = wants_digest.then(|| content_digest(&body));
        Content { coding, digest, body: body.into() }
    })
    .await
}
