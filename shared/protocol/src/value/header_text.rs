//! Free text in a header: visible ASCII, with blanks and tabs inside.

/// `value` without the blanks and tabs around it, or `None` when a byte of the rest is neither visible
/// ASCII nor a blank or tab.
pub(crate) fn trimmed(value: &str) -> Option<&str> {
    let text = trim_blanks(value);
    let allowed = |byte: u8| byte.is_ascii_graphic() || matches!(byte, b' ' | b'\t');
    text.bytes().all(allowed).then_some(text)
}

/// `value` without the blanks and tabs around it; other white space stays.
pub(crate) fn trim_blanks(value: &str) -> &str {
    value.trim_matches([' ', '\t'])
}
