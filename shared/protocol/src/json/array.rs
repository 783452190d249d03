//! Stored messages as one JSON array.

use bytes::Bytes;
use memchr::memrchr;

const LF: u8 = b'\n';

/// One JSON array of stored messages: `a LF b LF` gives `[a,b]`, nothing gives `[]`.
///
/// `lines` must be whole messages as [`split_messages`](super::split_messages) makes them, each ended by
/// its LF; an LF stands nowhere else in them, so nothing needs to be parsed.
pub fn array_of(lines: &[u8]) -> Bytes {
    array_of_pieces(&[lines])
}

/// The same of lines in pieces, which may be cut anywhere.
pub fn array_of_pieces(pieces: &[impl AsRef<[u8]>]) -> Bytes {
    let pieces = || pieces.iter().map(AsRef::as_ref);
    let mut array = Vec::with_capacity(pieces().map(<[u8]>::len).sum::<usize>() + 2);
    array.push(b'[');
    for piece in pieces() {
        array.extend(piece.iter().map(|byte| if *byte == LF { b',' } else { *byte }));
    }
    if pieces().rfind(|piece| !piece.is_empty()).is_some_and(|last| last.ends_with(&[LF])) {
        array.pop();
    }
    array.push(b']');
    array.into()
}

/// How many of the `bytes` are whole messages: those up to the last LF, with it. Zero when there is none.
pub fn last_boundary(bytes: &[u8]) -> usize {
    memrchr(LF, bytes).map_or(0, |at| at + 1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::split_messages;

    #[test]
    fn arrays() {
        for (lines, expected) in [
            ("", "[]"),
            ("1\n", "[1]"),
            ("1\n[2,3]\n", "[1,[2,3]]"),
            ("\"a\\nb\"\n{\"a\":1}\n", "[\"a\\nb\",{\"a\":1}]"),
        ] {
            assert_eq!(array_of(lines.as_bytes()), expected.as_bytes(), "{lines:?}");
        }
    }

    #[test]
    fn boundaries() {
        for (bytes, expected) in [("", 0), ("1", 0), ("\n", 1), ("1\n", 2), ("1\n2", 2), ("1\n2\n", 4)] {
            assert_eq!(last_boundary(bytes.as_bytes()), expected, "{bytes:?}");
        }
    }

    proptest! {
        #[test]
        fn the_array_has_the_same_messages(
            messages in prop::collection::vec("\"[a-z ,\\[\u{e9}]{0,5}\"|[1-9]{1,3}|\\[1,2\\]", 0..6),
        ) {
            let body = format!("[{}]", messages.join(" , "));
            let stored = split_messages(body.as_bytes()).unwrap();
            let array = array_of(&stored.text);
            prop_assert_eq!(std::str::from_utf8(&array).unwrap(), format!("[{}]", messages.join(",")));
            prop_assert_eq!(split_messages(&array), Ok(stored));
        }

        #[test]
        fn a_boundary_is_where_a_message_ends(
            bytes in prop::collection::vec(prop_oneof![Just(LF), any::<u8>()], 0..20),
        ) {
            let at = last_boundary(&bytes);
            prop_assert!(at == 0 || bytes[at - 1] == LF);
            prop_assert!(!bytes[at..].contains(&LF));
            let (one, other) = bytes.split_at(at);
            prop_assert_eq!(array_of_pieces(&[one, other, &[]]), array_of(&bytes));
        }
    }
}
