//! `wadi serve`: everything in one process.

use std::{net::SocketAddr, sync::Arc};

use tokio::net::TcpListener;
use wadi_http::Ending;
use wadi_settings::{UpkeepArgs, open_store};
use wadi_store::{MeteredStore, SharedStore};
use wadi_stream::{Engine, EngineSettings, Fitness, TokioRuntime, limits::PAGES_AHEAD_MAX};

use crate::{
    banner, connections::Connections, error::StartError, proof, settings::ServeArgs, shutdown::Signals, ticking, upkeep,
};

/// Opens the store, listens, and serves until the process is asked to end.
pub(crate) async fn serve(args: ServeArgs) -> Result<(), StartError> {
    let address = args.address()?;
    let polling = args.http.live.polling()?;
    let mut signals = Signals::new()?;
    let store = open_store(&args.store).await?;
    let listener = TcpListener::bind(address).await.map_err(|source| StartError::Listen { address, source })?;
    let address = listener.local_addr().map_err(|source| StartError::Listen { address, source })?;

    let sealing = args.upkeep.sealing();
    let settings = EngineSettings { polling, sealing, pages_ahead_max: PAGES_AHEAD_MAX, ..EngineSettings::default() };
    let runtime = Arc::new(TokioRuntime::default());
    let metered = Arc::new(MeteredStore::new(store.clone()));
    let engine = Engine::with_settings(metered, runtime, Fitness::Untested, settings);
    banner::greet(address, &args.store.place);
    let work = tokio::spawn(work(store, engine.clone(), address, args.upkeep.clone()));
    tokio::spawn(ticking::tick());
    let ending = Ending::default();
    let router = wadi_http::app_until(engine, args.http.settings(), ending.clone());

    let connections = Connections::serve_until(listener, router, signals.next()).await;
    tracing::info!("asked to end: finishing the requests in flight; ask again to end at once");
    work.abort();
    ending.begin();
    let finished = tokio::select! {
        finished = connections.finish() => finished,
        () = signals.next() => false,
    };
    if !finished {
        tracing::warn!("requests in flight were cut off");
    }
    Ok(())
}

/// Settles whether the store is fit. From then on writes are taken, there is something to try, and
/// the bucket is kept tidy.
async fn work(store: SharedStore, engine: Engine, address: SocketAddr, upkeep: UpkeepArgs) {
    if proof::settle(store, engine.clone()).await == Fitness::Proved {
        banner::suggest(address);
        upkeep::sweep_now_and_then(&engine, upkeep.sweep_every).await;
    }
}
