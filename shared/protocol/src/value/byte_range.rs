//! A range of bytes of a resource (RFC 9110, section 14).

use std::ops::Range;

use super::decimal;

/// The one range that a `Range` header asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByteRange {
    /// From a byte on, to a last one or to the end.
    From {
        /// The first byte.
        first: u64,
        /// The last byte; `None` is the end.
        last: Option<u64>,
    },
    /// The last bytes.
    Suffix {
        /// How many.
        bytes: u64,
    },
}

impl ByteRange {
    /// The value of a `Range` header. `None`: to be ignored, because it asks for several ranges or in
    /// another unit, or is malformed. A number above `u64::MAX` is that much.
    pub fn parse(value: &str) -> Option<Self> {
        let (unit, range) = value.split_once('=')?;
        if !unit.eq_ignore_ascii_case("bytes") {
            return None;
        }
        match range.trim_matches([' ', '\t']).split_once('-')? {
            ("", bytes) => Some(Self::Suffix { bytes: number(bytes)? }),
            (first, "") => Some(Self::From { first: number(first)?, last: None }),
            (first, last) => {
                let (first, last) = (number(first)?, number(last)?);
                (first <= last).then_some(Self::From { first, last: Some(last) })
            }
        }
    }

    /// The bytes that it means of a resource of `total` bytes, clamped to its end; `None` when it
    /// means no byte of it. The last bytes of an empty resource are all of it.
    pub fn within(self, total: u64) -> Option<Range<u64>> {
        match self {
            Self::From { first, .. } if first >= total => None,
            Self::From { first, last } => Some(first..last.map_or(total, |last| last.saturating_add(1).min(total))),
            Self::Suffix { bytes: 0 } => None,
            Self::Suffix { bytes } => Some(total.saturating_sub(bytes)..total),
        }
    }
}

fn number(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| decimal::parse(text).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_a_header_means_of_ten_bytes() {
        for (value, range) in [
            ("bytes=0-3", Some(Some(0..4))),
            ("bytes=3-3", Some(Some(3..4))),
            ("bytes=3-", Some(Some(3..10))),
            ("bytes=-3", Some(Some(7..10))),
            ("bytes=-10", Some(Some(0..10))),
            ("bytes=-11", Some(Some(0..10))),
            ("bytes=0-9", Some(Some(0..10))),
            ("bytes=0-10", Some(Some(0..10))),
            ("bytes=9-18446744073709551615", Some(Some(9..10))),
            ("bytes=0-18446744073709551616", Some(Some(0..10))),
            ("BYTES=00-03", Some(Some(0..4))),
            ("bytes= 0-3", Some(Some(0..4))),
            ("bytes=10-", Some(None)),
            ("bytes=10-12", Some(None)),
            ("bytes=99999999999999999999-", Some(None)),
            ("bytes=-0", Some(None)),
            ("bytes=4-3", None),
            ("bytes=0-3,5-6", None),
            ("bytes=0-3,", None),
            ("bytes=-", None),
            ("bytes=", None),
            ("bytes", None),
            ("bytes=a-b", None),
            ("bytes=+1-3", None),
            ("bytes=--3", None),
            ("bytes=1.0-3", None),
            ("bytes 0-3", None),
            ("items=0-3", None),
            ("", None),
        ] {
            assert_eq!(ByteRange::parse(value).map(|parsed| parsed.within(10)), range, "{value}");
        }
    }

    #[test]
    fn of_an_empty_resource_only_its_last_bytes_can_be_had() {
        for (value, range) in [("bytes=0-", None), ("bytes=0-0", None), ("bytes=-0", None), ("bytes=-5", Some(0..0))] {
            assert_eq!(ByteRange::parse(value).unwrap().within(0), range, "{value}");
        }
    }

    proptest! {
        #[test]
        fn lies_within(text in "(bytes=)?[0-9]{0,3}-?[0-9]{0,3}", total in 0_u64..300) {
            if let Some(range) = ByteRange::parse(&text).and_then(|range| range.within(total)) {
                prop_assert!(range.end <= total && (range.start < range.end || total == 0));
            }
        }

        #[test]
        fn never_panics(text in ".*") {
            let _ = ByteRange::parse(&text).map(|range| range.within(1));
        }
    }
}
