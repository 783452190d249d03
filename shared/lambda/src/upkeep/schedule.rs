//! The event of a schedule.

use jiff::{Timestamp, civil::Weekday, tz::TimeZone};
use serde::Deserialize;
use wadi_stream::SweepScope;

/// It is time to sweep.
///
/// A schedule may say how far: `{"scope":"full"}` or `{"scope":"recent"}` as its input. The event of a rule
/// without an input has a time instead, and is full once a week.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct ScheduleEvent {
    #[serde(default)]
    scope: Option<Scope>,
    #[serde(default)]
    time: Option<String>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Scope {
    Full,
    Recent,
}

/// Hours of a Monday in which a sweep is a full one: with one every six hours that is one a week.
const FULL_BEFORE_HOUR: i8 = 6;

impl ScheduleEvent {
    pub(super) fn scope(&self) -> SweepScope {
        match (self.scope, self.time.as_deref().and_then(|time| time.parse::<Timestamp>().ok())) {
            (Some(Scope::Full), _) => SweepScope::Full,
            (None, Some(time)) if is_weekly(time) => SweepScope::Full,
            _ => SweepScope::Recent,
        }
    }
}

fn is_weekly(time: Timestamp) -> bool {
    let time = TimeZone::UTC.to_datetime(time);
    time.weekday() == Weekday::Monday && time.hour() < FULL_BEFORE_HOUR
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sweep_is_full_when_it_is_asked_for_and_once_a_week() {
        for (event, scope) in [
            (r#"{"scope":"full"}"#, SweepScope::Full),
            (r#"{"scope":"recent","time":"2026-11-30T03:00:00Z"}"#, SweepScope::Recent),
            (r#"{"time":"2026-11-30T03:00:00Z","source":"aws.events","detail":{}}"#, SweepScope::Full),
            (r#"{"time":"2026-11-30T06:00:00Z"}"#, SweepScope::Recent),
            (r#"{"time":"2026-11-29T23:59:59Z"}"#, SweepScope::Recent),
            (r#"{"time":"soon"}"#, SweepScope::Recent),
            ("{}", SweepScope::Recent),
        ] {
            assert_eq!(serde_json::from_str::<ScheduleEvent>(event).unwrap().scope(), scope, "{event}");
        }
        assert!(serde_json::from_str::<ScheduleEvent>(r#"{"scope":"all"}"#).is_err());
    }
}
