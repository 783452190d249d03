//! The settings of the functions: those of the `wadi` command, from the environment alone.

use clap::{Args, Parser};
use wadi_http::Settings;
use wadi_settings::{Access, HttpArgs, LogArgs, Place, StoreArgs, UpkeepArgs};
use wadi_stream::{EngineSettings, Sealing};

use crate::{
    StartError,
    http::{OriginSecrets, Secret},
    limits::{BOOTSTRAP_BYTES_MAX, MEMORY_MIB_MIN, REQUEST_BYTES_MAX},
    memory::Memory,
};

/// What every function has.
#[derive(Clone, Debug, Args)]
pub(crate) struct CommonArgs {
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    #[command(flatten)]
    pub(crate) logs: LogArgs,
    /// MiB of memory, as Lambda says it to every function.
    #[arg(long, env = "AWS_LAMBDA_FUNCTION_MEMORY_SIZE", default_value_t = MEMORY_MIB_MIN)]
    memory_mib: u64,
}

/// The settings of what serves streams.
#[derive(Clone, Debug, Parser)]
#[command(no_binary_name = true)]
pub(crate) struct StreamArgs {
    #[command(flatten)]
    pub(crate) common: CommonArgs,
    #[command(flatten)]
    http: HttpArgs,
    #[command(flatten)]
    upkeep: UpkeepArgs,
    /// What requests bring that come from the CDN, and no others.
    #[arg(long, env = "WADI_ORIGIN_SECRETS", hide_env_values = true)]
    origin_secrets: Option<Secret>,
}

/// The settings of what keeps the bucket tidy.
#[derive(Clone, Debug, Parser)]
#[command(no_binary_name = true)]
pub(crate) struct BucketArgs {
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

/// The settings, from the environment.
pub(crate) fn read<T: Parser>() -> Result<T, StartError> {
    T::try_parse_from::<[&str; 0], &str>([]).map_err(|error| StartError::Environment(error.to_string()))
}

impl CommonArgs {
    /// What all keys of the bucket begin with, without slashes around it; may be empty.
    pub(crate) fn prefix(&self) -> Result<&str, StartError> {
        match &self.store.place {
            Place::S3 { prefix, .. } => Ok(prefix),
            Place::Directory(_) => Err(StartError::NoBucket),
        }
    }

    /// The settings of an engine of which nothing is asked but that it fits into the memory.
    pub(crate) fn engine(&self) -> EngineSettings {
        self.memory().applied_to(EngineSettings::default())
    }

    fn memory(&self) -> Memory {
        Memory::of_mib(self.memory_mib)
    }
}

impl StreamArgs {
    /// The secrets, if requests need one. Refuses settings that say nothing on access.
    pub(crate) fn secrets(&self) -> Result<Option<OriginSecrets>, StartError> {
        if self.http.access != Some(Access::Off) {
            return Err(StartError::AccessNotStated);
        }
        self.origin_secrets.as_ref().map(OriginSecrets::parse).transpose()
    }

    /// The settings of the HTTP shell, as far as the platform has its way with them.
    pub(crate) fn http(&self) -> Settings {
        let settings = self.http.settings();
        Settings {
            // What fits into an event, however much more is allowed.
            request_bytes_max: settings.request_bytes_max.min(REQUEST_BYTES_MAX),
            bootstrap_bytes_max: settings.bootstrap_bytes_max.min(BOOTSTRAP_BYTES_MAX),
            bodies_in_flight_bytes_max: self.common.memory().bodies_in_flight_bytes_max(),
            // The platform takes codings off streamed answers, and what was said of their bytes would be wrong.
            compression: false,
            ..settings
        }
    }

    /// The settings of the engine. What would run in the background is left to events.
    pub(crate) fn engine(&self) -> Result<EngineSettings, StartError> {
        let sealing = match self.upkeep.sealing() {
            Sealing::Background | Sealing::Events => Sealing::Events,
            Sealing::Elsewhere => Sealing::Elsewhere,
        };
        Ok(EngineSettings { polling: self.http.live.polling()?, sealing, ..self.common.engine() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(line: &[&str]) -> StreamArgs {
        StreamArgs::try_parse_from(line).unwrap()
    }

    #[test]
    fn a_function_needs_a_word_on_access_and_a_bucket() {
        assert!(matches!(args(&[]).secrets(), Err(StartError::AccessNotStated)));
        assert!(matches!(args(&["--access", "off"]).secrets(), Ok(None)));
        assert!(matches!(args(&["--store", "./data"]).common.prefix(), Err(StartError::NoBucket)));
        assert_eq!(args(&["--store", "s3://bucket/a/"]).common.prefix().unwrap(), "a");
    }

    #[test]
    fn the_platform_bounds_what_settings_allow() {
        let http = args(&["--compression", "on"]).http();
        assert_eq!((http.request_bytes_max, http.bootstrap_bytes_max), (REQUEST_BYTES_MAX, BOOTSTRAP_BYTES_MAX));
        assert!(!http.compression);
        for (sealing, expected) in [("on", Sealing::Events), ("events", Sealing::Events), ("off", Sealing::Elsewhere)] {
            assert_eq!(args(&["--sealing", sealing]).engine().unwrap().sealing, expected);
        }
    }

    #[test]
    fn caches_and_bodies_follow_the_memory_of_the_function() {
        let small = args(&["--memory-mib", "256"]);
        let (engine, http) = (small.engine().unwrap(), small.http());
        assert_eq!((engine.state_cache_bytes, engine.payload_cache_bytes), (64 << 20, 32 << 20));
        assert_eq!(http.bodies_in_flight_bytes_max, 32 << 20);
        assert_eq!(args(&["--memory-mib", "3008"]).common.engine(), EngineSettings::default());
    }

    #[test]
    fn a_secret_that_is_none_is_refused_and_told_to_nobody() {
        let args = args(&["--access", "off", "--origin-secrets", "too-short"]);
        let error = args.secrets().unwrap_err();
        assert!(matches!(error, StartError::Secrets));
        assert!(!format!("{args:?} {error}").contains("too-short"));
    }
}
