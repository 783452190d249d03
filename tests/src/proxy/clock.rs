//! A store's clock that is ahead of everybody else's.

use std::time::{Duration, SystemTime};

use hyper::{
    HeaderMap,
    header::{DATE, HeaderName, HeaderValue, LAST_MODIFIED},
};

/// What turns the dates of answers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    by: Duration,
    /// Objects written before it was turned keep their dates.
    since: SystemTime,
}

impl Clock {
    /// A clock that is ahead from now on.
    pub(super) fn ahead(by: Duration) -> Self {
        Self { by, since: SystemTime::now() }
    }

    /// Turns the dates of an answer.
    pub(super) fn turn(self, headers: &mut HeaderMap) {
        self.turn_one(headers, DATE);
        self.turn_one(headers, LAST_MODIFIED);
    }

    fn turn_one(self, headers: &mut HeaderMap, name: HeaderName) {
        let date = headers
            .get(&name)
            .and_then(|value| value.to_str().ok())
            .and_then(|text| httpdate::parse_http_date(text).ok());
        // Dates are cut to seconds.
        let turned = date.filter(|date| *date + Duration::from_secs(1) > self.since).map(|date| date + self.by);
        if let Some(value) = turned.and_then(|date| HeaderValue::from_str(&httpdate::fmt_http_date(date)).ok()) {
            headers.insert(name, value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Clock;
    use hyper::{HeaderMap, header};
    use std::time::{Duration, SystemTime};

    #[test]
    fn dates_from_now_on_are_turned_and_older_ones_are_not() {
        let hour = Duration::from_hours(1);
        let now = SystemTime::now();
        let text = |date: SystemTime| httpdate::fmt_http_date(date);
        let mut headers = HeaderMap::new();
        headers.insert(header::DATE, text(now).parse().expect("a header"));
        headers.insert(header::LAST_MODIFIED, text(now - hour).parse().expect("a header"));
        Clock::ahead(hour).turn(&mut headers);
        assert_eq!(headers[header::DATE], text(now + hour));
        assert_eq!(headers[header::LAST_MODIFIED], text(now - hour));
    }
}
