//! Percent-encoding, with the set of escaped characters left to the caller.

const HEX: &[u8; 16] = b"0123456789ABCDEF";

/// `text` with the characters that `must_escape` names written as `%XX` (upper case), one for each byte.
pub(crate) fn encode(text: &str, must_escape: impl Fn(char) -> bool) -> String {
    let mut encoded = String::with_capacity(text.len());
    for char in text.chars() {
        if must_escape(char) {
            char.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| push_escaped(&mut encoded, byte));
        } else {
            encoded.push(char);
        }
    }
    encoded
}

fn push_escaped(encoded: &mut String, byte: u8) {
    encoded.push('%');
    encoded.push(char::from(HEX[usize::from(byte >> 4)]));
    encoded.push(char::from(HEX[usize::from(byte & 15)]));
}

/// `text` with every `%XX` (either case) replaced by its byte. `None` for an escape that is not two
/// hexadecimal digits, and when the bytes are not UTF-8. A `+` is a plus.
pub(crate) fn decode(text: &str) -> Option<String> {
    let mut decoded = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        if byte == b'%' {
            let (high, low) = (hex_digit(*after.first()?)?, hex_digit(*after.get(1)?)?);
            decoded.push(high << 4 | low);
            rest = &after[2..];
        } else {
            decoded.push(byte);
            rest = after;
        }
    }
    String::from_utf8(decoded).ok()
}

fn hex_digit(byte: u8) -> Option<u8> {
    let digit = char::from(byte).to_digit(16)?;
    u8::try_from(digit).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn decode_table() {
        for (text, expected) in [
            ("", Some("")),
            ("a+b", Some("a+b")),
            ("%41%c3%A9", Some("A\u{e9}")),
            ("%2F%2f", Some("//")),
            ("%25%32%46", Some("%2F")),
            ("%00", Some("\0")),
            ("\u{e9}%20", Some("\u{e9} ")),
            ("%", None),
            ("%4", None),
            ("a%", None),
            ("%zz", None),
            ("%+1", None),
            ("%-1", None),
            ("%\u{e9}", None),
            ("%FF", None),
            ("%C3", None),
            ("%C3x%A9", None),
            ("%ED%A0%80", None),
        ] {
            assert_eq!(decode(text).as_deref(), expected, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn encoding_returns(text in ".*") {
            let encoded = encode(&text, |char| !char.is_ascii_alphanumeric());
            prop_assert!(encoded.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'%'));
            prop_assert_eq!(decode(&encoded), Some(text));
        }

        #[test]
        fn never_panics(text in "[%0-9a-fA-F\u{e9}]{0,12}") {
            let _ = decode(&text);
        }
    }
}
