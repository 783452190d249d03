//! From an event to a request.

use base64::{Engine, prelude::BASE64_STANDARD};
use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Uri, header};
use http_body_util::Full;
use wadi_protocol::{Code, Refusal, name};

use super::{
    event::HttpEvent,
    secret::{ORIGIN_SECRET, OriginSecrets},
    target::target,
};

const NOT_FROM_THE_CDN: Refusal = Refusal::invalid(
    Code::OriginRefused,
    "Requests are answered only if they come through the service's own address. Ask that one.",
);
const NO_BASE64: Refusal = Refusal::invalid(Code::InvalidRequest, "The body is said to be in base64, and is not.");
const NO_REQUEST: Refusal =
    Refusal::invalid(Code::InvalidRequest, "The method, the URL or a header is none that a request can have.");

/// The request that an event stands for. The secret, if there has to be one, is looked at before anything else,
/// and goes no further.
pub(super) fn request(event: HttpEvent, secrets: Option<&OriginSecrets>) -> Result<Request<Full<Bytes>>, Refusal> {
    let target = target(&event);
    let headers = headers(event.headers.unwrap_or_default());
    let known = headers.as_ref().is_ok_and(|headers| secrets.is_none_or(|secrets| secrets.allow(headers)));
    if !known && secrets.is_some() {
        return Err(NOT_FROM_THE_CDN);
    }
    let mut headers = headers?;
    headers.remove(&ORIGIN_SECRET);
    // The bytes are here; what the event says of their number is not needed.
    headers.remove(header::CONTENT_LENGTH);
    let body = body(event.body, event.is_base64_encoded)?;
    let mut request = Request::new(Full::new(body));
    *request.method_mut() = Method::from_bytes(event.request_context.http.method.as_bytes()).map_err(|_| NO_REQUEST)?;
    *request.uri_mut() = target.parse::<Uri>().map_err(|_| NO_REQUEST)?;
    *request.headers_mut() = headers;
    Ok(request)
}

/// The bytes of a body. Absent, `null` and empty are the same.
fn body(body: Option<String>, is_base64: bool) -> Result<Bytes, Refusal> {
    match body {
        None => Ok(Bytes::new()),
        Some(text) if is_base64 => BASE64_STANDARD.decode(text).map(Bytes::from).map_err(|_| NO_BASE64),
        Some(text) => Ok(Bytes::from(text)),
    }
}

fn headers(given: impl IntoIterator<Item = (String, String)>) -> Result<HeaderMap, Refusal> {
    let mut headers = HeaderMap::new();
    for (key, value) in given {
        let key = HeaderName::from_bytes(key.as_bytes()).map_err(|_| NO_REQUEST)?;
        for value in sent(&key, &value) {
            headers.append(&key, HeaderValue::from_bytes(value.as_bytes()).map_err(|_| NO_REQUEST)?);
        }
    }
    Ok(headers)
}

/// The values as they were sent, where it matters that there were several: one that is neither `true` nor refused
/// would be taken for none.
fn sent<'a>(key: &HeaderName, joined: &'a str) -> Vec<&'a str> {
    if *key == name::STREAM_CLOSED { joined.split(',').map(str::trim).collect() } else { vec![joined] }
}
