//! An environment's start: the bucket, the verdict on it, the engine.

use std::sync::Arc;

use wadi_settings::open_store;
use wadi_store::MeteredStore;
use wadi_stream::{Engine, EngineSettings, TokioRuntime};

use crate::{StartError, fitness, settings::CommonArgs};

/// The engine of this environment.
pub(crate) async fn engine(args: &CommonArgs, settings: EngineSettings) -> Result<Engine, StartError> {
    args.prefix()?;
    let store = open_store(&args.store).await?;
    let fitness = fitness::settle(&store, args.store.endpoint.is_none()).await?;
    let metered = Arc::new(MeteredStore::new(store));
    Ok(Engine::with_settings(metered, Arc::new(TokioRuntime::default()), fitness, settings))
}
