//! The store's time, as this process knows it.

use std::time::Duration;

use wadi_protocol::Timestamp;

use crate::limits::SUSPENSION_UNNOTICED_MAX;

/// What is known of the store's clock: the newest date it answered, and when that was here.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Dates {
    newest: Option<Sighting>,
    told: Timestamp,
}

#[derive(Clone, Copy, Debug)]
struct Sighting {
    date: Timestamp,
    monotonic: Duration,
    wall: Timestamp,
}

impl Dates {
    /// Takes note of the date of an answer.
    pub(super) fn observe(&mut self, date: Timestamp, monotonic: Duration, wall: Timestamp) {
        if self.newest.is_none_or(|newest| date >= newest.date) {
            self.newest = Some(Sighting { date, monotonic, wall });
        }
    }

    /// Now: the newest date plus the local time since, and never less than what was told before.
    /// `None` until the store has answered once.
    pub(super) fn now(&mut self, monotonic: Duration) -> Option<Timestamp> {
        let newest = self.newest?;
        let now = newest.date.saturating_add(monotonic.saturating_sub(newest.monotonic));
        self.told = self.told.max(now);
        Some(self.told)
    }

    /// Whether the local clocks agree on the time since the newest answer. Where they do not, the
    /// process was suspended meanwhile, and what it takes for now is long past.
    pub(super) fn is_current(&self, monotonic: Duration, wall: Timestamp) -> bool {
        self.newest.is_some_and(|newest| {
            let passed = monotonic.saturating_sub(newest.monotonic);
            wall.since(newest.wall) <= passed.saturating_add(SUSPENSION_UNNOTICED_MAX)
        })
    }

    /// The latest that the store's clock can stand at: time in which the process was suspended
    /// counts, by the wall clock.
    pub(super) fn latest(&mut self, monotonic: Duration, wall: Timestamp) -> Option<Timestamp> {
        let now = self.now(monotonic)?;
        let newest = self.newest?;
        Some(now.max(newest.date.saturating_add(wall.since(newest.wall))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn secs(n: u64) -> Timestamp {
        Timestamp::from_millis(n * 1000)
    }

    #[test]
    fn time_is_unknown_until_the_store_answers() {
        assert_eq!(Dates::default().now(Duration::ZERO), None);
    }

    #[test]
    fn now_never_goes_back_when_a_later_answer_is_dated_earlier() {
        let mut dates = Dates::default();
        dates.observe(secs(100), Duration::ZERO, secs(5));
        assert_eq!(dates.now(Duration::from_secs(3)), Some(secs(103)));
        dates.observe(secs(101), Duration::from_secs(3), secs(8));
        assert_eq!(dates.now(Duration::from_secs(3)), Some(secs(103)));
        assert_eq!(dates.now(Duration::from_secs(6)), Some(secs(104)));
    }

    #[test]
    fn a_suspension_counts_for_the_latest_time_but_not_for_now() {
        let mut dates = Dates::default();
        dates.observe(secs(100), Duration::ZERO, secs(50));
        assert_eq!(dates.now(Duration::from_secs(1)), Some(secs(101)));
        assert_eq!(dates.latest(Duration::from_secs(1), secs(3650)), Some(secs(3700)));
    }

    #[test]
    fn a_suspension_makes_the_time_unknown_until_the_store_answers_again() {
        let mut dates = Dates::default();
        assert!(!dates.is_current(Duration::ZERO, secs(50)));
        dates.observe(secs(100), Duration::ZERO, secs(50));
        assert!(dates.is_current(Duration::from_secs(7), secs(57)));
        assert!(dates.is_current(Duration::from_secs(7), secs(58)), "clocks drift");
        assert!(!dates.is_current(Duration::from_secs(7), secs(59)));
        assert!(dates.is_current(Duration::from_secs(7), secs(1)), "a wall clock set back says nothing");
        dates.observe(secs(102), Duration::from_secs(7), secs(59));
        assert!(dates.is_current(Duration::from_secs(8), secs(60)));
    }

    #[test]
    fn a_wall_clock_set_back_shortens_nothing() {
        let mut dates = Dates::default();
        dates.observe(secs(100), Duration::ZERO, secs(50));
        assert_eq!(dates.latest(Duration::from_secs(7), secs(1)), Some(secs(107)));
    }
}
