//! The token of one life of a stream.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Malformed, decimal, limits::INTEGER_MAX};

const RANDOM_BITS: u32 = 52;

/// The token of one life of a stream; deleting and creating again begins another.
///
/// A whole number from 1 to 2^53-1, so it is exact in a double. Clients treat it as opaque. It displays
/// as canonical decimal; in JSON it is a plain number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u64", into = "u64")]
pub struct Incarnation(u64);

impl Incarnation {
    /// A new token: 2^52 plus the low 52 bits of `bits`. It always has 16 digits.
    pub const fn from_random(bits: u64) -> Self {
        let top = 1 << RANDOM_BITS;
        Self(top | (bits & (top - 1)))
    }

    /// The token with this value; `None` unless it is from 1 to 2^53-1.
    pub const fn new(value: u64) -> Option<Self> {
        if value >= 1 && value <= INTEGER_MAX { Some(Self(value)) } else { None }
    }

    /// Canonical decimal (no sign, no leading zero) from 1 to 2^53-1.
    pub fn parse(text: &str) -> Result<Self, Malformed> {
        let value = decimal::parse_canonical(text).and_then(Self::new);
        value.ok_or(Malformed::new("the incarnation must be a canonical decimal from 1 to 9007199254740991"))
    }

    /// The token as a number.
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl fmt::Display for Incarnation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl TryFrom<u64> for Incarnation {
    type Error = Malformed;

    fn try_from(value: u64) -> Result<Self, Malformed> {
        Self::new(value).ok_or(Malformed::new("the incarnation must be from 1 to 9007199254740991"))
    }
}

impl From<Incarnation> for u64 {
    fn from(incarnation: Incarnation) -> Self {
        incarnation.0
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn parse_table() {
        for (text, expected) in [
            ("1", Some(1)),
            ("6972844189016828", Some(6_972_844_189_016_828)),
            ("9007199254740991", Some(9_007_199_254_740_991)),
            ("9007199254740992", None),
            ("18446744073709551616", None),
            ("0", None),
            ("01", None),
            ("", None),
            (" ", None),
            ("+1", None),
            ("-1", None),
            ("1 1", None),
            (" 1", None),
            ("1.0", None),
            ("1e3", None),
            ("0x1", None),
            ("\u{ff11}", None),
        ] {
            assert_eq!(Incarnation::parse(text).ok().map(Incarnation::get), expected, "{text:?}");
        }
    }

    #[test]
    fn json_is_a_checked_number() {
        assert_eq!(serde_json::to_string(&Incarnation::from_random(1)).unwrap(), "4503599627370497");
        assert_eq!(serde_json::from_str::<Incarnation>("1").unwrap().get(), 1);
        for text in ["0", "9007199254740992", "-1", "1.5", "\"1\""] {
            assert!(serde_json::from_str::<Incarnation>(text).is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn random_ones_have_sixteen_digits_and_return(bits: u64) {
            let token = Incarnation::from_random(bits);
            prop_assert_eq!(token.to_string().len(), 16);
            prop_assert_eq!(Incarnation::parse(&token.to_string()), Ok(token));
        }

        #[test]
        fn never_panics(text in ".*") {
            let _ = Incarnation::parse(&text);
        }
    }
}
