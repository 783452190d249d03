//! How large requests and answers may be.

use std::ops::RangeInclusive;

use clap::{
    Args,
    builder::{RangedU64ValueParser, TypedValueParser},
};
use wadi_http::Settings;
use wadi_protocol::limits::{BOOTSTRAP_BYTES_MAX, REQUEST_BYTES_MAX};

use crate::limits::{BOOTSTRAP_BYTES_MIN, REQUEST_BYTES_MIN};

/// The settings of sizes.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Sizes")]
pub struct SizeArgs {
    /// Largest body of a request: what a proxy in front, or the platform, lets through. Told on HEAD and with 413.
    #[arg(long, env = "WADI_REQUEST_BYTES_MAX", value_name = "BYTES", default_value_t = REQUEST_BYTES_MAX)]
    #[arg(value_parser = bytes(REQUEST_BYTES_MIN..=REQUEST_BYTES_MAX))]
    request_bytes_max: u64,
    /// Where a bootstrap ends early, in bytes of the snapshot and of the stream.
    #[arg(long, env = "WADI_BOOTSTRAP_BYTES_MAX", value_name = "BYTES", default_value_t = BOOTSTRAP_BYTES_MAX)]
    #[arg(value_parser = bytes(BOOTSTRAP_BYTES_MIN..=BOOTSTRAP_BYTES_MAX))]
    bootstrap_bytes_max: u64,
}

impl SizeArgs {
    /// Settings of the HTTP shell, with these in place.
    pub(crate) fn applied_to(&self, settings: Settings) -> Settings {
        Settings {
            request_bytes_max: self.request_bytes_max,
            bootstrap_bytes_max: self.bootstrap_bytes_max,
            ..settings
        }
    }
}

fn bytes(bounds: RangeInclusive<u64>) -> impl TypedValueParser<Value = u64> {
    RangedU64ValueParser::<u64>::new().range(bounds)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        sizes: SizeArgs,
    }

    fn parsed(args: &[&str]) -> Result<Settings, String> {
        let line = Line::try_parse_from([&["wadi"], args].concat());
        line.map(|line| line.sizes.applied_to(Settings::default())).map_err(|error| error.to_string())
    }

    #[test]
    fn every_setting_reaches_what_it_sets() {
        let standard = Settings::default();
        assert_eq!(parsed(&[]).unwrap(), standard);
        let request = Settings { request_bytes_max: 4_500_000, ..standard.clone() };
        assert_eq!(parsed(&["--request-bytes-max", "4500000"]).unwrap(), request);
        let bootstrap = Settings { bootstrap_bytes_max: 190_000_000, ..standard };
        assert_eq!(parsed(&["--bootstrap-bytes-max", "190000000"]).unwrap(), bootstrap);
    }

    #[test]
    fn values_beyond_the_bounds_are_refused_with_the_bounds() {
        for (args, told) in [
            (["--request-bytes-max", "0"], "1..=8388608"),
            (["--request-bytes-max", "8388609"], "1..=8388608"),
            (["--bootstrap-bytes-max", "0"], "1..=268435456"),
            (["--bootstrap-bytes-max", "268435457"], "1..=268435456"),
            (["--bootstrap-bytes-max", "1MiB"], "invalid digit"),
        ] {
            let message = parsed(&args).unwrap_err();
            assert!(message.contains(told), "{args:?}: {message}");
        }
    }
}
