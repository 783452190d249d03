//! The published prices, from their one file.

use std::path::Path;

use serde::Deserialize;

use crate::failure::Failure;

/// Prices in US dollars, and their date.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Prices {
    /// The day they were read, as `YYYY-MM-DD`.
    pub(crate) as_of: String,
    /// Where they hold.
    pub(crate) region: String,
    /// Hours that make a month.
    pub(crate) hours_per_month: f64,
    /// The usual bucket.
    pub(crate) s3_standard: Bucket,
    /// A bucket in one zone, for the hot part of a log.
    pub(crate) s3_express_one_zone: Bucket,
    /// Functions.
    pub(crate) lambda: Lambda,
    /// The CDN.
    pub(crate) cloudfront: Cdn,
    /// Traffic to the internet that passes no CDN.
    pub(crate) internet: Internet,
}

/// Prices of a kind of bucket.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct Bucket {
    pub(crate) put_list_usd_per_million: f64,
    pub(crate) get_usd_per_million: f64,
    pub(crate) storage_usd_per_gb_month: f64,
    pub(crate) upload_usd_per_gb: f64,
    pub(crate) read_usd_per_gb: f64,
}

/// Prices of functions.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct Lambda {
    pub(crate) request_usd_per_million: f64,
    pub(crate) arm64_usd_per_gb_second: f64,
}

/// Prices of the CDN.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct Cdn {
    pub(crate) https_request_usd_per_million: f64,
    pub(crate) function_usd_per_million: f64,
    pub(crate) data_out_usd_per_gb: f64,
}

/// Prices of traffic.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct Internet {
    pub(crate) data_out_usd_per_gb: f64,
}

impl Prices {
    /// Reads the file. Prices that are not needed here may be in it, too.
    pub(crate) fn read(file: &Path) -> Result<Self, Failure> {
        let wrong = |error: &dyn std::fmt::Display| {
            Failure::Setting(format!("{}: {error}; name a file with prices by --prices", file.display()))
        };
        let text = std::fs::read_to_string(file).map_err(|error| wrong(&error))?;
        toml::from_str(&text).map_err(|error| wrong(&error))
    }
}
