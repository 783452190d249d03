//! A fresh place for one test on the S3 server that `tests/run` starts.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::{SystemTime, UNIX_EPOCH},
};

/// A prefix in the test bucket that nothing else uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bucket {
    /// Where the S3 server listens, as a URL.
    pub endpoint: String,
    /// What `--store` takes: `s3://bucket/prefix`.
    pub store: String,
}

impl Bucket {
    /// A fresh prefix; `name` makes it recognizable. Panics where there is no test S3 server.
    pub fn fresh(name: &str) -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("a clock after 1970").as_nanos();
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let bucket = required("WADI_TEST_S3_BUCKET");
        Self {
            endpoint: required("WADI_TEST_S3_ENDPOINT"),
            store: format!("s3://{bucket}/{name}-{now:x}-{}-{count}", std::process::id()),
        }
    }
}

/// An environment variable that `tests/run` sets.
fn required(name: &str) -> String {
    std::env::var(name)
        .unwrap_or_else(|_| panic!("{name} is not set, so there is no S3 server to test on: start with tests/run"))
}
