//! Asking an engine, and hearing its answer to the end.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use wadi_protocol::{Refusal, SnapshotRequest, StreamKey};
use wadi_stream::{BootstrapPiece, Engine};

use crate::{
    executor::{Group, Sim},
    history::{Answer, Ask, BootstrapRead, BootstrapRequest, SnapshotRead},
};

/// One call at one instance.
pub(crate) struct Asking {
    pub(crate) engine: Engine,
    pub(crate) key: StreamKey,
    /// What passes between two pieces of an answer.
    pub(crate) lag: Option<Duration>,
    pub(crate) sim: Sim,
    pub(crate) group: Group,
}

impl Asking {
    pub(crate) async fn answer(self, ask: Ask) -> Answer {
        let Self { engine, key, .. } = &self;
        match ask {
            Ask::Create(request) => Answer::Created(engine.create(key, request).await),
            Ask::Write(request) => Answer::Written(engine.write(key, request).await),
            Ask::Delete(request) => Answer::Deleted(engine.delete(key, request).await),
            Ask::Head(incarnation) => Answer::Described(engine.head(key, incarnation).await),
            Ask::Read(request) => Answer::Page(engine.read(key, request).await),
            // A tail is not one call: its steps are recorded as they come.
            Ask::Follow(_) => Answer::Lost,
            Ask::Publish(request, body) => Answer::Published(engine.publish(key, request, body).await),
            Ask::Snapshot { request, with_body } => Answer::Snapshot(self.snapshot(&request, with_body).await),
            Ask::Retain(request) => Answer::Retained(engine.retain(key, request).await),
            Ask::Bootstrap(request) => Answer::Bootstrap(self.bootstrap(request).await.map(Box::new)),
        }
    }

    async fn snapshot(&self, request: &SnapshotRequest, with_body: bool) -> Result<SnapshotRead, Refusal> {
        let answer = if with_body {
            self.engine.snapshot(&self.key, request).await?
        } else {
            self.engine.head_snapshot(&self.key, request).await?
        };
        let mut read = SnapshotRead { incarnation: answer.incarnation, plan: answer.plan, body: None };
        if let Some(mut body) = answer.body {
            let mut bytes = BytesMut::new();
            while let Some(piece) = body.next().await {
                bytes.extend_from_slice(&piece?);
                self.pause().await;
            }
            read.body = Some(bytes.freeze());
        }
        Ok(read)
    }

    async fn bootstrap(&self, request: BootstrapRequest) -> Result<BootstrapRead, Refusal> {
        let BootstrapRequest { incarnation, bytes_max, with_body } = request;
        let mut bootstrap = self.engine.bootstrap(&self.key, incarnation, bytes_max, with_body).await?;
        let (mut snapshot, mut stream) = (BytesMut::new(), BytesMut::new());
        while with_body && let Some(piece) = bootstrap.next_piece().await {
            match piece? {
                BootstrapPiece::Snapshot(bytes) => snapshot.extend_from_slice(&bytes),
                BootstrapPiece::Stream(bytes) => stream.extend_from_slice(&bytes),
            }
            self.pause().await;
        }
        let bytes: (Bytes, Bytes) = (snapshot.freeze(), stream.freeze());
        Ok(BootstrapRead { stream: bootstrap.stream, snapshot: bootstrap.snapshot, next: bootstrap.next, bytes })
    }

    async fn pause(&self) {
        if let Some(lag) = self.lag {
            self.sim.sleep(self.group, lag).await;
        }
    }
}
