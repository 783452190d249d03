//! Cross-origin requests of web pages (the Fetch standard).
//!
//! Never with credentials. An origin that is not allowed is told nothing. A preflight is answered
//! here, the same for every path, and never looks at the resource.

use axum::{extract::Request, middleware::Next, response::Response};
use http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use wadi_protocol::Answer;

use crate::{
    AllowedOrigins,
    answer::{Caching, respond_empty},
    limits::{PREFLIGHT_ECHO_BYTES_MAX, PREFLIGHT_MAX_AGE},
};

const ALLOWED_METHODS: HeaderValue = HeaderValue::from_static("GET, HEAD, POST, PUT, DELETE");

/// The request headers that mean something here.
const ALLOWED_HEADERS: &str = "accept, authorization, content-type, if-match, if-none-match, last-event-id, \
     producer-digest, producer-epoch, producer-id, producer-seq, range, stream-closed, stream-expires-at, \
     stream-fork-offset, stream-fork-sub-offset, stream-forked-from, stream-incarnation, stream-seq, \
     stream-snapshot-digest, stream-snapshot-parts, stream-ttl, want-content-digest";

/// Every response header that a page may want to read and could not otherwise.
const EXPOSED_HEADERS: HeaderValue = HeaderValue::from_static(
    "accept-ranges, allow, content-digest, content-encoding, content-range, cross-origin-resource-policy, date, \
     etag, location, \
     producer-closed-epoch, producer-closed-seq, producer-epoch, producer-expected-seq, producer-outcome, \
     producer-received-seq, producer-seq, retry-after, server-timing, stream-closed, stream-cursor, \
     stream-data-content-type, stream-expires-at, stream-immutable, stream-incarnation, stream-inherited-offset, \
     stream-last-seq, stream-next-offset, stream-offset, stream-previous-incarnation, stream-read-origin, \
     stream-retained-offset, stream-snapshot-digest, stream-snapshot-offset, stream-snapshot-part, \
     stream-sse-data-encoding, stream-ttl, stream-up-to-date, ursula-max-request-bytes, ursula-max-snapshot-bytes, \
     ursula-max-staged-bytes, ursula-max-staged-parts, vary, www-authenticate, x-accel-buffering, x-content-type-options",
);

/// Answers preflights, and lets allowed origins read every other answer.
pub(crate) async fn cors(origins: &AllowedOrigins, request: Request, next: Next) -> Response {
    let allowed = allowed_origin(origins, request.headers());
    let from_page = request.headers().contains_key(header::ORIGIN);
    let mut response = if is_preflight(&request) {
        preflight(request.headers(), allowed.is_some())
    } else {
        let mut response = next.run(request).await;
        // A page that is not there needs no list, but a cache may give this answer to one later.
        if allowed.is_some() && (from_page || may_be_kept(response.headers())) {
            response.headers_mut().insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED_HEADERS);
        }
        response
    };
    let headers = response.headers_mut();
    if let Some(origin) = allowed {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    }
    if *origins != AllowedOrigins::Any {
        vary_by_origin(headers);
    }
    response
}

fn may_be_kept(headers: &HeaderMap) -> bool {
    headers.get(header::CACHE_CONTROL) != Some(&Caching::NoStore.header())
}

/// The value of `Access-Control-Allow-Origin`. With `*` it does not depend on the request, so that a
/// cache may keep one answer for all.
fn allowed_origin(origins: &AllowedOrigins, headers: &HeaderMap) -> Option<HeaderValue> {
    match origins {
        AllowedOrigins::Any => Some(HeaderValue::from_static("*")),
        AllowedOrigins::Listed(listed) => headers.get(header::ORIGIN).filter(|origin| listed.contains(origin)).cloned(),
    }
}

fn is_preflight(request: &Request) -> bool {
    let headers = request.headers();
    request.method() == Method::OPTIONS
        && headers.contains_key(header::ORIGIN)
        && headers.contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
}

fn preflight(requested: &HeaderMap, allowed: bool) -> Response {
    let mut response = respond_empty(Answer::new(204), Caching::NoStore);
    if allowed {
        let headers = response.headers_mut();
        headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, ALLOWED_METHODS);
        headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from(PREFLIGHT_MAX_AGE.as_secs()));
        if let Ok(names) = HeaderValue::from_str(&allowed_headers(requested)) {
            headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, names);
        }
    }
    response
}

/// Our own list, and after it whatever else was asked for.
fn allowed_headers(requested: &HeaderMap) -> String {
    let lines =
        requested.get_all(header::ACCESS_CONTROL_REQUEST_HEADERS).iter().filter_map(|value| value.to_str().ok());
    let mut names: Vec<HeaderName> = Vec::new();
    let mut echoed = 0;
    for text in lines.flat_map(|line| line.split(',')).map(str::trim) {
        let Ok(name) = HeaderName::try_from(text) else { continue };
        let known = names.contains(&name) || ALLOWED_HEADERS.split(", ").any(|known| known == name.as_str());
        echoed += text.len();
        if !known && echoed <= PREFLIGHT_ECHO_BYTES_MAX {
            names.push(name);
        }
    }
    names.iter().fold(ALLOWED_HEADERS.to_owned(), |list, name| list + ", " + name.as_str())
}

/// Adds `origin` to what the answer depends on.
fn vary_by_origin(headers: &mut HeaderMap) {
    let before = headers.get(header::VARY).and_then(|value| value.to_str().ok());
    let list = before.map_or_else(|| "origin".to_owned(), |before| format!("{before}, origin"));
    if let Ok(value) = HeaderValue::from_str(&list) {
        headers.insert(header::VARY, value);
    }
}
