//! Where immutable URLs can be read, too: a CDN or a public bucket.

use std::fmt;

use http::Uri;
use thiserror::Error;
use wadi_protocol::{Lifetime, StreamKey};

/// An origin that serves the objects of the bucket under their keys: scheme, host, optional port.
/// Immutable URLs are followed there by their paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadOrigin(String);

/// A text that is no origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "the read origin must be http:// or https:// and a host, with or without a port and nothing after it, such as \
     https://cdn.example.com"
)]
pub struct InvalidReadOrigin;

impl ReadOrigin {
    /// One `http` or `https` origin, without a path, not even `/`. Kept in lower case.
    pub fn parse(text: &str) -> Result<Self, InvalidReadOrigin> {
        let uri: Uri = text.parse().map_err(|_| InvalidReadOrigin)?;
        let scheme = uri.scheme_str().filter(|scheme| matches!(*scheme, "http" | "https")).ok_or(InvalidReadOrigin)?;
        let authority = uri.authority().ok_or(InvalidReadOrigin)?;
        let host = authority.host();
        let port = authority.port_u16().map_or_else(String::new, |port| format!(":{port}"));
        let origin = format!("{scheme}://{host}{port}");
        // Whatever else is in the text, such as a user, a path or a port that is none, is not in these.
        if !host.is_empty() && port != ":0" && text.eq_ignore_ascii_case(&origin) {
            Ok(Self(origin.to_ascii_lowercase()))
        } else {
            Err(InvalidReadOrigin)
        }
    }

    /// Whether a stream's immutable objects may be read here. It knows of no renewal, so never those of a
    /// stream that reads keep alive; and it finds objects by the paths of URLs only.
    pub(crate) fn serves(key: &StreamKey, lifetime: Lifetime) -> bool {
        !matches!(lifetime, Lifetime::Ttl { .. }) && key.is_path_of_hosted_url()
    }
}

impl fmt::Display for ReadOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_a_scheme_a_host_and_a_port() {
        for (text, origin) in [
            ("https://cdn.example", Some("https://cdn.example")),
            ("http://127.0.0.1:8333", Some("http://127.0.0.1:8333")),
            ("https://[::1]:443", Some("https://[::1]:443")),
            ("HTTPS://Cdn.Example", Some("https://cdn.example")),
            ("https://cdn.example/", None),
            ("https://cdn.example/base", None),
            ("https://cdn.example?", None),
            ("https://cdn.example?x", None),
            ("https://cdn.example#x", None),
            ("https://me@cdn.example", None),
            ("https://cdn.example:", None),
            ("https://cdn.example:0", None),
            ("https://cdn.example:65536", None),
            ("https://cdn.example:080", None),
            ("https://cdn.example, https://other.example", None),
            ("https://cdn.example https://other.example", None),
            ("https://", None),
            ("https://:443", None),
            ("ftp://cdn.example", None),
            ("//cdn.example", None),
            ("cdn.example", None),
            ("null", None),
            ("*", None),
            ("", None),
        ] {
            assert_eq!(ReadOrigin::parse(text).ok().map(|origin| origin.to_string()).as_deref(), origin, "{text}");
        }
    }
}
