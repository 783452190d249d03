//! Dates and times as RFC 3339 writes them. The calendar is jiff's; the grammar is checked here because
//! general parsers take more than the RFC does (other separators, missing parts, zone names).

use jiff::{SignedDuration, civil::DateTime};

const EPOCH: DateTime = DateTime::constant(1970, 1, 1, 0, 0, 0, 0);
const LAST_MILLI: DateTime = DateTime::constant(9999, 12, 31, 23, 59, 59, 999_000_000);
const DAY_SECONDS: i64 = 24 * 60 * 60;

/// Milliseconds since 1970, or `None` when `text` is no RFC 3339 date and time from 1970 to 9999 (UTC).
pub(super) fn parse(text: &str) -> Option<u64> {
    let mut rest = text.as_bytes();
    let year = digits(&mut rest, 4)?;
    one_of(&mut rest, b"-")?;
    let month = digits(&mut rest, 2)?;
    one_of(&mut rest, b"-")?;
    let day = digits(&mut rest, 2)?;
    one_of(&mut rest, b"Tt")?;
    let hour = digits(&mut rest, 2)?;
    one_of(&mut rest, b":")?;
    let minute = digits(&mut rest, 2)?;
    one_of(&mut rest, b":")?;
    let second = digits(&mut rest, 2)?;
    let millis = fraction(&mut rest)?;
    let offset = offset_seconds(&mut rest)?;
    if !rest.is_empty() {
        return None;
    }
    let minutes = minutes_since_epoch([year, month, day, hour, minute])?;
    let seconds = with_second(minutes * 60 - offset, second)?;
    let total = u64::try_from(seconds.checked_mul(1000)?.checked_add(millis)?).ok()?;
    (total <= last_millis()).then_some(total)
}

/// The instant `millis` after 1970 in UTC, with three fraction digits; at most the end of the year 9999.
pub(super) fn render(millis: u64) -> String {
    let bounded = i64::try_from(millis.min(last_millis())).unwrap_or(i64::MAX);
    let at = EPOCH.saturating_add(SignedDuration::from_millis(bounded));
    format!(
        "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z",
        at.year(),
        at.month(),
        at.day(),
        at.hour(),
        at.minute(),
        at.second(),
        at.millisecond()
    )
}

fn last_millis() -> u64 {
    u64::try_from(LAST_MILLI.duration_since(EPOCH).as_millis()).unwrap_or(u64::MAX)
}

fn minutes_since_epoch([year, month, day, hour, minute]: [i64; 5]) -> Option<i64> {
    let small = |value: i64| i8::try_from(value).ok();
    let year = i16::try_from(year).ok()?;
    let local = DateTime::new(year, small(month)?, small(day)?, small(hour)?, small(minute)?, 0, 0).ok()?;
    Some(local.duration_since(EPOCH).as_secs() / 60)
}

/// A second numbered 60 is a leap second. One can only be the last of a day in UTC; here it is the same
/// instant as the first second of the next day.
fn with_second(minute_start: i64, second: i64) -> Option<i64> {
    let instant = minute_start + second;
    let valid = second < 60 || (second == 60 && instant.rem_euclid(DAY_SECONDS) == 0);
    valid.then_some(instant)
}

/// Milliseconds of an optional fraction: a dot and any number of digits, at least one.
fn fraction(rest: &mut &[u8]) -> Option<i64> {
    if one_of(rest, b".").is_none() {
        return Some(0);
    }
    let length = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (given, after) = rest.split_at(length);
    *rest = after;
    let digit = |place: usize| given.get(place).map_or(0, |byte| i64::from(byte - b'0'));
    (length > 0).then(|| digit(0) * 100 + digit(1) * 10 + digit(2))
}

/// Seconds by which the local time is ahead of UTC.
fn offset_seconds(rest: &mut &[u8]) -> Option<i64> {
    let sign = match one_of(rest, b"Zz+-")? {
        b'+' => 1,
        b'-' => -1,
        _ => return Some(0),
    };
    let hours = digits(rest, 2)?;
    one_of(rest, b":")?;
    let minutes = digits(rest, 2)?;
    (hours < 24 && minutes < 60).then_some(sign * (hours * 60 + minutes) * 60)
}

fn digits(rest: &mut &[u8], count: usize) -> Option<i64> {
    let (given, after) = rest.split_at_checked(count)?;
    *rest = after;
    given.iter().try_fold(0, |value, byte| byte.is_ascii_digit().then(|| value * 10 + i64::from(byte - b'0')))
}

fn one_of(rest: &mut &[u8], allowed: &[u8]) -> Option<u8> {
    let (first, after) = rest.split_first()?;
    allowed.contains(first).then(|| {
        *rest = after;
        *first
    })
}

#[cfg(test)]
#[path = "rfc3339_tests.rs"]
mod tests;
