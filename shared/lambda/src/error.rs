//! Why a function does not start, and what to do about it.

use std::io;

use thiserror::Error;
use wadi_settings::SettingsError;
use wadi_store::Unfit;

use crate::limits::{SECRET_BYTES_MIN, SECRETS_MAX};

/// A reason not to start.
#[derive(Debug, Error)]
pub enum StartError {
    /// The program was started by hand.
    #[error("this is a Lambda function, to be started by Lambda; `wadi serve` serves without it")]
    NotInLambda,
    /// An environment variable has no value that can be used. The text says which, and what can be.
    #[error("{0}")]
    Environment(String),
    /// Nothing was said on access.
    #[error(
        "there is no access control yet: whoever reaches this function reads, writes and deletes every stream. Set \
         WADI_ACCESS=off if that is meant"
    )]
    AccessNotStated,
    /// The data would be in a directory of the environment, and lost with it.
    #[error("WADI_STORE must be s3://bucket or s3://bucket/prefix: a function keeps nothing of its own")]
    NoBucket,
    /// A list of secrets that is none.
    #[error(
        "WADI_ORIGIN_SECRETS must be one secret, or {SECRETS_MAX} with a comma while one replaces the other, each of at \
         least {SECRET_BYTES_MIN} visible ASCII characters"
    )]
    Secrets,
    /// A setting cannot be used.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The store broke a promise, or could not be asked.
    #[error("{0}")]
    Unfit(Unfit),
    /// The verdict on the store cannot be read.
    #[error("the bucket does not answer; the log above says why. Nothing was lost: the next invocation tries again")]
    StoreUnavailable,
    /// Threads or timers are not to be had.
    #[error("the function cannot start its threads: {0}")]
    Runtime(io::Error),
    /// Lambda does not talk to the function any more.
    #[error("the connection to Lambda broke: {0}")]
    Lambda(String),
}
