//! The router, and the layers that every answer passes through.

use std::sync::Arc;

use axum::{
    Router,
    extract::{Request, State},
    middleware::from_fn_with_state,
    response::Response,
    routing::any,
};
use tower::ServiceBuilder;
use tower_http::catch_panic::CatchPanicLayer;
use wadi_protocol::{Code, Refusal};
use wadi_stream::Engine;

use crate::{
    Settings,
    answer::refuse,
    body::{Drains, guard},
    cors::cors,
    dialect::Dialect,
    health,
    operations::serve,
    panics,
    shell::Shell,
    trace,
};

const NOT_FOUND: Refusal =
    Refusal::invalid(Code::NotFound, "No such URL. Streams are at /v1/stream/{name} and at /ds/{account}/{name}.");

/// The whole service, as one router: both mounts and the health checks.
///
/// The router matches paths as they were sent; the part below a mount is taken apart by the rules of
/// the contract, never by the router, which would decode it.
pub fn app(engine: Engine, settings: Settings) -> Router {
    let origins = Arc::new(settings.allowed_origins.clone());
    let layers = ServiceBuilder::new()
        .layer(trace::layer())
        .layer(from_fn_with_state(Drains::new(), guard))
        .layer(from_fn_with_state(origins, cors))
        .layer(CatchPanicLayer::custom(panics::internal));
    Router::new()
        .route("/healthz", any(health::healthz))
        .route("/readyz", any(health::readyz))
        .route("/ds/{*below}", any(hosted))
        .route("/v1/stream/{*below}", any(upstream))
        .fallback(not_found)
        .layer(layers)
        .with_state(Arc::new(Shell::new(engine, settings)))
}

async fn hosted(State(shell): State<Arc<Shell>>, request: Request) -> Response {
    serve(shell, Dialect::Hosted, request).await
}

async fn upstream(State(shell): State<Arc<Shell>>, request: Request) -> Response {
    serve(shell, Dialect::Upstream, request).await
}

async fn not_found() -> Response {
    refuse(&NOT_FOUND)
}
