//! The sequence value that writers without a producer key use to keep their order.

use std::{fmt, sync::Arc};

use serde::{Deserialize, Serialize};

use super::{Malformed, header_text, limits::STREAM_SEQ_BYTES_MAX, malformed::text_value};

/// A sequence value chosen by a writer: 1 to 256 bytes of visible ASCII, blanks and tabs allowed inside.
///
/// Its order is the order of its bytes, so writers pad numbers to one width.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct StreamSeq(Arc<str>);

impl StreamSeq {
    /// The value of a `Stream-Seq` header, without the blanks and tabs around it; `None` when nothing
    /// else is there, which is as if the header were absent.
    pub fn parse(value: &str) -> Result<Option<Self>, Malformed> {
        match header_text::trimmed(value) {
            Some("") => Ok(None),
            Some(text) if text.len() <= STREAM_SEQ_BYTES_MAX => Ok(Some(Self(text.into()))),
            _ => Err(Malformed::new("the sequence value must be at most 256 bytes of visible ASCII")),
        }
    }

    /// The value as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn from_stored(text: &str) -> Result<Self, Malformed> {
        Self::parse(text)?.ok_or(Malformed::new("the sequence value must not be blank"))
    }
}

impl fmt::Display for StreamSeq {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

text_value!(StreamSeq, StreamSeq::from_stored);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn parse_table() {
        let longest = "x".repeat(256);
        for (value, expected) in [
            ("1", Ok(Some("1"))),
            (" a \t b\t", Ok(Some("a \t b"))),
            (longest.as_str(), Ok(Some(longest.as_str()))),
            (&format!("\t{longest} "), Ok(Some(longest.as_str()))),
            ("", Ok(None)),
            (" \t ", Ok(None)),
            (&"x".repeat(257), Err(())),
            ("\u{e9}", Err(())),
            ("a\nb", Err(())),
            ("\0", Err(())),
        ] {
            let parsed = StreamSeq::parse(value).map_err(|_| ());
            assert_eq!(
                parsed.as_ref().map(|seq| seq.as_ref().map(StreamSeq::as_str)),
                expected.as_ref().map(|text| *text),
                "{value:?}"
            );
        }
    }

    #[test]
    fn order_is_bytewise() {
        let seq = |text: &str| StreamSeq::parse(text).unwrap().unwrap();
        assert!(seq("10") < seq("9"));
        assert!(seq("09") < seq("10"));
        assert!(seq("B") < seq("a"));
        assert!(seq("a") < seq("aa"));
    }

    #[test]
    fn json_is_checked() {
        assert_eq!(serde_json::from_str::<StreamSeq>("\"07\"").unwrap().as_str(), "07");
        assert!(serde_json::from_str::<StreamSeq>("\" \"").is_err());
        assert!(serde_json::from_str::<StreamSeq>("\"\u{e9}\"").is_err());
    }

    proptest! {
        #[test]
        fn orders_as_bytes_do(a in "[!-~]{1,9}", b in "[!-~]{1,9}") {
            let (left, right) = (StreamSeq::parse(&a).unwrap(), StreamSeq::parse(&b).unwrap());
            prop_assert_eq!(left.cmp(&right), a.as_bytes().cmp(b.as_bytes()));
        }

        #[test]
        fn never_panics(text in ".*") {
            let _ = StreamSeq::parse(&text);
        }
    }
}
