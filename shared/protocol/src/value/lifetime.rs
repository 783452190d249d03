//! How long a stream lives.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Malformed, Timestamp, decimal};

/// How long a stream lives when nobody deletes it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Lifetime {
    /// Until it is deleted.
    #[default]
    Forever,
    /// Until this many seconds have passed since the last renewal; writes and reads renew it.
    Ttl {
        /// Seconds after the last renewal. Zero expires at once.
        seconds: u64,
    },
    /// Until a fixed instant.
    Until(Timestamp),
}

/// Why a time to live is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidTtl {
    /// The text is not a canonical decimal.
    #[error(transparent)]
    Malformed(#[from] Malformed),
    /// The text is a canonical decimal, but as milliseconds it is above `u64::MAX`.
    #[error("the time to live is too long")]
    Overflow,
}

impl Lifetime {
    /// The value of a `Stream-TTL` header: seconds as a canonical decimal (no sign, no leading zero)
    /// that still fits into 64 bits as milliseconds.
    pub fn ttl(text: &str) -> Result<Self, InvalidTtl> {
        if !decimal::is_canonical(text) {
            return Err(Malformed::new("the time to live must be whole seconds as a canonical decimal").into());
        }
        let seconds: u64 = text.parse().map_err(|_| InvalidTtl::Overflow)?;
        seconds.checked_mul(1000).map(|_| Self::Ttl { seconds }).ok_or(InvalidTtl::Overflow)
    }

    /// The value of a `Stream-Expires-At` header, as [`Timestamp::parse_rfc3339`] takes it. One in the
    /// past is fine: such a stream has expired at once.
    pub fn until(text: &str) -> Result<Self, Malformed> {
        Timestamp::parse_rfc3339(text).map(Self::Until)
    }

    /// The first instant at which the stream has expired, or `None` for one that lives for ever.
    pub fn expires_at(&self, last_renewed: Timestamp) -> Option<Timestamp> {
        match *self {
            Self::Forever => None,
            Self::Ttl { seconds } => Some(last_renewed.saturating_add(Duration::from_secs(seconds))),
            Self::Until(at) => Some(at),
        }
    }

    /// Whether a read at `now` should renew the stream: a quarter of its time to live has passed since
    /// the last renewal. Renewing at every read would make every read a write.
    pub fn renewal_due(&self, last_renewed: Timestamp, now: Timestamp) -> bool {
        match *self {
            // In milliseconds a quarter of whole seconds is exact. It is compared as a duration, so that
            // a time to live beyond the end of time is never due.
            Self::Ttl { seconds } => now > last_renewed && now.since(last_renewed) >= Duration::from_secs(seconds) / 4,
            Self::Forever | Self::Until(_) => false,
        }
    }
}

#[cfg(test)]
#[path = "lifetime_tests.rs"]
mod tests;
