//! Unsigned decimal text. The standard parser is not enough: it takes a leading `+`.

/// Digits only, at least one; leading zeros are fine. `None` also above `u64::MAX`.
pub(crate) fn parse(text: &str) -> Option<u64> {
    if is_digits(text) { text.parse().ok() } else { None }
}

/// Canonical decimal: digits without a leading zero, unless the value is `0`. `None` also above
/// `u64::MAX`.
pub(crate) fn parse_canonical(text: &str) -> Option<u64> {
    if is_canonical(text) { text.parse().ok() } else { None }
}

/// Whether `text` is canonical decimal, of whatever magnitude.
pub(crate) fn is_canonical(text: &str) -> bool {
    is_digits(text) && (text == "0" || !text.starts_with('0'))
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table() {
        for (text, any, canonical) in [
            ("0", Some(0), Some(0)),
            ("00", Some(0), None),
            ("7", Some(7), Some(7)),
            ("007", Some(7), None),
            ("18446744073709551615", Some(u64::MAX), Some(u64::MAX)),
            ("00018446744073709551615", Some(u64::MAX), None),
            ("18446744073709551616", None, None),
            ("", None, None),
            (" ", None, None),
            ("+1", None, None),
            ("-1", None, None),
            ("-0", None, None),
            ("1 ", None, None),
            (" 1", None, None),
            ("1.0", None, None),
            ("1e3", None, None),
            ("0x1", None, None),
            ("1_000", None, None),
            ("\u{ff11}", None, None),
            ("\u{661}", None, None),
        ] {
            assert_eq!((parse(text), parse_canonical(text)), (any, canonical), "{text:?}");
        }
    }

    #[test]
    fn any_number_of_leading_zeros() {
        assert_eq!(parse(&format!("{}9", "0".repeat(10_000))), Some(9));
    }
}
