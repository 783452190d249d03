//! The names of accounts and streams.

use std::{fmt, sync::Arc};

use serde::{Deserialize, Serialize};

use super::{
    Malformed, key_text,
    limits::{
        ACCOUNT_BYTES_MAX, ACCOUNT_BYTES_MIN, HOSTED_NAME_BYTES_MAX, NAME_KEY_BYTES_MAX, UPSTREAM_NAME_BYTES_MAX,
    },
    malformed::text_value,
};

const DEFAULT_ACCOUNT: &str = "default";
/// The first segment that the upstream protocol keeps for itself.
const RESERVED_SEGMENT: &str = "__ds";

/// The name of an account: 4 to 64 of `a-z`, `0-9`, `_` and `-`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Account(Arc<str>);

impl Account {
    /// The account that holds every stream of the upstream dialect.
    pub fn default_account() -> Self {
        Self(DEFAULT_ACCOUNT.into())
    }

    /// 4 to 64 of `a-z`, `0-9`, `_` and `-`.
    pub fn parse(text: &str) -> Result<Self, Malformed> {
        let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'_' | b'-');
        let valid = (ACCOUNT_BYTES_MIN..=ACCOUNT_BYTES_MAX).contains(&text.len()) && text.bytes().all(allowed);
        if valid {
            Ok(Self(text.into()))
        } else {
            Err(Malformed::new("the account must be 4 to 64 of a-z, 0-9, _ and -"))
        }
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The name of a stream within its account, decoded.
///
/// Two grammars make one: [`StreamName::hosted`] for a name that is one segment of a path, and
/// [`StreamName::upstream`] for one that may hold slashes. Deserialising takes what either takes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct StreamName(Arc<str>);

impl StreamName {
    /// A name of the hosted dialect: 1 to 122 bytes, without `/`, NUL and `..`, not `.`, not `streams`,
    /// and not beginning with `$`.
    pub fn hosted(text: &str) -> Result<Self, Malformed> {
        let reserved = matches!(text, "." | "streams") || text.starts_with('$');
        let forbidden = text.contains(['/', '\0']) || text.contains("..");
        if (1..=HOSTED_NAME_BYTES_MAX).contains(&text.len()) && !reserved && !forbidden && fits_in_key(text) {
            Ok(Self(text.into()))
        } else {
            Err(Malformed::new("the stream name is not allowed, or longer than 122 bytes"))
        }
    }

    /// A name of the upstream dialect: 1 to 512 bytes without NUL, segments parted by `/`, none of them
    /// empty, `.` or `..`, the first not `__ds`; at most 800 bytes as it is escaped in object keys.
    pub fn upstream(text: &str) -> Result<Self, Malformed> {
        let segments_fine = text.split('/').all(|segment| !matches!(segment, "" | "." | ".."));
        let reserved = text.split('/').next() == Some(RESERVED_SEGMENT);
        let short = text.len() <= UPSTREAM_NAME_BYTES_MAX && fits_in_key(text);
        if short && segments_fine && !reserved && !text.contains('\0') {
            Ok(Self(text.into()))
        } else {
            Err(Malformed::new("the stream name is not allowed, or too long"))
        }
    }

    /// The decoded name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn of_either_dialect(text: &str) -> Result<Self, Malformed> {
        Self::hosted(text).or_else(|_| Self::upstream(text))
    }
}

fn fits_in_key(name: &str) -> bool {
    key_text::escaped_len(name) <= NAME_KEY_BYTES_MAX
}

/// Which stream: the account and the name in it.
///
/// Written in JSON as its [`StreamKey::key_text`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct StreamKey {
    /// The account that owns the stream.
    pub account: Account,
    /// The name within the account.
    pub name: StreamName,
}

impl StreamKey {
    /// The form for object keys: `{account}/{name}`, where `/`, `%`, `\` and control characters of the
    /// name are escaped as `%XX` in upper case, one for each byte of their UTF-8, and nothing else is.
    ///
    /// One key has one text and one text one key. The name holds no `/`, so no stream's objects lie
    /// inside another's prefix.
    pub fn key_text(&self) -> String {
        format!("{}/{}", self.account.as_str(), key_text::escape(self.name.as_str()))
    }

    /// Whether whoever serves the bucket finds the stream's immutable objects by the paths of their hosted
    /// URLs: the name is one of the hosted dialect, and nothing of it is escaped in keys.
    pub fn is_path_of_hosted_url(&self) -> bool {
        StreamName::hosted(self.name.as_str()).is_ok() && key_text::escape(self.name.as_str()) == self.name.as_str()
    }

    /// The inverse of [`Self::key_text`]. A text that it would not have written is malformed.
    pub fn parse_key_text(text: &str) -> Result<Self, Malformed> {
        let malformed = Malformed::new("not an account and an escaped stream name");
        let (account, name) = text.split_once('/').ok_or(malformed)?;
        let name = key_text::unescape(name).ok_or(malformed)?;
        Ok(Self { account: Account::parse(account)?, name: StreamName::of_either_dialect(&name)? })
    }
}

impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for StreamName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for StreamKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.key_text())
    }
}

text_value!(Account, Account::parse);
text_value!(StreamName, StreamName::of_either_dialect);
text_value!(StreamKey, StreamKey::parse_key_text);

#[cfg(test)]
#[path = "name_tests.rs"]
mod tests;
