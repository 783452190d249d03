//! The target of a request, as a client would have sent it to the service itself.

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

use super::event::{HttpEvent, RequestContext};

/// What cannot be in the target of a request, and comes in none that was sent as one.
const NOT_IN_A_TARGET: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'<')
    .add(b'>')
    .add(b'\\')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// The same in a path, where a question mark would start a query.
const NOT_IN_A_PATH: &AsciiSet = &NOT_IN_A_TARGET.add(b'?');

/// The same in a path that was decoded: a percent sign is one that was sent encoded.
const NOT_IN_A_DECODED_PATH: &AsciiSet = &NOT_IN_A_PATH.add(b'%');

/// The stage of an API that has none.
const NO_STAGE: &str = "$default";

/// Path and query, percent-encoded.
pub(super) fn target(event: &HttpEvent) -> String {
    let path = event.raw_path.as_deref().unwrap_or_default();
    let context = &event.request_context;
    let mut target = if is_decoded(context) {
        utf8_percent_encode(without_stage(path, context), NOT_IN_A_DECODED_PATH).to_string()
    } else {
        utf8_percent_encode(path, NOT_IN_A_PATH).to_string()
    };
    if !target.starts_with('/') {
        target.insert(0, '/');
    }
    if let Some(query) = event.raw_query_string.as_deref().filter(|query| !query.is_empty()) {
        target.push('?');
        target.extend(utf8_percent_encode(query, NOT_IN_A_TARGET));
    }
    target
}

/// HTTP APIs decode paths, function URLs do not. What of a name was a slash and what was an encoded one cannot be
/// told any more; on `/v1/stream` they are the same, and on `/ds` no name has either.
fn is_decoded(context: &RequestContext) -> bool {
    let named_stage = context.stage.as_deref().is_some_and(|stage| stage != NO_STAGE);
    named_stage || context.domain_name.as_deref().is_some_and(|host| host.contains(".execute-api."))
}

/// The path behind that of the stage, which an HTTP API leaves in it.
fn without_stage<'a>(path: &'a str, context: &RequestContext) -> &'a str {
    let stage = context.stage.as_deref().filter(|stage| *stage != NO_STAGE);
    let behind = stage.and_then(|stage| path.strip_prefix('/')?.strip_prefix(stage));
    behind.filter(|behind| behind.is_empty() || behind.starts_with('/')).unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(path: &str, query: &str, domain: &str, stage: &str) -> HttpEvent {
        let request_context = RequestContext {
            domain_name: Some(domain.to_owned()),
            stage: Some(stage.to_owned()),
            ..RequestContext::default()
        };
        HttpEvent {
            raw_path: Some(path.to_owned()),
            raw_query_string: Some(query.to_owned()),
            request_context,
            ..HttpEvent::default()
        }
    }

    #[test]
    fn a_function_url_is_taken_as_it_was_sent() {
        for (path, query, expected) in [
            ("/v1/stream/a%2Fb", "", "/v1/stream/a%2Fb"),
            ("/v1/stream/c%3Fd", "offset=-1", "/v1/stream/c%3Fd?offset=-1"),
            ("/v1/stream/a+b%20c", "", "/v1/stream/a+b%20c"),
            ("/v1/stream/%25", "", "/v1/stream/%25"),
            ("/v1/stream/é", "", "/v1/stream/%C3%A9"),
            ("/v1/stream/a?b", "", "/v1/stream/a%3Fb"),
            ("", "", "/"),
            ("/x", "a=b c&d=%20?e", "/x?a=b%20c&d=%20?e"),
        ] {
            assert_eq!(target(&event(path, query, "x.lambda-url.us-east-1.on.aws", NO_STAGE)), expected);
        }
    }

    #[test]
    fn the_path_of_an_http_api_is_encoded_again_without_its_stage() {
        for (path, stage, expected) in [
            ("/prod/v1/stream/c?d", "prod", "/v1/stream/c%3Fd"),
            ("/v1/stream/%", NO_STAGE, "/v1/stream/%25"),
            ("/v1/stream/%41", NO_STAGE, "/v1/stream/%2541"),
            ("/prod", "prod", "/"),
            ("/product/x", "prod", "/product/x"),
            ("/v1/stream/a b+c", NO_STAGE, "/v1/stream/a%20b+c"),
        ] {
            assert_eq!(target(&event(path, "", "x.execute-api.us-east-1.amazonaws.com", stage)), expected);
        }
    }
}
