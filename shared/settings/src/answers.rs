//! What answers are like.

use clap::Args;
use wadi_http::{ReadOrigin, Settings};

use crate::switch::Switch;

/// The settings of answers.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Answers")]
pub struct AnswerArgs {
    /// Whether pages of text and JSON are compressed for clients that ask for it.
    #[arg(long, env = "WADI_COMPRESSION", default_value = "on")]
    compression: Switch,
    /// Whether every answer tells in Server-Timing what its request asked of the bucket.
    #[arg(long, env = "WADI_SERVER_TIMING", default_value = "off")]
    server_timing: Switch,
    /// Where immutable URLs can be read, too: a CDN or a public bucket that serves the objects under their
    /// keys. Told on HEAD.
    #[arg(long, env = "WADI_READ_ORIGIN", value_name = "ORIGIN", value_parser = ReadOrigin::parse)]
    read_origin: Option<ReadOrigin>,
}

impl AnswerArgs {
    /// Settings of the HTTP shell, with these in place.
    pub(crate) fn applied_to(&self, settings: Settings) -> Settings {
        Settings {
            compression: self.compression.is_on(),
            server_timing: self.server_timing.is_on(),
            read_origin: self.read_origin.clone(),
            ..settings
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        answers: AnswerArgs,
    }

    fn settings(args: &[&str]) -> Settings {
        Line::try_parse_from([&["wadi"], args].concat()).unwrap().answers.applied_to(Settings::default())
    }

    #[test]
    fn every_setting_reaches_what_it_sets() {
        assert_eq!(settings(&[]), Settings::default());
        assert_eq!(settings(&["--compression", "off"]), Settings { compression: false, ..Settings::default() });
        assert_eq!(settings(&["--server-timing", "on"]), Settings { server_timing: true, ..Settings::default() });
        let read_origin = ReadOrigin::parse("https://cdn.example").ok();
        let told = settings(&["--read-origin", "https://cdn.example"]);
        assert_eq!(told, Settings { read_origin, ..Settings::default() });
    }
}
