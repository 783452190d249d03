//! How a stream's bytes travel in events.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use bytes::Bytes;
use wadi_protocol::{ContentType, ReadForm, array_of, last_boundary};

use super::event::whole_characters;

/// The form of data events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    /// JSON messages as one array an event.
    Array,
    /// JSON messages, one a line.
    Lines,
    /// Text as it is.
    Text,
    /// Base64 of the bytes.
    Base64,
}

impl Encoding {
    /// The encoding for streams of a content type, in the JSON form that the client reads.
    pub(super) fn of(content_type: &ContentType, form: ReadForm) -> Self {
        match form {
            ReadForm::Array if content_type.is_json() => Self::Array,
            ReadForm::Stored if content_type.is_json() => Self::Lines,
            _ if content_type.is_text() => Self::Text,
            _ => Self::Base64,
        }
    }

    /// `Stream-Data-Content-Type`: what a reader has once it has put the events together.
    pub(super) fn content_type(self, stored: &ContentType) -> &str {
        match self {
            Self::Array => "application/json",
            Self::Lines => "application/x-ndjson",
            Self::Text | Self::Base64 => stored.as_str(),
        }
    }

    /// How much of a page one event may hold. The rest is taken back and sent with what follows;
    /// `last` says that nothing will.
    pub(super) fn whole(self, page: &Bytes, last: bool) -> usize {
        match self {
            Self::Array | Self::Base64 => page.len(),
            Self::Lines => match last_boundary(page) {
                // One message larger than a step.
                0 => whole_characters(page),
                whole => whole,
            },
            Self::Text if last => page.len(),
            Self::Text => whole_characters(page),
        }
    }

    /// The text of an event.
    pub(super) fn text(self, page: &Bytes) -> String {
        match self {
            Self::Array => String::from_utf8_lossy(&array_of(page)).into_owned(),
            Self::Lines | Self::Text => String::from_utf8_lossy(page).into_owned(),
            Self::Base64 => STANDARD.encode(page),
        }
    }
}
