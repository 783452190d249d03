//! How a stream's name is escaped in object keys.

use super::percent;

/// Whether a character is escaped: `/` so that a name stays one part of a key, `%` so that escaping can
/// be undone, `\` and control characters because stores and tools treat them in ways of their own.
fn is_escaped(char: char) -> bool {
    matches!(char, '/' | '%' | '\\') || char.is_control()
}

pub(super) fn escape(name: &str) -> String {
    percent::encode(name, is_escaped)
}

/// Length of the escaped name in bytes.
pub(super) fn escaped_len(name: &str) -> usize {
    name.chars().map(|char| if is_escaped(char) { 3 * char.len_utf8() } else { char.len_utf8() }).sum()
}

/// The name whose escaped form is `text`; `None` when no name has that form.
pub(super) fn unescape(text: &str) -> Option<String> {
    // Only one spelling is taken, else one stream would have several keys.
    percent::decode(text).filter(|name| escape(name) == text)
}
