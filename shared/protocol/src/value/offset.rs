//! Positions in a stream.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Malformed, decimal};

const PADDED_DIGITS: usize = 20;

/// A position in a stream: the number of bytes before it, counted over the whole life of the
/// incarnation.
///
/// Displays as 20 digits with leading zeros, so that the order of the texts is the order of the
/// offsets. In JSON it is a plain number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Offset(u64);

impl Offset {
    /// The beginning of every stream.
    pub const ZERO: Self = Self(0);

    /// The position after `bytes` bytes.
    pub const fn new(bytes: u64) -> Self {
        Self(bytes)
    }

    /// The number of bytes before this position.
    pub const fn get(self) -> u64 {
        self.0
    }

    /// The position `bytes` further on; `None` above `u64::MAX`.
    #[must_use]
    pub const fn checked_add(self, bytes: u64) -> Option<Self> {
        match self.0.checked_add(bytes) {
            Some(sum) => Some(Self(sum)),
            None => None,
        }
    }

    /// The position `bytes` further on, at most `u64::MAX`.
    #[must_use]
    pub const fn saturating_add(self, bytes: u64) -> Self {
        Self(self.0.saturating_add(bytes))
    }

    /// The form of headers and of immutable paths: exactly 20 digits, up to `u64::MAX`.
    pub fn parse_padded(text: &str) -> Result<Self, Malformed> {
        let value = if text.len() == PADDED_DIGITS { decimal::parse(text) } else { None };
        value.map(Self).ok_or(Malformed::new("the offset must be exactly 20 digits, at most 18446744073709551615"))
    }

    /// The form of query parameters and other paths: digits with or without leading zeros, no sign,
    /// up to `u64::MAX`.
    pub fn parse_decimal(text: &str) -> Result<Self, Malformed> {
        let value = decimal::parse(text);
        value.map(Self).ok_or(Malformed::new("the offset must be digits only, at most 18446744073709551615"))
    }
}

impl fmt::Display for Offset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:0PADDED_DIGITS$}", self.0)
    }
}

/// Where a read of a stream begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReadFrom {
    /// At the beginning of the stream, offset 0, also where retention has removed it.
    Start,
    /// At the tail as it is when the read is served.
    Now,
    /// At a given offset.
    At(Offset),
}

impl ReadFrom {
    /// The query parameter `offset`, already percent-decoded: `-1`, `now`, or an unsigned decimal up to
    /// `u64::MAX`, leading zeros and one leading `+` allowed.
    pub fn parse(text: &str) -> Result<Self, Malformed> {
        match text {
            "-1" => Ok(Self::Start),
            "now" => Ok(Self::Now),
            _ => match decimal::parse(text.strip_prefix('+').unwrap_or(text)) {
                Some(value) => Ok(Self::At(Offset(value))),
                None => Err(Malformed::new("the offset must be -1, now, or digits, at most 18446744073709551615")),
            },
        }
    }
}

#[cfg(test)]
#[path = "offset_tests.rs"]
mod tests;
