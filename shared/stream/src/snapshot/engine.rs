//! What the engine offers of snapshots.

use std::sync::Arc;

use bytes::Bytes;
use wadi_protocol::{
    Incarnation, PublishRequest, Published, Refusal, Retained, RetentionRequest, SnapshotRequest, StreamKey,
};

use super::{Bootstrap, SnapshotAnswer};
use crate::Engine;

impl Engine {
    /// Publishes a snapshot whose body is at hand. Dropping the future does not take it back.
    pub async fn publish(&self, key: &StreamKey, request: PublishRequest, body: Bytes) -> Result<Published, Refusal> {
        let (cell, request) = (self.cell(key), Arc::new(request));
        let published = cell.clone().run_to_end(|cell| cell.publish_snapshot(request, body)).await;
        self.weigh_again(&cell);
        published
    }

    /// Serves a stream from an offset on only, which its latest snapshot reaches.
    pub async fn retain(&self, key: &StreamKey, request: RetentionRequest) -> Result<Retained, Refusal> {
        self.cell(key).retain(request).await
    }

    /// Reads the latest snapshot, or a range of it.
    pub async fn snapshot(&self, key: &StreamKey, request: &SnapshotRequest) -> Result<SnapshotAnswer, Refusal> {
        let cell = self.cell(key);
        let answer = cell.read_snapshot(request).await;
        self.weigh_again(&cell);
        answer
    }

    /// Opens a bootstrap: the latest snapshot and what follows it, `bytes_max` in all. `with_body`: its
    /// bytes are wanted, which renews a time-to-live.
    pub async fn bootstrap(
        &self,
        key: &StreamKey,
        incarnation: Option<Incarnation>,
        bytes_max: u64,
        with_body: bool,
    ) -> Result<Bootstrap, Refusal> {
        let cell = self.cell(key);
        let bootstrap = cell.bootstrap(incarnation, bytes_max, with_body).await;
        self.weigh_again(&cell);
        bootstrap
    }

    /// What [`Self::snapshot`] would tell, without the bytes. Renews no time-to-live.
    pub async fn head_snapshot(&self, key: &StreamKey, request: &SnapshotRequest) -> Result<SnapshotAnswer, Refusal> {
        let cell = self.cell(key);
        let answer = cell.head_snapshot(request).await;
        self.weigh_again(&cell);
        answer
    }
}
