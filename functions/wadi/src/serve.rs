//! `wadi serve`: everything in one process.

use std::{net::SocketAddr, sync::Arc};

use tokio::net::TcpListener;
use wadi_http::Ending;
use wadi_store::SharedStore;
use wadi_stream::{Engine, Fitness, TokioRuntime};

use crate::{
    banner, connections::Connections, error::StartError, proof, settings::ServeArgs, shutdown::Signals, store,
};

/// Opens the store, listens, and serves until the process is asked to end.
pub(crate) async fn serve(args: ServeArgs) -> Result<(), StartError> {
    let address = args.address()?;
    let polling = args.live.polling()?;
    let mut signals = Signals::new()?;
    let store = store::open(&args.store).await?;
    let listener = TcpListener::bind(address).await.map_err(|source| StartError::Listen { address, source })?;
    let address = listener.local_addr().map_err(|source| StartError::Listen { address, source })?;

    let engine = Engine::with_polling(store.clone(), Arc::new(TokioRuntime::default()), Fitness::Untested, polling);
    banner::greet(address, &args.store.place);
    let proof = tokio::spawn(prove(store, engine.clone(), address));
    let ending = Ending::default();
    let router = wadi_http::app_until(engine, args.http(), ending.clone());

    let connections = Connections::serve_until(listener, router, signals.next()).await;
    tracing::info!("asked to end: finishing the requests in flight; ask again to end at once");
    proof.abort();
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

/// Settles whether the store is fit. From then on writes are taken, and there is something to try.
async fn prove(store: SharedStore, engine: Engine, address: SocketAddr) {
    if proof::settle(store, engine).await == Fitness::Proved {
        banner::suggest(address);
    }
}
