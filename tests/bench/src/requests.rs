//! Requests to the store.

use std::ops::AddAssign;

use serde::Serialize;

/// Requests that cost something, by their price.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Requests {
    /// Writes and listings.
    pub(crate) put: u64,
    /// Reads.
    pub(crate) get: u64,
}

impl Requests {
    /// The metric `store` of a `Server-Timing` header of Wadi, such as `store;desc="put=1 get=0 list=0";dur=1.2`.
    pub(crate) fn parse(header: &str) -> Self {
        let described = header.split_once("desc=\"").and_then(|(_, rest)| rest.split_once('"'));
        let mut requests = Self::default();
        for (kind, count) in described.map_or("", |(counts, _)| counts).split(' ').filter_map(|it| it.split_once('=')) {
            let count = count.parse::<u64>().unwrap_or_default();
            match kind {
                "put" | "list" => requests.put += count,
                "get" => requests.get += count,
                _ => {}
            }
        }
        requests
    }

    /// One write.
    pub(crate) const ONE_PUT: Self = Self { put: 1, get: 0 };
    /// One read.
    pub(crate) const ONE_GET: Self = Self { put: 0, get: 1 };
}

impl AddAssign for Requests {
    fn add_assign(&mut self, other: Self) {
        self.put += other.put;
        self.get += other.get;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_answer_tells_is_read() {
        let header = r#"store;desc="put=1 get=2 list=3 delete=9";dur=12.3"#;
        assert_eq!(Requests::parse(header), Requests { put: 4, get: 2 });
        assert_eq!(Requests::parse("db;dur=1"), Requests::default());
    }
}
