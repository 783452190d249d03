//! Keys of objects.

use std::{borrow::Borrow, fmt};

/// The key of one object: UTF-8, slash-separated by convention, compared byte by byte.
///
/// Callers build keys from validated parts, so construction does not fail; a store rejects
/// a key longer than [`crate::KEY_BYTES_MAX`].
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectKey(String);

impl ObjectKey {
    /// The key with this text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The key's text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The key's text, taken out.
    pub fn into_string(self) -> String {
        self.0
    }
}

impl fmt::Display for ObjectKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for ObjectKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }
}

impl Borrow<str> for ObjectKey {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl From<&str> for ObjectKey {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl From<String> for ObjectKey {
    fn from(text: String) -> Self {
        Self::new(text)
    }
}
