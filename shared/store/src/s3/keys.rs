//! Keys inside a bucket: behind a prefix, and escaped in listings.

use percent_encoding::percent_decode_str;

use crate::{ObjectKey, StoreError, rules};

/// The prefix of all keys of a store, empty or ending in a slash.
#[derive(Clone, Debug)]
pub(super) struct Prefix(String);

impl Prefix {
    pub(super) fn new(prefix: Option<&str>) -> Self {
        match prefix.map(|prefix| prefix.trim_matches('/')) {
            None | Some("") => Self(String::new()),
            Some(prefix) => Self(format!("{prefix}/")),
        }
    }

    /// The key as the bucket knows it; refused when it is empty or, with the prefix, too long.
    pub(super) fn add(&self, key: &ObjectKey) -> Result<String, StoreError> {
        rules::check_key(key)?;
        let full = ObjectKey::new(self.before(key.as_str()));
        rules::check_key(&full)?;
        Ok(full.into_string())
    }

    /// Any text behind the prefix.
    pub(super) fn before(&self, text: &str) -> String {
        format!("{}{text}", self.0)
    }

    /// The key as callers know it; `None` for one that is not behind the prefix.
    pub(super) fn remove(&self, full: &str) -> Option<ObjectKey> {
        full.strip_prefix(&self.0).map(ObjectKey::from)
    }
}

/// A key as a listing escapes it: like a form, so that XML can carry any character.
pub(super) fn unescape(text: &str) -> String {
    percent_decode_str(&text.replace('+', " ")).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_is_added_and_removed() {
        for (given, expected) in
            [(None, "k"), (Some(""), "k"), (Some("/"), "k"), (Some("a/b"), "a/b/k"), (Some("/a/"), "a/k")]
        {
            let prefix = Prefix::new(given);
            assert_eq!(prefix.add(&"k".into()).as_deref(), Ok(expected));
            assert_eq!(prefix.remove(expected), Some("k".into()));
        }
        assert_eq!(Prefix::new(Some("a")).remove("b/k"), None);
        assert!(Prefix::new(Some("a")).add(&ObjectKey::new("k".repeat(1023))).is_err());
    }

    #[test]
    fn listed_keys_are_unescaped() {
        assert_eq!(unescape("a+b%2Bc%2Fd%252Fe/%E2%82%AC"), "a b+c/d%2Fe/€");
    }
}
