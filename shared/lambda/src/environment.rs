//! An environment's start: the bucket, the verdict on it, the engine.

use std::{env, sync::Arc};

use wadi_settings::{StoreArgs, open_store};
use wadi_store::MeteredStore;
use wadi_stream::{Engine, EngineSettings, TokioRuntime};

use crate::{StartError, fitness, settings::CommonArgs};

/// Where the AWS settings name another service than Amazon's.
const ENDPOINTS: [&str; 2] = ["AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3"];

/// The engine of this environment.
pub(crate) async fn engine(args: &CommonArgs, settings: EngineSettings) -> Result<Engine, StartError> {
    args.prefix()?;
    let store = open_store(&args.store).await?;
    let is_amazons = is_amazons(&args.store, |name| env::var_os(name).is_some());
    let fitness = fitness::settle(&store, is_amazons).await?;
    let metered = Arc::new(MeteredStore::new(store));
    Ok(Engine::with_settings(metered, Arc::new(TokioRuntime::default()), fitness, settings))
}

/// Whether the store is Amazon's, which is believed.
fn is_amazons(store: &StoreArgs, is_set: impl Fn(&str) -> bool) -> bool {
    store.endpoint.is_none() && !ENDPOINTS.iter().any(|name| is_set(name))
}

#[cfg(test)]
mod tests {
    use wadi_settings::Place;

    use super::*;

    #[test]
    fn a_service_that_the_aws_settings_name_is_not_believed() {
        let place = Place::parse("s3://bucket").unwrap();
        let amazons = StoreArgs { place, endpoint: None, region: None };
        let other = StoreArgs { endpoint: Some("http://127.0.0.1:1".to_owned()), ..amazons.clone() };
        assert!(is_amazons(&amazons, |_| false));
        assert!(!is_amazons(&other, |_| false));
        for set in ENDPOINTS {
            assert!(!is_amazons(&amazons, |name| name == set), "{set}");
        }
    }
}
