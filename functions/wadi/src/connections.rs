//! Accepting and serving connections, and ending cleanly.

use std::{
    future::Future,
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use hyper::service::{Service, service_fn};
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::{
        conn::auto,
        graceful::{GracefulShutdown, Watcher},
    },
    service::TowerToHyperService,
};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore, watch},
    time::{sleep, timeout},
};

use wadi_http::Router;

use crate::{descriptors, limits::CONNECTIONS_MAX};

/// Longest time without a request on a connection, and longest time for the head of one.
const IDLE_MAX: Duration = Duration::from_secs(75);
/// How often a silent HTTP/2 connection is asked whether it is still there.
const PING_EVERY: Duration = Duration::from_secs(30);
/// Pause after a connection could not be accepted.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);
/// Longest time, once the process has been asked to end, for the head of a connection's first request.
const FIRST_HEAD_MAX: Duration = Duration::from_secs(2);
/// Longest time for requests in flight once the process has been asked to end.
const FINISH_MAX: Duration = Duration::from_secs(25);

/// The connections that are being served.
pub(crate) struct Connections {
    graceful: GracefulShutdown,
    /// Its end tells connections that have not sent anything yet.
    open: watch::Sender<()>,
}

impl Connections {
    /// Accepts and serves connections until `ended`.
    pub(crate) async fn serve_until(listener: TcpListener, router: Router, ended: impl Future<Output = ()>) -> Self {
        let room = Arc::new(Semaphore::new(descriptors::connections_max(CONNECTIONS_MAX)));
        let connections = Self { graceful: GracefulShutdown::new(), open: watch::Sender::new(()) };
        let mut ended = pin!(ended);
        loop {
            let (connection, place) = tokio::select! {
                () = &mut ended => return connections,
                accepted = accept(&listener, &room) => accepted,
            };
            let served = connections.serve_one(connection, router.clone());
            tokio::spawn(async move {
                served.await;
                drop(place);
            });
        }
    }

    /// Closes idle connections and lets requests in flight finish, for a while. True when all did.
    pub(crate) async fn finish(self) -> bool {
        drop(self.open);
        timeout(FINISH_MAX, self.graceful.shutdown()).await.is_ok()
    }

    fn serve_one(&self, connection: TcpStream, router: Router) -> impl Future<Output = ()> + use<> {
        let watcher = self.graceful.watcher();
        let mut open = self.open.subscribe();
        async move {
            // Answers are small and complete: waiting to fill a packet only delays them.
            let _ = connection.set_nodelay(true);
            // Which version of HTTP it is, its first bytes tell: there is no limit for them but this one.
            let silent = tokio::select! {
                arrived = timeout(IDLE_MAX, connection.readable()) => arrived.is_err(),
                _ = open.changed() => true,
            };
            if !silent {
                serve_http(connection, router, watcher, open).await;
            }
        }
    }
}

async fn serve_http(connection: TcpStream, router: Router, watcher: Watcher, open: watch::Receiver<()>) {
    let mut http = auto::Builder::new(TokioExecutor::new());
    http.http1().timer(TokioTimer::new()).header_read_timeout(IDLE_MAX);
    http.http2().timer(TokioTimer::new()).keep_alive_interval(PING_EVERY);
    let used = AtomicBool::new(false);
    let router = TowerToHyperService::new(router);
    let service = service_fn(|request| {
        used.store(true, Ordering::Relaxed);
        router.call(request)
    });
    let served = http.serve_connection(TokioIo::new(connection), service);
    tokio::select! {
        served = watcher.watch(served) => {
            if let Err(error) = served {
                tracing::debug!(error, "a connection ended early");
            }
        }
        () = unused(open, &used) => {}
    }
}

/// Returns a while after the end has begun, if the connection has still not brought a whole head of
/// a request: whoever sends one so slowly is not waited for.
async fn unused(mut open: watch::Receiver<()>, used: &AtomicBool) {
    let _ = open.changed().await;
    sleep(FIRST_HEAD_MAX).await;
    if used.load(Ordering::Relaxed) {
        std::future::pending::<()>().await;
    }
}

/// The next connection, and its place among those served at once.
async fn accept(listener: &TcpListener, room: &Arc<Semaphore>) -> (TcpStream, Option<OwnedSemaphorePermit>) {
    // The semaphore is never closed.
    let place = Arc::clone(room).acquire_owned().await.ok();
    loop {
        match listener.accept().await {
            Ok((connection, _)) => return (connection, place),
            // The connection is gone already, or the system is short of something: try the next.
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}
