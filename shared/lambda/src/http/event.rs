//! The event of a request: payload format 2.0, of function URLs and HTTP APIs.
//!
//! It is taken as it comes: a value that cannot be in a request is refused like one from a client, not by failing
//! the invocation, which the client would see as a fault of the service.

use std::collections::BTreeMap;

use serde::Deserialize;

/// A request.
///
/// See: <https://docs.aws.amazon.com/lambda/latest/dg/urls-invocation.html>
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HttpEvent {
    /// The path. As it was sent with a function URL; decoded once with an HTTP API.
    #[serde(default)]
    pub raw_path: Option<String>,
    /// The query as it was sent, without its question mark.
    #[serde(default)]
    pub raw_query_string: Option<String>,
    /// Headers in lower case; the values of one that was sent several times are joined with commas.
    #[serde(default)]
    pub headers: Option<BTreeMap<String, String>>,
    /// Where it came from, and by which method.
    pub request_context: RequestContext,
    /// The body, as text or in base64.
    #[serde(default)]
    pub body: Option<String>,
    /// Which of the two.
    #[serde(default)]
    pub is_base64_encoded: bool,
}

/// Where a request came from.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RequestContext {
    /// The host that was asked.
    #[serde(default)]
    pub domain_name: Option<String>,
    /// The stage of an HTTP API. `$default` where there is none.
    #[serde(default)]
    pub stage: Option<String>,
    /// The method.
    pub http: Http,
}

/// How a request was made.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Http {
    /// The method.
    pub method: String,
}
