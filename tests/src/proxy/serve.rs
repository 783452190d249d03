//! Connections to the proxy, and what befalls the requests on them.

use std::{
    future::{pending, poll_fn},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use bytes::Bytes;
use futures::FutureExt;
use hyper::{Request, Response, body::Incoming, header, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use tokio::{
    net::{TcpListener, TcpStream},
    task::JoinSet,
};

use super::{
    Fault, Seen, Shared,
    answer::{self, Body},
    forward::Whole,
};

/// The connection is to end here.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("the connection breaks")]
pub(super) struct Broken;

/// Serves every connection, each in a task that ends with this one.
pub(super) async fn accept(listener: TcpListener, shared: Arc<Shared>) {
    let mut connections = JoinSet::new();
    while let Ok((connection, _)) = listener.accept().await {
        connections.spawn(serve(connection, shared.clone()));
        while connections.try_join_next().is_some() {}
    }
}

async fn serve(connection: TcpStream, shared: Arc<Shared>) {
    let reset = Arc::new(AtomicBool::new(false));
    let service = service_fn(|request| {
        let (shared, reset) = (shared.clone(), reset.clone());
        async move { Exchange::admit(&shared, request).await?.run(&reset).await }.boxed()
    });
    let mut http = http1::Builder::new().serve_connection(TokioIo::new(connection), service);
    // A broken connection is what was asked for.
    let _ = poll_fn(|context| http.poll_without_shutdown(context)).await;
    let connection = http.into_parts().io.into_inner();
    if reset.load(Ordering::Relaxed) {
        let _ = connection.set_zero_linger();
    }
}

/// A request under way to the store.
struct Exchange {
    shared: Arc<Shared>,
    number: usize,
    request: Whole,
    fault: Option<Fault>,
}

impl Exchange {
    async fn admit(shared: &Arc<Shared>, request: Request<Incoming>) -> Result<Self, Broken> {
        let seen = Seen::new(request.method(), request.uri(), request.headers(), &shared.root);
        let request = shared.upstream.take(request).await?;
        let (number, fault) = shared.script().admit(seen);
        Ok(Self { shared: shared.clone(), number, request, fault })
    }

    async fn run(mut self, reset: &AtomicBool) -> Result<Response<Body>, Broken> {
        let Some(fault) = self.fault.take() else { return Ok(answer::whole(self.ask().await?)) };
        match fault {
            Fault::Reset => {
                reset.store(true, Ordering::Relaxed);
                Err(Broken)
            }
            Fault::StalledRequest => pending().await,
            Fault::Conflict => Ok(answer::error(409, "ConditionalRequestConflict")),
            Fault::PreconditionFailed => Ok(answer::error(412, "PreconditionFailed")),
            Fault::SlowDown => Ok(answer::error(503, "SlowDown")),
            Fault::AnswerLost => {
                self.ask().await?;
                Err(Broken)
            }
            Fault::HalfAnswer => Ok(answer::half(self.ask().await?)),
            Fault::StalledAnswer => {
                let answer = self.ask().await?;
                if answer.body().is_empty() { pending().await } else { Ok(answer::stalled(answer)) }
            }
            Fault::Unconditional => {
                self.request.headers_mut().remove(header::IF_NONE_MATCH);
                self.request.headers_mut().remove(header::IF_MATCH);
                Ok(answer::whole(self.ask().await?))
            }
            other => self.detached(other).await,
        }
    }

    /// What goes on though the client may have gone away.
    async fn detached(self, fault: Fault) -> Result<Response<Body>, Broken> {
        let task = tokio::spawn(async move {
            match fault {
                Fault::Hold(gate) => {
                    gate.pass().await;
                    let answer = self.ask().await;
                    gate.passed();
                    answer
                }
                Fault::HoldAnswer(gate) => {
                    let answer = self.ask().await;
                    gate.pass().await;
                    gate.passed();
                    answer
                }
                Fault::Late(delay) => {
                    tokio::spawn(async move {
                        tokio::time::sleep(delay).await;
                        // Nobody waits for it.
                        let _ = self.ask().await;
                    });
                    Err(Broken)
                }
                _ => {
                    self.ask().await?;
                    self.ask().await
                }
            }
        });
        Ok(answer::whole(task.await.map_err(|_| Broken)??))
    }

    /// Asks the store, whether or not the client still waits for the answer.
    async fn ask(&self) -> Result<Response<Bytes>, Broken> {
        let (shared, request, number) = (self.shared.clone(), self.request.clone(), self.number);
        let task = tokio::spawn(async move {
            let mut answer = shared.upstream.ask(request).await?;
            let mut script = shared.script();
            script.answered(number, answer.status().as_u16());
            if let Some(clock) = script.clock {
                clock.turn(answer.headers_mut());
            }
            drop(script);
            Ok(answer)
        });
        task.await.map_err(|_| Broken)?
    }
}
