//! How live reads are served.

use std::time::Duration;

use clap::Args;
use wadi_http::{Settings, limits};
use wadi_stream::Polling;

use crate::{
    SettingsError,
    duration::within,
    limits::{LIVE_READS_MAX, POLL_MAX, POLL_MIN, SSE_LIFETIME_MAX, SSE_LIFETIME_MIN},
};

/// The settings of live reads.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Live reads")]
pub struct LiveArgs {
    /// Live reads open at once in this process; a further one is answered 503.
    #[arg(long, env = "WADI_TAILS_MAX", value_name = "NUMBER", default_value_t = limits::LIVE_READS_MAX)]
    #[arg(value_parser = live_reads)]
    tails_max: usize,
    /// How long a connection of server-sent events stays open; up to a tenth less, by chance.
    #[arg(long, env = "WADI_SSE_LIFETIME", value_name = "DURATION", default_value = "55s")]
    #[arg(value_parser = within(SSE_LIFETIME_MIN..=SSE_LIFETIME_MAX))]
    sse_lifetime: Duration,
    /// The longest that a long-poll waits, whatever it asks for.
    #[arg(long, env = "WADI_LONG_POLL_MAX", value_name = "DURATION", default_value = "60s")]
    #[arg(value_parser = within(limits::LONG_POLL_WAIT_MIN..=limits::LONG_POLL_WAIT_MAX))]
    long_poll_max: Duration,
    /// How soon the bucket is asked again for what other processes append, right after there was some.
    #[arg(long, env = "WADI_POLL_BUSY", value_name = "DURATION", default_value = "50ms")]
    #[arg(value_parser = within(POLL_MIN..=POLL_MAX))]
    poll_busy: Duration,
    /// How soon at the latest: the pause doubles up to this while there is nothing.
    #[arg(long, env = "WADI_POLL_IDLE", value_name = "DURATION", default_value = "1s")]
    #[arg(value_parser = within(POLL_MIN..=POLL_MAX))]
    poll_idle: Duration,
}

impl LiveArgs {
    /// Settings of the HTTP shell, with these in place.
    pub(crate) fn applied_to(&self, settings: Settings) -> Settings {
        Settings {
            live_reads_max: self.tails_max,
            sse_lifetime: self.sse_lifetime,
            long_poll_wait_max: self.long_poll_max,
            ..settings
        }
    }

    /// How the engine looks for what other processes append.
    pub fn polling(&self) -> Result<Polling, SettingsError> {
        let polling = Polling { busy: self.poll_busy, idle: self.poll_idle };
        if polling.busy <= polling.idle { Ok(polling) } else { Err(SettingsError::PollingUpsideDown(polling)) }
    }
}

fn live_reads(text: &str) -> Result<usize, String> {
    let number = text.trim().parse::<usize>().ok().filter(|number| (1..=LIVE_READS_MAX).contains(number));
    number.ok_or_else(|| format!("must be a number from 1 to {LIVE_READS_MAX}"))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        live: LiveArgs,
    }

    fn parsed(args: &[&str]) -> Result<LiveArgs, String> {
        let line = Line::try_parse_from([&["wadi"], args].concat());
        line.map(|line| line.live).map_err(|error| error.to_string())
    }

    #[test]
    fn without_a_word_everything_is_as_the_libraries_have_it() {
        let args = parsed(&[]).unwrap();
        assert_eq!(args.applied_to(Settings::default()), Settings::default());
        assert_eq!(args.polling().unwrap(), Polling::default());
    }

    #[test]
    fn every_setting_reaches_what_it_sets() {
        let args = parsed(&["--tails-max", "7", "--sse-lifetime", "2m", "--long-poll-max", "25s"]).unwrap();
        let expected = Settings {
            live_reads_max: 7,
            sse_lifetime: Duration::from_mins(2),
            long_poll_wait_max: Duration::from_secs(25),
            ..Settings::default()
        };
        assert_eq!(args.applied_to(Settings::default()), expected);
        let polling = parsed(&["--poll-busy", "20ms", "--poll-idle", "250ms"]).unwrap().polling().unwrap();
        assert_eq!(polling, Polling { busy: Duration::from_millis(20), idle: Duration::from_millis(250) });
    }

    #[test]
    fn values_beyond_the_bounds_are_refused_with_the_bounds() {
        for (args, told) in [
            (["--tails-max", "0"], "from 1 to 1000000"),
            (["--tails-max", "1000001"], "from 1 to 1000000"),
            (["--sse-lifetime", "999ms"], "from 1s to 3600s"),
            (["--long-poll-max", "61s"], "from 1ms to 60s"),
            (["--poll-busy", "9ms"], "from 10ms to 60s"),
            (["--poll-idle", "0s"], "from 10ms to 60s"),
        ] {
            let message = parsed(&args).unwrap_err();
            assert!(message.contains(told), "{args:?}: {message}");
        }
    }

    #[test]
    fn a_busy_pause_is_not_longer_than_the_idle_one() {
        let args = parsed(&["--poll-busy", "2s"]).unwrap();
        let message = args.polling().unwrap_err().to_string();
        assert!(message.contains("--poll-busy") && message.contains("--poll-idle"), "{message}");
    }
}
