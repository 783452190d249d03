//! The command line and the environment.

#[cfg(test)]
mod page_tests;

use std::net::SocketAddr;

use clap::{Args, Parser, Subcommand};
use wadi_protocol::{Resource, StreamKey, Target, parse_hosted, parse_upstream};

use wadi_settings::{Access, HttpArgs, LogArgs, StoreArgs, UpkeepArgs};

use crate::error::StartError;

/// Durable streams from nothing but a bucket. Without a command, it serves.
#[derive(Debug, Parser)]
#[command(name = "wadi", version, args_conflicts_with_subcommands = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    serve: ServeArgs,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Serve streams over HTTP.
    Serve(ServeArgs),
    /// Prove that the store honours conditional writes, on which everything rests.
    ///
    /// Ends with 0 when it does, 1 when it does not, 2 when it could not be asked.
    Selftest(SelftestArgs),
    /// Remove from the bucket what nothing needs any more.
    ///
    /// A process that serves does so by itself now and then; run it from a schedule where none does.
    Sweep(SweepArgs),
    /// Read streams whole from the bucket and tell whether anything is wrong with them.
    ///
    /// Ends with 0 when all is well, 1 when something is not, 2 when the bucket does not answer.
    Verify(VerifyArgs),
}

/// How to serve.
#[derive(Clone, Debug, Args)]
pub(crate) struct ServeArgs {
    /// Address to listen on; port 0 takes any free port.
    #[arg(long, env = "WADI_LISTEN", default_value = "127.0.0.1:4437", value_name = "IP:PORT")]
    listen: SocketAddr,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    #[command(flatten)]
    pub(crate) http: HttpArgs,
    #[command(flatten)]
    pub(crate) upkeep: UpkeepArgs,
    #[command(flatten)]
    logs: LogArgs,
}

/// How to sweep.
#[derive(Clone, Debug, Args)]
pub(crate) struct SweepArgs {
    /// Look only at names that changed in the last days: cheap, and enough from day to day.
    #[arg(long)]
    pub(crate) recent: bool,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    #[command(flatten)]
    logs: LogArgs,
}

/// What to verify.
#[derive(Clone, Debug, Args)]
pub(crate) struct VerifyArgs {
    /// The path of a stream's URL, such as /v1/stream/hello or /ds/acct/hello [default: all streams].
    #[arg(value_parser = stream_path)]
    pub(crate) stream: Option<StreamKey>,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    #[command(flatten)]
    logs: LogArgs,
}

/// How to test a store.
#[derive(Clone, Debug, Args)]
pub(crate) struct SelftestArgs {
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    #[command(flatten)]
    logs: LogArgs,
}

impl Cli {
    /// What to do: serving, where nothing is said.
    pub(crate) fn command(self) -> Command {
        self.command.unwrap_or(Command::Serve(self.serve))
    }
}

impl Command {
    /// How to log.
    pub(crate) fn logs(&self) -> &LogArgs {
        match self {
            Self::Serve(args) => &args.logs,
            Self::Selftest(args) => &args.logs,
            Self::Sweep(args) => &args.logs,
            Self::Verify(args) => &args.logs,
        }
    }
}

/// A stream by the path of its URL, or by the whole URL.
fn stream_path(text: &str) -> Result<StreamKey, String> {
    let path = text.split_once("://").map_or(text, |(_, rest)| rest.find('/').map_or("", |start| &rest[start..]));
    let target = match (path.strip_prefix("/ds/"), path.strip_prefix("/v1/stream/")) {
        (Some(below), _) => parse_hosted(below).ok_or("there is no such URL")?,
        (_, Some(below)) => parse_upstream(below),
        _ => return Err("must begin with /ds/ or /v1/stream/, as a stream's URL does".to_owned()),
    };
    match target {
        Target { stream: Ok(key), resource: Resource::Stream } => Ok(key),
        Target { stream: Err(error), .. } => Err(error.to_string()),
        Target { .. } => Err("names a resource below a stream; name the stream".to_owned()),
    }
}

impl ServeArgs {
    /// Where to listen. Refused for an address that other machines reach, unless access is said to be off.
    pub(crate) fn address(&self) -> Result<SocketAddr, StartError> {
        if self.listen.ip().to_canonical().is_loopback() || self.http.access == Some(Access::Off) {
            Ok(self.listen)
        } else {
            Err(StartError::AccessNotStated(self.listen))
        }
    }
}

#[cfg(test)]
mod tests {
    use wadi_http::Lifecycle;

    use super::*;

    fn served(args: &[&str]) -> Result<ServeArgs, String> {
        let cli = Cli::try_parse_from([&["wadi"], args].concat()).map_err(|error| error.to_string())?;
        match cli.command() {
            Command::Serve(args) => Ok(args),
            Command::Selftest(_) => Err("a self-test".to_owned()),
            Command::Sweep(_) | Command::Verify(_) => Err("upkeep".to_owned()),
        }
    }

    #[test]
    fn serving_is_what_happens_without_a_command() {
        for args in [&[][..], &["serve"], &["--lifecycle", "open"], &["serve", "--lifecycle", "open"]] {
            let open = args.contains(&"open");
            let expected = if open { Lifecycle::Open } else { Lifecycle::Managed };
            assert_eq!(served(args).map(|args| args.http.settings().lifecycle), Ok(expected), "{args:?}");
        }
        assert_eq!(served(&["selftest"]).unwrap_err(), "a self-test");
    }

    #[test]
    fn a_stream_is_named_by_its_url() {
        for (text, key) in [
            ("/v1/stream/hello", Some("default/hello")),
            ("/v1/stream/a/b", Some("default/a%2Fb")),
            ("/ds/acct/hello", Some("acct/hello")),
            ("http://127.0.0.1:4437/ds/acct/hello", Some("acct/hello")),
            ("hello", None),
            ("/ds/hello", None),
            ("/ds/acct/hello/bootstrap", None),
            ("http://host", None),
            ("", None),
        ] {
            assert_eq!(stream_path(text).ok().map(|key| key.key_text()).as_deref(), key, "{text}");
        }
    }

    #[test]
    fn an_address_that_others_reach_needs_a_word_on_access() {
        for (listen, loopback) in [
            ("127.0.0.1:4437", true),
            ("127.8.9.10:0", true),
            ("[::1]:4437", true),
            ("[::ffff:127.0.0.1]:1", true),
            ("0.0.0.0:4437", false),
            ("[::]:4437", false),
            ("192.168.1.5:80", false),
        ] {
            assert_eq!(served(&["--listen", listen]).unwrap().address().is_ok(), loopback, "{listen}");
            let stated = served(&["--listen", listen, "--access", "off"]).unwrap().address().unwrap();
            assert_eq!(stated, listen.parse().unwrap());
        }
    }

    #[test]
    fn values_that_make_no_sense_are_refused_at_once() {
        for args in [
            ["--listen", "localhost"],
            ["--access", "on"],
            ["--lifecycle", "none"],
            ["--store", ""],
            ["--store", "gs://bucket"],
            ["--store", "s3://"],
            ["--allowed-origins", "example.com"],
            ["--public-url", "example.com"],
            ["--read-origin", "https://cdn.example/path"],
            ["--log-format", "xml"],
        ] {
            assert!(served(&args).is_err(), "{args:?}");
        }
    }
}
