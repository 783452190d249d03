//! Instants, as milliseconds since 1970. Always passed in: nothing here reads a clock.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Malformed, rfc3339};

/// An instant: milliseconds since the Unix epoch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Timestamp(u64);

impl Timestamp {
    /// The Unix epoch.
    pub const EPOCH: Self = Self(0);

    /// The instant `millis` milliseconds after the Unix epoch.
    pub const fn from_millis(millis: u64) -> Self {
        Self(millis)
    }

    /// Milliseconds since the Unix epoch.
    pub const fn as_millis(self) -> u64 {
        self.0
    }

    /// This instant moved forward; the end of time is never passed.
    #[must_use]
    pub fn saturating_add(self, by: Duration) -> Self {
        Self(self.0.saturating_add(whole_millis(by)))
    }

    /// This instant moved back; the epoch is never passed.
    #[must_use]
    pub fn saturating_sub(self, by: Duration) -> Self {
        Self(self.0.saturating_sub(whole_millis(by)))
    }

    /// Time from `earlier` to this instant; zero when `earlier` is later.
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_millis(self.0.saturating_sub(earlier.0))
    }

    /// RFC 3339 with any offset from UTC; `t` and `z` may be lower case. Digits of the second beyond
    /// milliseconds are cut off. An instant before 1970, or after the year 9999 in UTC, is refused.
    pub fn parse_rfc3339(text: &str) -> Result<Self, Malformed> {
        let millis = rfc3339::parse(text);
        millis.map(Self).ok_or(Malformed::new("the instant must be an RFC 3339 date and time from 1970 to 9999"))
    }

    /// RFC 3339 in UTC with exactly three fraction digits and `Z`. An instant after the year 9999, which
    /// the format cannot name, is shown as that year's last millisecond.
    pub fn rfc3339(self) -> String {
        rfc3339::render(self.0)
    }
}

fn whole_millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
