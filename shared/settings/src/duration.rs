//! Durations on the command line.

use std::{ops::RangeInclusive, time::Duration};

use jiff::SignedDuration;
use thiserror::Error;

/// A text that is no duration, or none that is allowed.
#[derive(Debug, Error)]
#[error("must be a duration such as 50ms, 55s or 1m, from {min:?} to {max:?}")]
pub(crate) struct InvalidDuration {
    min: Duration,
    max: Duration,
}

/// A parser of durations with their unit (`50ms`, `1m 30s`) within bounds.
pub(crate) fn within(
    bounds: RangeInclusive<Duration>,
) -> impl Fn(&str) -> Result<Duration, InvalidDuration> + Clone + Send + Sync {
    move |text| {
        let parsed = text.trim().parse::<SignedDuration>().ok().and_then(|parsed| Duration::try_from(parsed).ok());
        parsed
            .filter(|parsed| bounds.contains(parsed))
            .ok_or_else(|| InvalidDuration { min: *bounds.start(), max: *bounds.end() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_a_unit_and_bounds() {
        let parse = within(Duration::from_millis(10)..=Duration::from_mins(2));
        for (text, millis) in [
            ("10ms", Some(10)),
            ("2m", Some(120_000)),
            ("1m 30s", Some(90_000)),
            (" 1.5s ", Some(1500)),
            ("PT5S", Some(5000)),
            ("9ms", None),
            ("121s", None),
            ("-5s", None),
            ("5", None),
            ("", None),
            ("5 parsecs", None),
            ("99999999999999999999h", None),
        ] {
            assert_eq!(parse(text).ok(), millis.map(Duration::from_millis), "{text:?}");
        }
        let message = parse("5").unwrap_err().to_string();
        assert_eq!(message, "must be a duration such as 50ms, 55s or 1m, from 10ms to 120s");
    }
}
