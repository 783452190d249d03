//! The router, and the layers that every answer passes through.

use std::sync::Arc;

use axum::{
    Router,
    extract::{Request, State},
    middleware::{Next, from_fn_with_state},
    response::Response,
    routing::any,
};
use tower::ServiceBuilder;
use tower_http::catch_panic::CatchPanicLayer;
use wadi_protocol::{Code, Refusal};
use wadi_stream::Engine;

use crate::{
    Settings, answer::refuse, body::guard, cors::cors, dialect::Dialect, health, live::Ending, operations::serve,
    panics, shell::Shell, timing::server_timing, trace,
};

const NOT_FOUND: Refusal =
    Refusal::invalid(Code::NotFound, "No such URL. Streams are at /v1/stream/{name} and at /ds/{account}/{name}.");

/// The whole service, as one router: both mounts and the health checks.
pub fn app(engine: Engine, settings: Settings) -> Router {
    app_until(engine, settings, Ending::default())
}

/// The whole service, with its live reads until an end that the caller begins.
///
/// The router matches paths as they were sent; the part below a mount is taken apart by the rules of
/// the contract, never by the router, which would decode it.
pub fn app_until(engine: Engine, settings: Settings, ending: Ending) -> Router {
    let router = Router::new()
        .route("/healthz", any(health::healthz))
        .route("/readyz", any(health::readyz))
        .route("/ds/{*below}", any(hosted))
        .route("/v1/stream/{*below}", any(upstream))
        .fallback(not_found);
    layered(router, Arc::new(Shell::new(engine, settings, ending)))
}

/// Puts the layers around a router, the outermost first.
fn layered(router: Router<Arc<Shell>>, shell: Arc<Shell>) -> Router {
    let layers = ServiceBuilder::new()
        .layer(trace::layer())
        .layer(from_fn_with_state(shell.clone(), pass))
        .layer(CatchPanicLayer::custom(panics::internal));
    router.layer(layers).with_state(shell)
}

/// What is done around every request. One layer of the router: each clones all that lies within it, for every
/// request.
async fn pass(State(shell): State<Arc<Shell>>, request: Request, next: Next) -> Response {
    let request = guard(&shell.drains, request);
    server_timing(&shell, cors(&shell.settings.allowed_origins, request, next)).await
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

#[cfg(test)]
mod tests {
    use axum::{body::Body, routing::get};
    use http_body_util::BodyExt;
    use tower::ServiceExt;
    use wadi_protocol::Timestamp;
    use wadi_store::MemoryStore;
    use wadi_stream::{Fitness, TokioRuntime};

    use super::*;

    async fn panics() -> Response {
        panic!("a secret")
    }

    #[tokio::test]
    async fn a_panic_is_an_error_like_any_other_and_tells_nothing() {
        let store = MemoryStore::new(Arc::new(|| Timestamp::EPOCH));
        let engine = Engine::new(Arc::new(store), Arc::new(TokioRuntime::default()), Fitness::Proved);
        let shell = Arc::new(Shell::new(engine, Settings::default(), Ending::default()));
        let router = layered(Router::new().route("/", get(panics)), shell);

        let response = router.oneshot(Request::new(Body::empty())).await.unwrap();
        assert_eq!(response.status(), 500);
        for (name, value) in [("x-content-type-options", "nosniff"), ("access-control-allow-origin", "*")] {
            assert_eq!(response.headers()[name], value);
        }
        let body = response.into_body().collect().await.unwrap().to_bytes();
        let text = std::str::from_utf8(&body).unwrap();
        assert!(text.starts_with(r#"{"error":{"code":"INTERNAL","message":""#), "{text}");
        assert!(!text.contains("secret"), "{text}");
    }
}
