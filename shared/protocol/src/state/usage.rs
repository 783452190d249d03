//! Usage of a stream by calendar month: writes, messages, write units and bytes.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Timestamp, limits::WRITE_UNIT_BYTES};

/// A calendar month in UTC: `12 * year + month - 1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Month(u32);

impl Month {
    /// The month that holds an instant. Instants beyond the year 9999 count to its last month.
    pub fn of(at: Timestamp) -> Self {
        let instant = i64::try_from(at.as_millis())
            .ok()
            .and_then(|millis| jiff::Timestamp::from_millisecond(millis).ok())
            .unwrap_or(jiff::Timestamp::MAX);
        let date = jiff::tz::Offset::UTC.to_datetime(instant).date();
        Self(u32::from(date.year().unsigned_abs()) * 12 + u32::from(date.month().unsigned_abs()) - 1)
    }
}

/// What was written in one month.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counters {
    /// Appends that applied, and the create.
    pub writes: u64,
    /// Messages: on JSON streams the values, elsewhere one an append.
    pub messages: u64,
    /// Units of 10 KiB, at least one a write.
    pub write_units: u64,
    /// Bytes as stored.
    pub bytes: u64,
}

/// Usage by month, since the stream was created.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Usage(BTreeMap<Month, Counters>);

impl Usage {
    /// Counts one write. A close without bytes is not counted.
    pub fn count(&mut self, at: Timestamp, messages: u64, bytes: u64) {
        let counters = self.0.entry(Month::of(at)).or_default();
        counters.writes += 1;
        counters.messages = counters.messages.saturating_add(messages);
        counters.write_units = counters.write_units.saturating_add(bytes.div_ceil(WRITE_UNIT_BYTES).max(1));
        counters.bytes = counters.bytes.saturating_add(bytes);
    }

    /// What was written in the month that holds `at`.
    pub fn in_month_of(&self, at: Timestamp) -> Counters {
        self.0.get(&Month::of(at)).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months_follow_the_calendar() {
        let rows = [
            (0, 1970, 1),
            (951_782_400_000, 2000, 2),    // 2000-02-29
            (951_868_800_000, 2000, 3),    // 2000-03-01
            (1_796_083_199_999, 2026, 11), // 2026-11-30T23:59:59.999
            (1_796_083_200_000, 2026, 12),
            (4_107_542_400_000, 2100, 3), // 2100 is no leap year
            (u64::MAX, 9999, 12),
        ];
        for (millis, year, month) in rows {
            assert_eq!(Month::of(Timestamp::from_millis(millis)), Month(year * 12 + month - 1), "{millis}");
        }
    }

    #[test]
    fn every_write_costs_at_least_one_unit() {
        let mut usage = Usage::default();
        for bytes in [0, 1, 10_240, 10_241] {
            usage.count(Timestamp::EPOCH, 1, bytes);
        }
        let counted = usage.in_month_of(Timestamp::EPOCH);
        assert_eq!(counted, Counters { writes: 4, messages: 4, write_units: 5, bytes: 20_482 });
    }
}
