//! What the engine offers of snapshots.

use std::sync::Arc;

use bytes::Bytes;
use wadi_protocol::{
    CommitRequest, Discarded, Incarnation, PartId, PartsRequest, PublishRequest, Published, Refusal, Retained,
    RetentionRequest, SnapshotRequest, Staged, StreamKey,
};

use super::{Admission, Bootstrap, SnapshotAnswer};
use crate::Engine;

impl Engine {
    /// Publishes a snapshot whose body is at hand. Dropping the future does not take it back.
    pub async fn publish(&self, key: &StreamKey, request: PublishRequest, body: Bytes) -> Result<Published, Refusal> {
        let (cell, request) = (self.cell(key), Arc::new(request));
        let published = cell.clone().run_to_end(|cell| cell.publish_snapshot(request, body)).await;
        self.weigh_again(&cell);
        published
    }

    /// Admits a part of at most `bytes`: what is refused is refused before its body is read.
    pub async fn admit_part(&self, key: &StreamKey, request: PartsRequest, bytes: u64) -> Result<Admission, Refusal> {
        self.cell(key).admit_part(request, bytes).await
    }

    /// Stages a part that was admitted. Any process may commit it.
    pub async fn stage(&self, admission: Admission, body: Bytes) -> Result<Staged, Refusal> {
        admission.stage(body).await
    }

    /// Removes all parts that are staged for a stream. Dropping the future does not take it back.
    pub async fn discard_parts(&self, key: &StreamKey, request: PartsRequest) -> Result<Discarded, Refusal> {
        self.cell(key).run_to_end(|cell| cell.discard_parts(request)).await
    }

    /// What a commit of parts is told by its key: `Some` if it was published before. `None`: go on with
    /// [`Self::commit`].
    pub async fn check_commit(&self, key: &StreamKey, request: &CommitRequest) -> Result<Option<Published>, Refusal> {
        self.cell(key).check_commit(request).await
    }

    /// Publishes a snapshot that is put together from staged parts. Dropping the future does not take it
    /// back; where it takes longer than a request may, its outcome is unknown and a repeat tells it.
    pub async fn commit(
        &self,
        key: &StreamKey,
        request: CommitRequest,
        parts: Vec<PartId>,
    ) -> Result<Published, Refusal> {
        let cell = self.cell(key);
        let published = cell.clone().run_to_end(|cell| cell.commit_parts(request, parts)).await;
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
