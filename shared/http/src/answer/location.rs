//! The absolute URL of a stream, such that it can be followed byte for byte.

use http::{HeaderMap, Uri, header, uri::Authority};
use thiserror::Error;
use wadi_protocol::{StreamKey, encode_hosted, encode_upstream};

use crate::dialect::Dialect;

/// Where the service is reached from outside: scheme, host, optional port, optional path; no slash
/// at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicBase(String);

/// A text that is no base URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the public base must be an http or https URL without query, such as https://streams.example.com")]
pub struct InvalidBase;

impl PublicBase {
    /// An absolute `http` or `https` URL without a query.
    pub fn parse(text: &str) -> Result<Self, InvalidBase> {
        let uri: Uri = text.parse().map_err(|_| InvalidBase)?;
        let is_web = matches!(uri.scheme_str(), Some("http" | "https"));
        let plain = uri.query().is_none() && !text.contains(['#', '@']) && uri.authority().is_some();
        if is_web && plain { Ok(Self(text.trim_end_matches('/').to_owned())) } else { Err(InvalidBase) }
    }

    /// The base as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The URL of a stream: below the public base, or below the host that the request itself named.
/// A request that named none gets a path only.
pub(crate) fn location(
    base: Option<&PublicBase>,
    uri: &Uri,
    headers: &HeaderMap,
    dialect: Dialect,
    key: &StreamKey,
) -> String {
    let path = path(dialect, key);
    match base {
        Some(PublicBase(base)) => format!("{base}{path}"),
        None => match host(uri, headers) {
            Some(host) => format!("{}://{host}{path}", scheme(uri, headers)),
            None => path,
        },
    }
}

fn path(dialect: Dialect, key: &StreamKey) -> String {
    let below = match dialect {
        Dialect::Hosted => encode_hosted(key),
        Dialect::Upstream => encode_upstream(&key.name),
    };
    format!("{}{below}", dialect.prefix())
}

fn host(uri: &Uri, headers: &HeaderMap) -> Option<Authority> {
    let named = headers.get(header::HOST).and_then(|value| Authority::try_from(value.as_bytes()).ok());
    named.or_else(|| uri.authority().cloned()).filter(|host| !host.as_str().contains('@'))
}

/// What a proxy in front says about the connection it serves; plain HTTP where there is none.
fn scheme(uri: &Uri, headers: &HeaderMap) -> &'static str {
    let forwarded = headers.get("x-forwarded-proto").and_then(|value| value.to_str().ok());
    let first = forwarded.and_then(|value| value.split(',').next()).map(str::trim);
    match first.or(uri.scheme_str()) {
        Some(scheme) if scheme.eq_ignore_ascii_case("https") => "https",
        _ => "http",
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;
    use wadi_protocol::parse_upstream;

    use super::*;

    fn located(base: Option<&str>, uri: &str, headers: &[(&'static str, &'static str)]) -> String {
        let base = base.map(|text| PublicBase::parse(text).unwrap());
        let headers = headers.iter().map(|(name, value)| (name.parse().unwrap(), HeaderValue::from_static(value)));
        let key = parse_upstream("a/b%20c").stream.unwrap();
        location(base.as_ref(), &uri.parse().unwrap(), &headers.collect(), Dialect::Upstream, &key)
    }

    #[test]
    fn the_host_is_the_setting_or_what_the_request_names() {
        for (base, uri, headers, expected) in [
            (None, "/x", &[("host", "a.example:8080")][..], "http://a.example:8080/v1/stream/a/b%20c"),
            (
                None,
                "/x",
                &[("host", "a.example"), ("x-forwarded-proto", "HTTPS, http")],
                "https://a.example/v1/stream/a/b%20c",
            ),
            (None, "/x", &[("host", "a.example"), ("x-forwarded-proto", "ftp")], "http://a.example/v1/stream/a/b%20c"),
            (None, "https://b.example/x", &[], "https://b.example/v1/stream/a/b%20c"),
            (None, "/x", &[], "/v1/stream/a/b%20c"),
            (None, "/x", &[("host", "me@evil.example")], "/v1/stream/a/b%20c"),
            (None, "/x", &[("host", "a/b")], "/v1/stream/a/b%20c"),
            (
                Some("https://c.example/base/"),
                "/x",
                &[("host", "a.example")],
                "https://c.example/base/v1/stream/a/b%20c",
            ),
        ] {
            assert_eq!(located(base, uri, headers), expected);
        }
    }

    #[test]
    fn a_base_is_a_web_url() {
        for text in
            ["", "c.example", "/c", "ftp://c.example", "https://", "https://c.example?x", "https://me@c.example"]
        {
            assert_eq!(PublicBase::parse(text), Err(InvalidBase), "{text}");
        }
        assert_eq!(
            PublicBase::parse("https://c.example").map(|base| base.as_str().to_owned()),
            Ok("https://c.example".to_owned())
        );
    }
}
