//! Cursors of live reads: what lets a shared cache collapse equal requests without ever looping.

use wadi_protocol::Timestamp;

/// Intervals are counted from 2024-10-09T00:00:00Z (Durable Streams protocol, section 10.1).
const EPOCH_MS: u64 = 1_728_432_000_000;

const INTERVAL_MS: u64 = 20_000;

/// The cursor of a live answer: the number of the current interval, or the one after the client's
/// when that is not below it. Equal requests get equal cursors; a client's never goes back.
pub(super) fn cursor(now: Timestamp, asked: Option<u64>) -> u64 {
    let current = now.as_millis().saturating_sub(EPOCH_MS) / INTERVAL_MS;
    match asked {
        Some(asked) if asked >= current => asked.saturating_add(1),
        _ => current,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cursors_are_interval_numbers_and_never_go_back() {
        let now = Timestamp::from_millis(EPOCH_MS + 1_000 * INTERVAL_MS + 7);
        for (asked, expected) in [
            (None, 1000),
            (Some(0), 1000),
            (Some(999), 1000),
            (Some(1000), 1001),
            (Some(5000), 5001),
            (Some(u64::MAX), u64::MAX),
        ] {
            assert_eq!(cursor(now, asked), expected, "{asked:?}");
        }
        assert_eq!(cursor(Timestamp::EPOCH, None), 0);
    }

    #[test]
    fn a_client_that_echoes_its_cursor_always_gets_a_higher_one() {
        let now = Timestamp::from_millis(EPOCH_MS + 1_000 * INTERVAL_MS);
        let mut last = cursor(now, None);
        for _ in 0..1000 {
            let next = cursor(now, Some(last));
            assert!(next > last);
            last = next;
        }
    }
}
