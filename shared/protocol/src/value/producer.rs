//! The key of an idempotent write: who writes, in which epoch, at which sequence number.

use std::{fmt, sync::Arc};

use serde::{Deserialize, Serialize};

use super::{
    Digest, Malformed, decimal, header_text,
    limits::{INTEGER_MAX, PRODUCER_ID_BYTES_MAX},
    malformed::text_value,
};

/// The name of a producer within a stream: 1 to 256 bytes of visible ASCII, blanks and tabs allowed
/// inside. Compared byte for byte.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ProducerId(Arc<str>);

impl ProducerId {
    /// The value of a `Producer-Id` header; blanks and tabs around it are dropped before it is measured.
    pub fn parse(value: &str) -> Result<Self, Malformed> {
        match header_text::trimmed(value) {
            Some(text) if (1..=PRODUCER_ID_BYTES_MAX).contains(&text.len()) => Ok(Self(text.into())),
            _ => Err(Malformed::new("the producer id must be 1 to 256 bytes of visible ASCII")),
        }
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ProducerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

text_value!(ProducerId, ProducerId::parse);

/// A whole number from 0 to 2^53-1 (Durable Streams protocol, section 5.2.1), exact in a double.
macro_rules! producer_number {
    ($(#[$doc:meta])* $name:ident, $malformed:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "u64", into = "u64")]
        pub struct $name(u64);

        impl $name {
            /// The first one.
            pub const ZERO: Self = Self(0);

            /// This number; `None` above 2^53-1.
            pub const fn new(value: u64) -> Option<Self> {
                if value <= INTEGER_MAX { Some(Self(value)) } else { None }
            }

            /// The value of the header: digits only, leading zeros accepted, at most 2^53-1.
            pub fn parse(text: &str) -> Result<Self, Malformed> {
                decimal::parse(text).and_then(Self::new).ok_or(Malformed::new($malformed))
            }

            /// The number.
            pub const fn get(self) -> u64 {
                self.0
            }

            /// The one after it; `None` after 2^53-1.
            pub const fn next(self) -> Option<Self> {
                Self::new(self.0 + 1)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl TryFrom<u64> for $name {
            type Error = Malformed;

            fn try_from(value: u64) -> Result<Self, Malformed> {
                Self::new(value).ok_or(Malformed::new($malformed))
            }
        }

        impl From<$name> for u64 {
            fn from(number: $name) -> Self {
                number.0
            }
        }
    };
}

producer_number! {
    /// The life of a producer process: a restarted one claims a higher epoch, which fences the older.
    /// From 0 to 2^53-1; displays as canonical decimal; in JSON a plain number.
    Epoch, "the producer epoch must be digits only, at most 9007199254740991"
}

producer_number! {
    /// The number of a write within an epoch, counted from 0 without holes.
    /// From 0 to 2^53-1; displays as canonical decimal; in JSON a plain number.
    ProducerSeq, "the producer sequence must be digits only, at most 9007199254740991"
}

/// What makes a write idempotent: the three producer headers, and the digest of the body if the client
/// sent one.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ProducerKey {
    /// Who writes.
    pub id: ProducerId,
    /// In which epoch.
    pub epoch: Epoch,
    /// At which sequence number of the epoch.
    pub seq: ProducerSeq,
    /// BLAKE3-256 of the request body as the client sent it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<Digest>,
}

#[cfg(test)]
#[path = "producer_tests.rs"]
mod tests;
