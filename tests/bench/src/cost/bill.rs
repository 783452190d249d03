//! The cost table.

use std::fmt;

use super::{Prices, prices::Bucket};
use crate::{
    limits::{CHUNK_BYTES, FUNCTION_APPEND_SECONDS, FUNCTION_GB, FUNCTION_PAGE_SECONDS, PAGE_BYTES, POLL_IDLE_SECONDS},
    report::Table,
    sample::count,
};

/// Bytes in a GB as it is billed.
const GB: f64 = 1e9;

/// Requests to the store that operations take, as measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Measured {
    /// Writes in an append.
    pub(crate) puts_per_append: f64,
    /// Reads in an append.
    pub(crate) gets_per_append: f64,
    /// Writes for each append that sealing adds.
    pub(crate) sealing_puts_per_append: f64,
    /// Reads in a page of sealed bytes.
    pub(crate) gets_per_page: f64,
}

/// Dollars, line by line.
#[derive(Clone, Debug)]
pub(crate) struct Bill {
    prices: Prices,
    measured: Measured,
}

impl Measured {
    /// What the engine's own tests assert, where a run has not measured it: an append is one write, and
    /// sealing adds two for 50 appends.
    pub(crate) const AS_DESIGNED: Self =
        Self { puts_per_append: 1.0, gets_per_append: 0.0, sealing_puts_per_append: 2.0 / 50.0, gets_per_page: 3.0 };
}

impl Bill {
    /// A bill for what was measured, at these prices.
    pub(crate) fn new(prices: Prices, measured: Measured) -> Self {
        Self { prices, measured }
    }

    /// Dollars for the requests and the time of a million appends, by a function or by a process of one's own.
    fn million_appends(&self, bucket: &Bucket, function: bool) -> f64 {
        let Measured { puts_per_append, gets_per_append, sealing_puts_per_append, .. } = self.measured;
        // What is sealed lies in the usual bucket, whatever bucket the log is in.
        let requests = puts_per_append * bucket.put_list_usd_per_million
            + gets_per_append * bucket.get_usd_per_million
            + sealing_puts_per_append * self.prices.s3_standard.put_list_usd_per_million;
        requests + if function { self.million_calls(FUNCTION_APPEND_SECONDS) } else { 0.0 }
    }

    /// Dollars for a million calls of a function of so many seconds.
    fn million_calls(&self, seconds: f64) -> f64 {
        let lambda = &self.prices.lambda;
        lambda.request_usd_per_million + seconds * FUNCTION_GB * lambda.arm64_usd_per_gb_second * 1e6
    }

    /// Dollars for a tail that is held open for an hour, by a function that looks at the next slot now and then.
    fn tail_hour(&self, function: bool) -> f64 {
        let looks = 3600.0 / POLL_IDLE_SECONDS;
        let time = 3600.0 * FUNCTION_GB * self.prices.lambda.arm64_usd_per_gb_second;
        looks * self.prices.s3_standard.get_usd_per_million / 1e6 + if function { time } else { 0.0 }
    }

    /// Dollars for a GB of history in pages through a function.
    fn gb_through_function(&self) -> f64 {
        let pages = GB / count(PAGE_BYTES);
        let each = self.measured.gets_per_page * self.prices.s3_standard.get_usd_per_million
            + self.million_calls(FUNCTION_PAGE_SECONDS);
        pages * each / 1e6 + self.prices.s3_standard.read_usd_per_gb + self.prices.internet.data_out_usd_per_gb
    }

    /// Dollars for a GB of history in chunks through the CDN, each of which it has already.
    fn gb_through_cdn(&self) -> f64 {
        let cdn = &self.prices.cloudfront;
        let chunks = GB / count(CHUNK_BYTES);
        chunks * (cdn.https_request_usd_per_million + cdn.function_usd_per_million) / 1e6 + cdn.data_out_usd_per_gb
    }
}

impl fmt::Display for Bill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (standard, express) = (&self.prices.s3_standard, &self.prices.s3_express_one_zone);
        let mut table = Table::new(&["what", "own process, $", "functions, $", "made of"]);
        let mut line = |what: &str, own: f64, functions: f64, made_of: &str| {
            table.line(vec![what.to_owned(), dollars(own), dollars(functions), made_of.to_owned()]);
        };
        let (own, functions) = (self.million_appends(standard, false), self.million_appends(standard, true));
        let Measured { puts_per_append, gets_per_append, sealing_puts_per_append, gets_per_page } = self.measured;
        let requests = format!(
            "{puts_per_append:.2} PUT, {gets_per_append:.2} GET, {sealing_puts_per_append:.2} PUT of sealing, each"
        );
        line("a million appends, plain or keyed", own, functions, &requests);
        line("a million messages in batches of 10", own / 10.0, functions / 10.0, "a tenth of the appends");
        let (own, functions) = (self.million_appends(express, false), self.million_appends(express, true));
        let upload = express.upload_usd_per_gb;
        line("a million appends, log in one zone", own, functions, &format!("and {upload} $ a GB of uploads"));
        let storage = standard.storage_usd_per_gb_month;
        line("a GB kept for a month", storage, storage, "storage");
        line("a tail open for an hour", self.tail_hour(false), self.tail_hour(true), "a GET a second while idle");
        let month = self.prices.hours_per_month;
        line("a tail open for a month", self.tail_hour(false) * month, self.tail_hour(true) * month, "the same");
        let own = GB / count(PAGE_BYTES) * gets_per_page * standard.get_usd_per_million / 1e6
            + self.prices.internet.data_out_usd_per_gb;
        let pages = format!("pages of 8 MiB with {gets_per_page:.1} GETs, and traffic");
        line("a GB of history in pages", own, self.gb_through_function(), &pages);
        let cdn = self.gb_through_cdn();
        line("a GB of history through the CDN", cdn, cdn, "chunks of 4 MiB that it has, and traffic");
        line("an idle stream, beyond its storage", 0.0, 0.0, "nothing runs");
        writeln!(f, "Prices of {} as of {}, without free tiers.\n", self.prices.region, self.prices.as_of)?;
        write!(f, "{table}")
    }
}

fn dollars(amount: f64) -> String {
    if amount >= 1.0 || amount == 0.0 { format!("{amount:.2}") } else { format!("{amount:.4}") }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn bill() -> Bill {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../infra/prices.toml");
        Bill::new(Prices::read(&file).unwrap(), Measured::AS_DESIGNED)
    }

    #[test]
    fn an_append_costs_its_requests_and_its_time() {
        let bill = bill();
        let close = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-3, "{found}, not {expected}");
        // 1.04 PUTs at 5.00; then 0.20 for the call and 60 ms of 256 MB.
        close(bill.million_appends(&bill.prices.s3_standard, false), 5.2);
        close(bill.million_appends(&bill.prices.s3_standard, true), 5.2 + 0.2 + 0.06 * 0.25 * 13.3334);
        close(bill.million_appends(&bill.prices.s3_express_one_zone, false), 1.33);
        // 3,600 GETs at 0.40 a million, and an hour of 256 MB.
        close(bill.tail_hour(false), 0.00144);
        close(bill.tail_hour(true), 0.00144 + 0.012);
    }

    #[test]
    fn every_line_is_printed() {
        let text = bill().to_string();
        for line in ["plain or keyed", "batches of 10", "in one zone", "kept for a month", "an hour", "the CDN"] {
            assert!(text.contains(line), "{text}");
        }
        assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
    }
}
