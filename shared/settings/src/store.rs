//! The bucket, and how it is opened.

use std::sync::Arc;

use clap::Args;
use wadi_store::{S3Settings, S3Store, SharedStore};

use crate::{Place, SettingsError};

const STORE_HELP: &str = "A directory, made if there is none, or s3://bucket[/prefix]";

/// Where the data is.
#[derive(Clone, Debug, Args)]
pub struct StoreArgs {
    /// A directory, or a bucket of S3.
    #[arg(long = "store", env = "WADI_STORE", help = STORE_HELP, value_name = "WHERE")]
    #[arg(default_value = "./wadi-data", value_parser = Place::parse)]
    pub place: Place,
    /// The S3 service's URL, if it is not Amazon's.
    #[arg(long, env = "WADI_ENDPOINT", value_name = "URL")]
    pub endpoint: Option<String>,
    /// The bucket's region [default: that of the AWS settings; with --endpoint, else us-east-1].
    #[arg(long, env = "WADI_REGION")]
    pub region: Option<String>,
}

/// Opens the store. A directory is opened whole; a bucket is not asked for anything yet.
pub async fn open_store(args: &StoreArgs) -> Result<SharedStore, SettingsError> {
    match args.place.clone() {
        #[cfg(feature = "embedded")]
        Place::Directory(path) => crate::directory::open(path).await,
        #[cfg(not(feature = "embedded"))]
        Place::Directory(_) => Err(SettingsError::NoDirectory),
        Place::S3 { bucket, prefix } => {
            let settings = S3Settings {
                bucket,
                prefix: Some(prefix).filter(|prefix| !prefix.is_empty()),
                endpoint: args.endpoint.clone(),
                region: args.region.clone(),
                ..S3Settings::default()
            };
            Ok(Arc::new(S3Store::connect(settings).await?))
        }
    }
}
