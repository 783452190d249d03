//! Content types in their stored, normal form.

use std::{fmt, sync::Arc};

use serde::{Deserialize, Serialize};

use super::{Malformed, header_text, malformed::text_value};

const OCTET_STREAM: &str = "application/octet-stream";
const JSON: &str = "application/json";
const JSON_LINES: &str = "application/x-ndjson";

/// A content type in normal form: the pieces between semicolons trimmed, empty ones dropped, everything
/// (parameters and their values too) in ASCII lower case, joined by `"; "`.
///
/// A stream stores this form and answers with it. It begins with a media type; its parameters are not
/// looked into.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ContentType(Arc<str>);

impl ContentType {
    /// What a body is taken for whose type is not stated.
    pub fn octet_stream() -> Self {
        Self(OCTET_STREAM.into())
    }

    /// `application/json` without parameters.
    pub fn json() -> Self {
        Self(JSON.into())
    }

    /// The value of a `Content-Type` header. A blank one is malformed: whether that means
    /// [`Self::octet_stream`] or an error is a matter of the operation.
    pub fn parse(value: &str) -> Result<Self, Malformed> {
        let malformed =
            Malformed::new("the content type must be a media type such as text/plain, with or without parameters");
        let text = header_text::trimmed(value).ok_or(malformed)?;
        let pieces: Vec<String> = text
            .split(';')
            .map(header_text::trim_blanks)
            .filter(|piece| !piece.is_empty())
            .map(str::to_ascii_lowercase)
            .collect();
        match pieces.first() {
            Some(first) if is_media_type(first) => Ok(Self(pieces.join("; ").into())),
            _ => Err(malformed),
        }
    }

    /// The normal form.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The part before the first semicolon.
    pub fn media_type(&self) -> &str {
        self.0.split_once(';').map_or(&*self.0, |(media_type, _)| media_type)
    }

    /// Whether a stream of this type holds JSON messages: the media type is `application/json`, whatever
    /// the parameters.
    pub fn is_json(&self) -> bool {
        self.media_type() == JSON
    }

    /// The type of the bytes as they are stored: of a JSON stream, messages that each end with LF.
    pub fn as_stored(&self) -> &str {
        if self.is_json() { JSON_LINES } else { self.as_str() }
    }

    /// Whether the media type is `text/` something.
    pub fn is_text(&self) -> bool {
        self.media_type().starts_with("text/")
    }

    /// Whether the normal forms are equal, parameters and all.
    pub fn matches_exactly(&self, other: &Self) -> bool {
        self == other
    }

    /// Whether the media types are equal, whatever the parameters.
    pub fn matches_media_type(&self, other: &Self) -> bool {
        self.media_type() == other.media_type()
    }
}

fn is_media_type(text: &str) -> bool {
    text.split_once('/').is_some_and(|(kind, subtype)| is_token(kind) && is_token(subtype))
}

/// A token of RFC 9110, section 5.6.2.
fn is_token(text: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !text.is_empty() && text.bytes().all(allowed)
}

impl fmt::Display for ContentType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

text_value!(ContentType, ContentType::parse);

#[cfg(test)]
#[path = "content_type_tests.rs"]
mod tests;
