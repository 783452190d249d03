//! The names of resources that never change.

use super::{Incarnation, Malformed, Offset};

/// A chunk or a snapshot of one life of a stream, as the path of its URL names it:
/// `/incarnation/{token}/chunk/{offset}` or `/incarnation/{token}/snapshot/{offset}`.
///
/// The grammar is narrow, so that one resource has exactly one URL and a shared cache keeps it once
/// (wire contract, "Immutable URLs").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Immutable {
    /// The life of the stream.
    pub incarnation: Incarnation,
    /// Where in it the resource lies.
    pub offset: Offset,
}

impl Immutable {
    /// Parses the two segments as they were sent. The token is canonical decimal from 1 to 2^53-1, the
    /// offset exactly 20 digits; neither may be percent-encoded.
    pub fn parse(token: &str, offset: &str) -> Result<Self, Malformed> {
        Ok(Self { incarnation: Incarnation::parse(token)?, offset: Offset::parse_padded(offset)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OFFSET: &str = "00000000000000000005";

    #[test]
    fn one_resource_has_one_name() {
        let expected = Immutable { incarnation: Incarnation::new(7).unwrap(), offset: Offset::new(5) };
        assert_eq!(Immutable::parse("7", OFFSET), Ok(expected));
        assert!(Immutable::parse("9007199254740991", "18446744073709551615").is_ok());
        for (token, offset) in [
            ("0", OFFSET),
            ("07", OFFSET),
            ("+7", OFFSET),
            ("%37", OFFSET),
            ("", OFFSET),
            ("9007199254740992", OFFSET),
            ("7", "5"),
            ("7", "-1"),
            ("7", "now"),
            ("7", ""),
            ("7", "000000000000000000005"),
            ("7", "+0000000000000000005"),
            ("7", "0000000000000000000%35"),
            ("7", "18446744073709551616"),
        ] {
            assert!(Immutable::parse(token, offset).is_err(), "{token} {offset}");
        }
    }
}
